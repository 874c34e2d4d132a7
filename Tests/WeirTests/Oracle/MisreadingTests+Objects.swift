// Part of Weir. SPDX-License-Identifier: Apache-2.0
import WeirOracle

extension Misreading {
  /// Of what only the shapes `objects` and `chain` have.
  static let objects = properties + lifetimes + laterOperators

  private static let properties = [
    Misreading(
      testDescription: "a derived property that adds one more", shape: .objects,
      derived: {
        if case .mapped(let base, let number) = $0 { .mapped(base, plus: number + 1) } else { $0 }
      }),
    Misreading(
      testDescription: "two properties combined the other way round", shape: .objects,
      derived: { if case .pair(let first, let second) = $0 { .pair(second, first) } else { $0 } }),
    Misreading(
      testDescription: "a property that always picks the same one", shape: .objects,
      derived: {
        guard case .picked(let selector, let others) = $0 else { return $0 }
        return .picked(by: selector, [others[0]])
      }),
    Misreading(
      testDescription: "a property that follows a signal from its second value on", shape: .objects,
      derived: {
        guard case .following(let initial, let node) = $0 else { return $0 }
        return .following(initial: initial, .one(.skip(1), node))
      }),
    Misreading(
      testDescription: "a property without repeats that repeats a value", shape: .objects,
      derived: { if case .distinct(let base) = $0 { .view(base) } else { $0 } }),
    Misreading(
      testDescription: "changes that include the first value", shape: .objects,
      node: {
        guard case .derived(let index, .changes(.excluded)) = $0 else { return $0 }
        return .derived(index, .changes(.included))
      }),
    Misreading(
      testDescription: "a derived property that its owner cannot release", shape: .objects,
      action: { if case .releaseDerived(let index) = $0 { .read(.derived(index)) } else { $0 } }),
  ]

  private static let lifetimes = [
    Misreading(
      testDescription: "take(during:) that goes on", shape: .objects,
      node: { if case .during(_, let node) = $0 { node } else { $0 } }),
    Misreading(
      testDescription: "lift(into:) that sends the result of the first call twice", shape: .objects,
      node: { if case .lifted(let slot) = $0 { .one(.startWith(1), .lifted(slot)) } else { $0 } }),
    Misreading(
      testDescription: "lift(into:) whose object survives its call", shape: .objects,
      action: {
        guard case .lift(var lift) = $0 else { return $0 }
        lift.deed = nil
        return .lift(lift)
      }),
    Misreading(
      testDescription: "a lifetime that lasts until its object is released", shape: .objects,
      action: { if case .endLifetime = $0 { .releaseLifted(0) } else { $0 } }),
    Misreading(
      testDescription: "an object that is not released", shape: .objects,
      action: { if case .releaseObject(let index) = $0 { .endLifetime(index) } else { $0 } }),
    Misreading(
      testDescription: "two bindings to one property of an object", shape: .objects,
      action: {
        guard case .bind(let tree, let object, .keyPath) = $0 else { return $0 }
        return .bind(tree: tree, toObject: object, .closure)
      }),
  ]

  private static let laterOperators = [
    Misreading(
      testDescription: "a share that runs its source for one subscriber", shape: .objects,
      form: {
        guard case .shareAt(_, let count, let isForever, let neverEnds) = $0 else { return $0 }
        return .shareAt(1, replay: count, isForever: isForever, neverEnds: neverEnds)
      }),
    Misreading(
      testDescription: "a share that ends when its last subscriber leaves", shape: .objects,
      form: {
        guard case .shareAt(let subscribers, let count, let isForever, _) = $0 else { return $0 }
        return .shareAt(subscribers, replay: count, isForever: isForever, neverEnds: false)
      }),
    Misreading(
      testDescription: "run() that returns all values", shape: .objects,
      node: {
        guard case .command(let index, .run(let input)) = $0 else { return $0 }
        return .timed(.values(nil), .command(index, .execute(input)))
      }),
    Misreading(
      testDescription: "chunks that wait for the end", shape: .objects,
      node: {
        if case .timed(.chunks, let node) = $0 { .timed(.awaited(.all), node) } else { $0 }
      }),
    Misreading(
      testDescription: "a retry that allows one failure in a row more", shape: .objects,
      node: {
        if case .one(.retryInRow(let count), let node) = $0 { .one(.retryInRow(count + 1), node) } else { $0 }
      }),
    Misreading(
      testDescription: "withLatest of two signals that waits for one", shape: .objects,
      node: {
        guard case .many(.withLatestPack, var nodes) = $0 else { return $0 }
        nodes[2] = .one(.startWith(0), nodes[2])
        return .many(.withLatestPack, nodes)
      }),
    Misreading(
      testDescription: "any(where:) with another limit", shape: .chain,
      node: {
        if case .one(.any(let limit), let node) = $0 { .one(.any(above: limit + 1), node) } else { $0 }
      }),
    Misreading(
      testDescription: "bind that goes on after stop", shape: .chain,
      node: { if case .one(.stopping, let node) = $0 { .one(.twice, node) } else { $0 } }),
    Misreading(
      testDescription: "something done before a value that comes after it", shape: .objects,
      node: {
        guard case .cleaned(var cleanUp, let node) = $0, cleanUp.occasion == .next else { return $0 }
        cleanUp.occasion = .initially
        return .cleaned(cleanUp, node)
      }),
  ]
}
