// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A program as the model runs it.
final class ModelWorld: World {
  private let trace: Trace
  private let means = Means()
  /// Keeps cold signals open.
  private let gate = Hub(replaying: nil)
  private var sources: [ModelSource] = []
  private var shared: [any SharedModel] = []
  /// How many subscribers each waits for.
  private let missing: [Int]
  private var commands: [ModelCommand] = []
  private var objects: [ModelObject] = []
  private let properties: ModelProperties
  /// What has been lifted into objects.
  private var lifted = [Flow?](repeating: nil, count: Lift.slotCount)
  /// The properties that have been bound as the right one.
  private var bound: Set<Int> = []
  private var trees: [Flow] = []
  private(set) var living = 0
  let observers = Observers()

  var precision: Precision { means.precision }
  var now: Int { means.clock.now }

  init(_ program: Program, _ trace: Trace) {
    self.trace = trace
    properties = ModelProperties(means)
    missing = program.shared.map(\.form.missing)
    for source in program.sources { add(source) }
    for index in 0..<program.objectCount {
      objects.append(ModelObject(means) { trace.note(.called(object: index, $0)) })
    }
    properties.add(sources)
    for plan in program.derived { properties.add(plan, following: flow) }
    for shared in program.shared { self.shared.append(sharing(shared)) }
    for command in program.commands { commands.append(commanded(command)) }
    trees = program.trees.map(flow)
  }

  private func add(_ source: Source) {
    switch source {
    case .subject: add(Hub(replaying: nil))
    case .replay(let capacity): add(Hub(replaying: capacity))
    case .current(let value): add(Hub(replaying: 1, from: [value]))
    case .replayAll: add(Hub(replaying: .max))
    case .replayWithin(let time, let count): add(Hub(replaying: count ?? .max, for: time, means.clock))
    case .unserialized: add(ModelUnserialized())
    case .leading:
      let (leading, following) = ModelChannel().terminals(means)
      sources += [leading, following]
    case .following: return
    case .property(let value): addEnding(ModelProperty(value))
    case .control(let value): addEnding(ModelControl(value, means))
    case .terminal(let index):
      switch sources[index].place {
      case let property as ModelProperty: add(ModelPropertyTerminal(of: property, means))
      case let control as ModelControl: add(ModelControlTerminal(of: control, means))
      default: preconditionFailure("no terminal of that")
      }
    }
  }

  private func add(_ place: some SourceModel) { sources.append(ModelSource(place, means)) }

  /// Adds a source that delivers its end when it is released.
  private func addEnding(_ place: some SourceModel) {
    let tenure = Tenure { [means] in means.whileDelivering { place.letGo() } }
    sources.append(ModelSource(place, means, tenure))
  }

  // MARK: Signals

  private func flow(_ node: Node) -> Flow {
    switch node {
    case .source(let index):
      let source = sources[index]
      return watched(.source(index)) { source.listen($0) }
    case .cold(let cold): return flow(cold)
    case .shared(let index):
      let shared = shared[index]
      return { shared.listen($0) }
    case .never: return { _ in }
    case .command(let index, let view):
      let command = commands[index]
      return { command.listen(view, $0) }
    case .derived(let index, let view):
      let property = properties.derived[index]
      return { property.listen(view, $0) }
    case .life(let index):
      let lifetime = objects[index].lifetime
      return { lifetime.listen($0) }
    case .during(let index, let node): return during(objects[index].lifetime, flow(node))
    case .lifted(let index): return { [unowned self] in lifted[index]?($0) }
    case .one(let name, let node): return model(name, of: name.repeats ? part(node) : flow(node))
    case .two(let name, let first, let second) where name.handsOver && second.handsOver:
      return model(name, of: flow(first), sequence(second))
    case .two(.then, let first, let second): return model(.then, of: flow(first), part(second))
    case .two(.retryAfter, let first, let second):
      return model(.retryAfter, of: part(first), flow(second))
    case .two(.ifEmpty, let first, let second): return model(.ifEmpty, of: flow(first), part(second))
    case .two(let name, let first, let second): return model(name, of: flow(first), flow(second))
    case .many(.concat, let nodes): return model(.concat, of: nodes.map(part))
    case .many(let name, let nodes): return model(name, of: nodes.map(flow))
    case .further(.deferred, let nodes) where nodes[0].handsOver: return sequence(nodes[0])
    case .further(.catching(let code), let nodes) where nodes[1].handsOver:
      return model(.catching(unless: code), of: [flow(nodes[0]), sequence(nodes[1])], deed: deed)
    case .further(let name, let nodes):
      return model(name, of: nodes.map(name.startsRuns ? part : flow), deed: deed)
    case .cleaned(let cleanUp, let node): return cleaning(flow(node), cleanUp)
    case .timed(let name, let node):
      switch name {
      case .retry, .delaySubscription: return model(name, of: part(node))
      default: return model(name, of: flow(node))
      }
    case .flat(let strategy, let node, let inner):
      let inner = inner.map(flow)
      return flatten(strategy, flow(node)) { inner[remainder($0, inner.count)] }
    }
  }

  /// The flow of one part of a sequence.
  private func part(_ node: Node) -> Flow { node.handsOver ? sequence(node) : flow(node) }

  /// What goes on as a signal that goes on as another one is a sequence, in which each has a subscription of
  /// its own, and starts when its predecessor has returned.
  private func sequence(_ node: Node) -> Flow {
    switch node {
    case .two(.catchTo, let first, let second):
      return runs(of: flow(first), then: part(second), upTo: 2) { $0 != .completed }
    case .further(.deferred, let nodes) where nodes[0].handsOver: return sequence(nodes[0])
    case .further(.catching(let code), let nodes):
      return runs(of: flow(nodes[0]), then: part(nodes[1]), upTo: 2) {
        $0 != .completed && $0 != .failed(code)
      }
    case .one(.startWith(let value), let node):
      let beginning: Flow = { target in
        target(value)
        target(.completed)
      }
      return model(.concat, of: [beginning, part(node)])
    default: return model(.concat, of: [flow(node)])
    }
  }

  private func cleaning(_ flow: @escaping Flow, _ cleanUp: CleanUp) -> Flow {
    let perform = deed(cleanUp.deed)
    switch cleanUp.occasion {
    case .disposed:
      return { target in
        target.scope.addDeed(perform)
        if !target.scope.isEnded { flow(target) }
      }
    case .initially, .subscribed:
      return { target in
        perform()
        if !target.scope.isEnded { flow(target) }
      }
    case .next, .failed, .completed, .finally:
      return { target in
        flow(
          Target(target.scope) { event in
            if cleanUp.occasion.isMeant(event) {
              perform()
              // Closures behind this one still get the value, and may do something.
              if !event.isEnd, target.scope.isEnded { target.scope.means.noteDoubt() }
            }
            target(event)
          })
      }
    }
  }

  private func deed(_ deed: CleanUp.Deed) -> () -> Void {
    switch deed {
    case .send(let event, let index):
      let source = sources[index]
      return { source.take(event) }
    case .dispose(let index): return { [observers] in observers.dispose(index) }
    case .endLifetime(let index):
      let object = objects[index]
      return { object.endLifetime() }
    }
  }

  private func flow(_ cold: Cold) -> Flow {
    let events: Flow = { [gate] target in
      for value in cold.values { target(value) }
      switch cold.ending {
      case .sends(let end): target(end)
      case .staysOpen: gate.listen(target)
      case .letsGo: target.scope.endAsLetGo()
      }
    }
    return cold.isPlain ? events : watched(.cold(cold.id), events)
  }

  private func watched(_ leaf: Trace.Leaf, _ flow: @escaping Flow) -> Flow {
    { [trace] target in
      trace.note(.opened(leaf))
      target.scope.onEnd { trace.note(.closed(leaf)) }
      flow(target)
    }
  }

  private func commanded(_ plan: CommandPlan) -> ModelCommand {
    let work = plan.work.map(flow)
    let condition = plan.condition.map { flow(.one(.catchAndReturn(1), $0)) }
    return ModelCommand(plan, condition: condition, work: { work[remainder($0, work.count)] }, means: means)
  }

  private func sharing(_ shared: Shared) -> any SharedModel {
    let source = flow(shared.node)
    switch shared.form {
    case .multicast(let capacity):
      return Connection(source, to: Hub(replaying: capacity), connectsItself: false, means: means)
    case .autoconnect(let capacity):
      return Connection(source, to: Hub(replaying: capacity), connectsItself: true, means: means)
    case .share(let count):
      return Share(source, isForever: false, means: means) { Hub(replaying: count == 0 ? nil : count) }
    case .shareForever(let count):
      return Share(source, isForever: true, means: means) { Hub(replaying: count == 0 ? nil : count) }
    case .shareLonger(let count, let time, let isForever):
      return Share(source, isForever: isForever, lingering: time, means: means) {
        Hub(replaying: count == 0 ? nil : count)
      }
    case .shareAt(let subscribers, let count, let isForever, let neverEnds):
      return Share(
        source, isForever: isForever, connectingAt: subscribers, lingering: neverEnds ? .max : nil,
        means: means
      ) { Hub(replaying: count == 0 ? nil : count) }
    case .replayLazily: return LastingReplay(source, keeping: .max, means: means)
    case .replayLast(let count):
      let replay = LastingReplay(source, keeping: count, means: means)
      replay.start()
      return replay
    }
  }

  // MARK: Steps

  /// How often the end is repeated.
  static let rounds = 8

  func end() {
    for source in sources { source.take(.completed) }
    gate.take(.completed)
    for shared in shared where shared is Connection { shared.end() }
    for command in commands { command.release() }
    for object in objects { object.release() }
    for slot in lifted.indices { releaseLifted(slot) }
    properties.letGo()
    for source in sources { source.release() }
    // What waits still retains what it belongs to. A task may begin another run.
    for _ in 0..<Self.rounds {
      means.clock.advance(by: .max / 32)
      begin()
      means.clock.advance(by: .max / 32)
    }
    // Weir has no such end of the others: what goes on for ever there should have done so here, too.
    for shared in shared { shared.end() }
    for command in commands { command.letGo() }
    properties.forget()
  }

  private func begin() {
    for (shared, count) in zip(shared, missing).reversed() {
      let scopes = (0..<count).map { _ in Scope(means) }
      for scope in scopes { shared.listen(Target(scope) { _ in }) }
      for scope in scopes { scope.dispose() }
    }
  }

  func shutDown() -> Int { means.clock.shutDown() }
  func advance(by seconds: Int) { means.clock.advance(by: seconds * 1_000_000) }
  func send(_ event: Happening, to source: Int) { sources[source].take(event) }
  func connect(_ index: Int) { shared[index].connect() }
  func disconnect(_ index: Int) { shared[index].disconnect() }
  func release(_ source: Int) { sources[source].release() }
  func releaseCommand(_ index: Int) { commands[index].release() }
  func limit(_ index: Int, to limit: Int?) { commands[index].limit(to: limit) }

  func releaseObject(_ index: Int) { objects[index].release() }
  func endLifetime(_ index: Int) { objects[index].endLifetime() }
  func read(_ readable: Readable) -> Int? { properties.value(of: readable) }
  func releaseDerived(_ index: Int) { properties.derived[index].release() }
  func releaseLifted(_ slot: Int) { lifted[slot] = nil }

  func lift(_ lift: Lift) {
    let results = objects[lift.object].lift(trees[lift.tree], lift.deed)
    if let results { lifted[lift.slot] = results }
  }

  func bindTarget(_ tree: Int, to object: Int, _ form: TargetForm) -> @Sendable () -> Void {
    let run = Disposal(Scope(means))
    objects[object].bind(model(.catchAndReturn(7), of: trees[tree]), form, in: run.scope)
    return { run.scope.dispose() }
  }

  func forward(_ tree: Int, to source: Int) -> @Sendable () -> Void {
    let run = Disposal(Scope(means))
    let flow = trees[tree]
    let canFail = sources[source].place.canFail
    sources[source].feed(from: canFail ? flow : model(.catchAndReturn(7), of: flow), in: run.scope)
    return { run.scope.dispose() }
  }

  func bindBothWays(_ binding: Binding) -> @Sendable () -> Void {
    let run = Disposal(Scope(means))
    if bound.insert(binding.right).inserted {
      property(binding.left) { left in
        property(binding.right) { right in
          ModelBinding(left, right, converts: binding.converts, in: run.scope).start()
        }
      }
    }
    return { run.scope.dispose() }
  }

  private func property(_ index: Int, _ body: (ModelProperty) -> Void) {
    sources[index].using { place in
      if let property = place as? ModelProperty ?? (place as? ModelControl)?.property { body(property) }
    }
  }

  func subscribe(
    _ plan: ObserverPlan, take: @escaping @Sendable (Happening) -> Void,
    started: (@escaping @Sendable () -> Void) -> Void
  ) {
    let scope = Scope(means)
    let life = Life(in: self)
    scope.onEnd { [weak life] in life?.end() }
    let dispose = Disposal(scope)
    if plan.bringsSubscription { started { dispose.scope.dispose() } }
    trees[plan.tree](
      Target(scope) { event in
        withExtendedLifetime(life) {
          if !event.isEnd || scope.end() && !scope.isDismissed { take(event) }
        }
      })
    if !plan.bringsSubscription { started { dispose.scope.dispose() } }
  }

  /// That of an observer, which ends with its scope, or when nothing may send to it any more.
  private final class Life {
    private var world: ModelWorld?
    init(in world: ModelWorld) {
      self.world = world
      world.living += 1
    }
    deinit { end() }
    func end() { if let world = world.take() { world.living -= 1 } }
  }

  /// One thread runs the model.
  private final class Disposal: @unchecked Sendable {
    let scope: Scope
    init(_ scope: Scope) { self.scope = scope }
  }
}

extension CleanUp.Occasion {
  /// Whether something happens before this event.
  fileprivate func isMeant(_ event: Happening) -> Bool {
    switch self {
    case .next: !event.isEnd
    case .failed: event.isEnd && event != .completed
    case .completed: event == .completed
    case .finally: event.isEnd
    case .disposed, .initially, .subscribed: false
    }
  }
}
