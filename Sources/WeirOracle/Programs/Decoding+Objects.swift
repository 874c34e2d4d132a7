// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The parts of programs that only the shape `objects` has.

extension ProgramDecoder {
  mutating func addObjects() {
    program.objectCount = 1 + number(below: 2)
    for _ in 0..<number(below: 5) { program.derived.append(derived()) }
  }

  mutating func object() -> Int { number(below: program.objectCount) }

  /// Most have no state of their own. Without any property, there is only one that follows a signal.
  private mutating func derived() -> DerivedPlan {
    let kind = number(below: 10)
    if kind > 7 { return .following(initial: number(below: 4), tree()) }
    guard let first = readable() else { return .constant(kind) }
    switch kind {
    case 0: return .view(first)
    case 2: return .distinct(first)
    case 3, 4: return .pair(first, readable() ?? first)
    case 5: return .triple(first, readable() ?? first, readable() ?? first)
    case 6, 7: return .picked(by: first, (0...number(below: 2)).compactMap { _ in readable() })
    default: return .mapped(first, plus: number(below: 4))
    }
  }

  /// One that there is already.
  private mutating func readable() -> Readable? {
    let all = properties.map { Readable.source($0) } + program.derived.indices.map { .derived($0) }
    return all.isEmpty ? nil : all[number(below: all.count)]
  }

  /// A signal of an object, or of a derived property, or nil.
  mutating func objectLeaf() -> Node? {
    let kind = number(below: 10)
    switch kind {
    case 0: return .life(object())
    case 1, 2: return .lifted(number(below: Lift.slotCount))
    case 3, 4, 5:
      if !program.derived.isEmpty { return .derived(number(below: program.derived.count), .values) }
    case 6:
      if !program.derived.isEmpty {
        let index = number(below: program.derived.count)
        return .derived(index, .changes(number(below: 2) == 0 ? .included : .excluded))
      }
    case 7:
      if !program.commands.isEmpty {
        return .command(number(below: program.commands.count), .run(number(below: 4)))
      }
    default: break
    }
    return nil
  }

  mutating func objectAction(depth: Int) -> Action {
    switch number(below: 10) {
    case 0, 1: if let readable = readable() { return .read(readable) }
    case 2 where !program.derived.isEmpty: return .releaseDerived(number(below: program.derived.count))
    case 3: return .releaseObject(object())
    case 4: return .endLifetime(object())
    case 5: return .releaseLifted(number(below: Lift.slotCount))
    case 6: return .bind(tree: treeNumber(), toObject: object(), number(below: 2) == 0 ? .closure : .keyPath)
    default: break
    }
    let deed: [Lift.Deed?] = [nil, nil, nil, .release, .endLifetime]
    return .lift(
      Lift(
        tree: treeNumber(), object: object(), slot: number(below: Lift.slotCount),
        deed: deed[number(below: deed.count)]))
  }

  private mutating func treeNumber() -> Int { number(below: program.trees.count) }

  /// The places whose values change what is read there.
  func places(of readable: Readable) -> Set<Int> {
    func all(_ readables: [Readable]) -> Set<Int> {
      readables.reduce(into: []) { $0.formUnion(places(of: $1)) }
    }
    let plan: DerivedPlan
    switch readable {
    case .source(let index): return [index]
    case .derived(let index): plan = program.derived[index]
    }
    return switch plan {
    case .constant: []
    case .view(let base), .mapped(let base, _), .distinct(let base): places(of: base)
    case .pair(let first, let second): all([first, second])
    case .triple(let first, let second, let third): all([first, second, third])
    case .picked(let base, let others): all([base] + others)
    case .following(_, let node): places(in: node)
    }
  }

  /// Operators that came when the bytes of other shapes had their meaning.
  mutating func laterUnary() -> Unary {
    let kind = number(below: 27)
    let count = number(below: 4)
    let all: [Unary] = [
      .halves, .enumerated, .previous(count), .scanIndexed, .scanInto, .reduceIndexed, .reduceInto, .minimum,
      .maximum, .count, .contains(count), .any(above: count), .all(below: count + 1), .ignoring(count),
      .distinctKeys(count + 1), .takeUntilValue(count, isIncluded: false),
      .takeUntilValue(count, isIncluded: true), .skipUntil(count), .replaced(count), .twice, .stopping(count),
      .ifEmptyValue(count), .retryUnless(count), .retryInRow(count), .attempt(count),
      forever(count), .groupUntilValue(count, divisor: 1 + count % 2),
    ]
    return all[kind]
  }

  /// Not in what nobody disposes, which would then never end.
  private func forever(_ count: Int) -> Unary {
    if shape == .objects, program.trees.isEmpty { return .repeated(count) }
    return count == 0 ? .retryForever : .repeatForever
  }

  mutating func pack() -> Many {
    [.zipPack, .combineLatestPack, .withLatestPack][number(below: 3)]
  }

  mutating func occasion() -> CleanUp.Occasion {
    let all: [CleanUp.Occasion] = [
      .disposed, .disposed, .finally, .initially, .subscribed, .next, .next, .failed, .completed,
    ]
    return all[number(below: all.count)]
  }

  mutating func shareAt() -> Shared.Form {
    .shareAt(
      1 + number(below: 3), replay: number(below: 3), isForever: number(below: 2) == 1,
      neverEnds: number(below: 2) == 1)
  }
}

extension Many {
  var isPack: Bool { [.zipPack, .combineLatestPack, .withLatestPack].contains(self) }
}
