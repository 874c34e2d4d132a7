// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Programs are decoded from bytes, so that a fuzzer can change them, and a failure can be reduced by leaving
// bytes out. Every sequence of bytes is a program: missing bytes read as 0, which means the simplest choice,
// and a number that is too large is replaced by its remainder.

extension Program {
  /// The shapes of programs.
  package enum Shape: Sendable {
    case anything
    /// Signals in which each hot source occurs at most once and is subscribed to before there are events; the
    /// steps only send and dispose. The events of several threads can then be explained: see ``Explanation``.
    case eachSourceOnce
    /// A plain cold signal, a chain of operators, and one observer: everything is synchronous, unless an
    /// operator changes that. Few programs of the other shapes are like that.
    case chain
    /// Anything, with operators that have a scheduler, in virtual time, and with bounds.
    case timed
    /// Anything, with channels, properties, bindings, commands, and signals that feed sources.
    case state
    /// The same, with derived properties, and with objects that have a lifetime.
    case objects
  }

  /// The program of this shape that is encoded by these bytes.
  package init(decoding bytes: some Sequence<UInt8>, _ shape: Shape = .anything) {
    var decoder = ProgramDecoder(bytes, shape)
    self = decoder.decode()
  }
}

/// Its part for the shape `state` is in a file of its own.
struct ProgramDecoder {
  /// Deep enough for operators to affect one another; more makes programs slower, but not different.
  private static let (deepest, mostSteps) = (4, 24)

  private var bytes: [UInt8]
  private var position = 0
  var program = Program()
  private var nodesLeft = 0
  private var coldCount = 0
  private var timeCount = 0

  let shape: Program.Shape
  /// Sources that may still be used; nil if any may be.
  private var unused: [Int]?

  init(_ bytes: some Sequence<UInt8>, _ shape: Program.Shape) {
    self.bytes = Array(bytes)
    self.shape = shape
  }

  /// A number below `limit`.
  mutating func number(below limit: Int) -> Int {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return Int(bytes[position]) % limit
  }

  /// The same for choices to which others were added later. These have the highest bytes, eight each: so that
  /// the bytes of the corpus mostly keep their meaning.
  mutating func number(below limit: Int, orAdded added: Int) -> Int {
    if position < bytes.count, bytes[position] >= 256 - 8 * added {
      defer { position += 1 }
      return limit + Int(255 - bytes[position]) / 8
    }
    return number(below: limit)
  }

  mutating func decode() -> Program {
    if shape == .chain { return chain() }
    for _ in 0...number(below: 3) {
      if shape.hasState { addSource() } else { program.sources.append(source()) }
    }
    if shape == .objects { addObjects() }
    if shape != .eachSourceOnce { for _ in 0..<number(below: 3) { program.shared.append(shared()) } }
    if shape.hasState { for _ in 0..<number(below: 3) { program.commands.append(command()) } }
    for _ in 0...number(below: 2) { program.trees.append(tree()) }
    program.steps.append(.subscribe(ObserverPlan(tree: 0, bringsSubscription: false)))
    while position < bytes.count, program.steps.count < Self.mostSteps {
      program.steps.append(action(depth: 0))
    }
    return program
  }

  private mutating func chain() -> Program {
    let values = (0..<number(below: 4)).map { _ in number(below: 5) }
    var node = Node.cold(Cold(id: 1, values: values, ending: .sends(.completed), isPlain: true))
    for _ in 0...number(below: 6) { node = .one(unary(), node) }
    program.trees = [node]
    program.steps = [.subscribe(ObserverPlan(tree: 0, bringsSubscription: false))]
    return program
  }

  mutating func source() -> Source {
    switch number(below: 6, orAdded: shape == .timed ? 4 : 0) {
    case 6...: furtherSource()
    case 0, 1, 2: .subject
    // Here and below, a replay of no values is left out: it is not specified whether a new subscriber then
    // receives events that are pending when it subscribes.
    case 3, 4: .replay(1 + number(below: 3))
    default: .current(number(below: 4))
    }
  }

  private mutating func shared() -> Shared {
    let node = tree()
    let form: Shared.Form =
      switch number(below: shape == .timed ? 9 : shape == .objects ? 10 : 8) {
      case 0: .share(replay: 0)
      case 1: .share(replay: number(below: 3))
      case 2: .shareForever(replay: 1 + number(below: 2))
      case 3: .autoconnect(nil)
      case 4: .autoconnect(1 + number(below: 2))
      case 5: .multicast(number(below: 2) == 0 ? nil : 2)
      case 6: .replayLazily
      case 8 where shape == .objects, 9: shareAt()
      case 8: .shareLonger(replay: number(below: 3), time(), isForever: number(below: 2) == 1)
      default: .replayLast(1 + number(below: 2))
      }
    return Shared(form: form, node: node)
  }

  // MARK: Signals

  mutating func tree() -> Node {
    // With so many parts, each is small.
    nodesLeft = shape.hasState ? 4 : 10
    if shape == .eachSourceOnce { unused = Array(program.sources.indices) }
    return node(depth: 0)
  }

  mutating func node(depth: Int) -> Node {
    nodesLeft -= 1
    if depth == Self.deepest || nodesLeft <= 0 { return leaf() }
    let kinds =
      switch shape {
      case .timed: 24
      case .state: 17
      case .objects: 19
      default: 16
      }
    switch number(below: kinds, orAdded: shape == .eachSourceOnce ? 0 : shape == .timed ? 8 : 2) {
    case 0, 1, 2: return leaf()
    case 3, 4, 5, 6, 7, 8: return one(depth: depth + 1)
    case 9, 10, 11: return two(depth: depth + 1)
    case 12, 13: return many(depth: depth + 1)
    case (kinds + 2)...: return further(depth: depth + 1)
    case kinds...: return .cleaned(cleanUp(), node(depth: depth + 1))
    case 17 where shape == .objects, 18 where shape == .objects:
      return .during(object(), node(depth: depth + 1))
    case 16...: return .timed(timed(), node(depth: depth + 1))
    default:
      let (strategy, node) = (strategy(), node(depth: depth + 1))
      return .flat(strategy, node, later { $0.nodes(depth: depth + 1) })
    }
  }

  private mutating func one(depth: Int) -> Node {
    let name = unary()
    return .one(name, name.repeats ? later { $0.node(depth: depth) } : node(depth: depth))
  }

  private mutating func two(depth: Int) -> Node {
    let name = binary()
    if name == .retryAfter {
      return .two(name, later { $0.node(depth: depth) }, later { $0.node(depth: depth) })
    }
    let first = node(depth: depth)
    switch name {
    case .catchTo, .ifEmpty, .then, .groupUntil: return .two(name, first, later { $0.node(depth: depth) })
    default: return .two(name, first, node(depth: depth))
    }
  }

  private mutating func many(depth: Int) -> Node {
    let name = many()
    if name.isPack { return .many(name, (0..<3).map { _ in node(depth: depth) }) }
    if name != .concat { return .many(name, nodes(depth: depth)) }
    let first = node(depth: depth)
    return .many(name, [first] + later { $0.nodes(depth: depth) })
  }

  private mutating func nodes(depth: Int) -> [Node] {
    (0...number(below: 3)).map { _ in node(depth: depth) }
  }

  /// Decodes a signal that is subscribed to while the program runs, perhaps several times. In some shapes it
  /// has no hot sources.
  private mutating func later<Decoded>(_ decode: (inout Self) -> Decoded) -> Decoded {
    guard let before = unused else { return decode(&self) }
    unused = []
    defer { unused = before }
    return decode(&self)
  }

  private mutating func leaf() -> Node {
    if let next = unused?.popLast() { return .source(next) }
    if shape == .eachSourceOnce { return .cold(cold()) }
    if shape == .objects, let leaf = objectLeaf() { return leaf }
    if shape.hasState, let view = commandView() { return view }
    switch number(below: 4, orAdded: shape == .timed ? 4 : 1) {
    case 5...: return furtherLeaf()
    case 4: return .never
    case 0, 1: return .source(number(below: program.sources.count))
    case 2: return program.shared.isEmpty ? .cold(cold()) : .shared(number(below: program.shared.count))
    default: return .cold(cold())
    }
  }

  private mutating func cold() -> Cold {
    coldCount += 1
    let values = (0..<number(below: 4)).map { _ in number(below: 5) }
    func cold(_ ending: Ending, isPlain: Bool = false) -> Cold {
      Cold(id: coldCount, values: values, ending: ending, isPlain: isPlain)
    }
    switch number(below: 5, orAdded: 2) {
    case 0: return cold(.sends(.completed), isPlain: true)
    case 1, 2: return cold(.sends(.completed))
    case 3: return cold(.sends(.failed(number(below: 3))))
    case 4: return cold(.staysOpen)
    default: return cold(.letsGo)
    }
  }

  private mutating func unary() -> Unary {
    if shape == .chain || shape == .objects, number(below: 2) == 1 { return laterUnary() }
    let name = number(below: 26, orAdded: 4)
    switch name {
    case 0: return .scan
    case 1: return .pairs
    case 2: return .distinct
    case 3: return .sum
    case 4: return .ignore
    case 5: return .recode
    case 6: return .materialized
    case 7: return .roundTrip
    default: break
    }
    let count = number(below: 4)
    switch name {
    case 8: return .add(count)
    case 9: return .filter(count)
    case 10: return .collect(count + 1)
    case 11: return .take(count)
    case 12: return .takeLast(count)
    case 13: return .takeWhile(below: count + 1)
    case 14: return .element(count)
    case 15: return .skip(count)
    case 16: return .skipLast(count)
    case 17: return .skipWhile(below: count)
    case 18: return .startWith(count)
    case 19: return .append(count)
    case 20: return .failAt(count)
    case 21: return .retry(count)
    case 22: return .repeated(count)
    case 23: return .group(count + 1)
    case 24: return .window(count + 1)
    case 26: return .partition(count + 1)
    case 27: return .partitionKeys(count + 1)
    case 28: return .partitionEnds(count + 1)
    case 29: return .firstPartitions(count + 1)
    default: return .catchAndReturn(count)
    }
  }

  private mutating func binary() -> Binary {
    let all: [Binary] = [
      .zip, .combineLatest, .withLatest, .sample, .takeUntil, .takeUntilReplacement, .skipUntil, .catchTo,
      .ifEmpty, .then,
    ]
    if shape == .objects, number(below: 6) == 5 {
      return number(below: 3) == 2 ? .retryAfter : .groupUntil(divisor: 1 + number(below: 2))
    }
    switch number(below: shape == .timed ? all.count + 2 : all.count) {
    case all.count: return .zipWithin(room())
    case all.count + 1: return .timeout(time())
    case let index: return all[index]
    }
  }

  private mutating func many() -> Many {
    let all: [Many] = [.merge, .concat, .zip, .combineLatest, .race]
    if shape == .objects, number(below: 3) == 2 { return pack() }
    return all[number(below: all.count)]
  }

  mutating func strategy() -> Strategy {
    let all: [Strategy] = [
      .merge, .limit(1, nil), .limit(2, nil), .ordered(2, nil), .latest, .first, .race,
    ]
    switch number(below: shape == .timed ? all.count + 2 : all.count) {
    case all.count: return .limit(1 + number(below: 2), room())
    case all.count + 1: return .ordered(1 + number(below: 2), room())
    case let index: return all[index]
    }
  }

  // MARK: Time and bounds

  /// Microseconds: up to a second, or one or two more. Different for each operator, and no sum of a few is
  /// another one, so that there is seldom a doubt about what comes first.
  mutating func time() -> Int {
    timeCount += 1
    return number(below: 3) * 1_000_000 + 300_000 + 1_009 * timeCount * timeCount + 7 * timeCount
  }

  private mutating func room() -> Room {
    Room(count: 1 + number(below: 2), excess: [.newest, .oldest, .fails][number(below: 3)])
  }

  private mutating func timed() -> Timed {
    if shape == .objects, number(below: 4) == 3 { return .chunks(flag() ? room() : nil) }
    switch number(below: 24, orAdded: 4) {
    case 24: return .values(nil)
    case 25: return .values(room())
    case 26, 27: return .awaited([.first, .last, .all, .completion][number(below: 4)])
    case 0: return .delay(time(), nil)
    case 1: return .delay(time(), room())
    case 2: return .debounce(time())
    case 3: return .debounceOdd(time())
    case 4: return .rateLimit(time(), .leading)
    case 5: return .rateLimit(time(), .trailing)
    case 6: return .rateLimit(time(), .both)
    case 7: return .idle(time())
    case 8: return .deadline(time())
    case 9: return .collect(time(), count: 1 + number(below: 3))
    case 10: return .collectWithin(time(), nil)
    case 11: return .collectWithin(time(), room())
    case 12: return .sample(time())
    case 13: return .takeFor(time())
    case 14: return .skipFor(time())
    case 15: return .delaySubscription(time())
    case 16: return .retry(time(), count: number(below: 3))
    case 17: return .window(time(), count: 1 + number(below: 3))
    case 18: return .group(time(), divisor: 1 + number(below: 2))
    case 19: return .subscribing
    case 20, 21: return .hop(nil, whenNeeded: flag(), failsAtOnce: flag())
    default: return .hop(room(), whenNeeded: flag(), failsAtOnce: flag())
    }
  }

  /// Not where another thread would have to end what goes on after its last subscriber.
  private func shutDown() -> Action {
    let isShared = program.shared.contains { if case .shareLonger = $0.form { true } else { false } }
    return isShared ? .dispose(0) : .shutDown
  }

  private mutating func flag() -> Bool { number(below: 2) == 1 }

  // MARK: Steps

  private mutating func action(depth: Int) -> Action {
    // Inside an event no time passes.
    if shape == .timed, depth == 0, number(below: 3) == 0 { return .advance(1 + number(below: 3)) }
    if shape == .objects, number(below: 4) == 3 { return objectAction(depth: depth) }
    if shape.hasState, number(below: 4) == 3 { return stateAction(depth: depth) }
    let kind = number(below: 16, orAdded: shape == .timed ? 3 : 2)
    if shape == .eachSourceOnce, kind > 11 {
      return .send(.value(number(below: 6)), to: number(below: program.sources.count))
    }
    switch kind {
    case 0, 1, 2, 3, 4, 5, 6: return .send(.value(number(below: 6)), to: number(below: program.sources.count))
    case 7, 8: return .send(.completed, to: number(below: program.sources.count))
    case 9: return .send(.failed(number(below: 3)), to: number(below: program.sources.count))
    case 10, 11: return .dispose(number(below: 4))
    case 12 where !program.shared.isEmpty: return .connect(number(below: program.shared.count))
    case 13 where !program.shared.isEmpty: return .disconnect(number(below: program.shared.count))
    case 16, 17: return .release(number(below: program.sources.count))
    case 18: return shutDown()
    default: return .subscribe(plan(depth: depth))
    }
  }

  private mutating func plan(depth: Int) -> ObserverPlan {
    var plan = ObserverPlan(
      tree: number(below: program.trees.count), bringsSubscription: number(below: 2) == 1)
    switch number(below: 4) {
    case 1: plan.limit = 1 + number(below: 3)
    // An observer inside an observer's event reacts less often: only the number 3 makes it react.
    case 2,
      3 where depth == 0:
      plan.reaction = .init(at: 1 + number(below: 3), action: action(depth: 1))
    default: break
    }
    return plan
  }
}
