// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # What threads may do to a program
//
// Each hot source puts the events that threads send to it into one order, which its first subscriber, the
// witness, sees. Between the sources there is no order. So the events of an observer must be those that the
// model delivers for one of the orders that are consistent with all witnesses. That holds for trees in which
//
// - all subscribers of a hot source were subscribed before the threads started, since a new one may receive
//   any part of what is just being sent; so hot sources occur neither where a signal is run later, nor
//   upstream of a shared signal;
// - there is one hot source, or each occurs in one place: an event that takes two paths may meet an event of
//   another source between them;
// - where several hot sources are combined, an event of each arrives as one event at most: between two that
//   are made of it, such as a value and the completion after it, an event of another source may come.

extension Node {
  /// The hot sources in it, one for each place; nil if threads may affect more than the order of events.
  fileprivate var hotPlaces: [Int]? {
    switch self {
    case .source(let index): return [index]
    case .cold: return []
    case .shared, .timed, .cleaned, .command, .derived, .lifted, .life, .during, .further: return nil
    case .never: return []
    case .one(let name, let node) where name.repeats: return node.isCold ? [] : nil
    case .one(_, let node): return node.hotPlaces
    case .two(.catchTo, let first, let later), .two(.ifEmpty, let first, let later),
      .two(.then, let first, let later):
      return later.isCold ? first.hotPlaces : nil
    case .two(_, let first, let second): return Self.hotPlaces(of: [first, second])
    case .many(.concat, let nodes): return nodes.dropFirst().allSatisfy(\.isCold) ? nodes[0].hotPlaces : nil
    case .many(_, let nodes): return Self.hotPlaces(of: nodes)
    case .flat(_, let node, let inner): return inner.allSatisfy(\.isCold) ? node.hotPlaces : nil
    }
  }

  private static func hotPlaces(of nodes: [Node]) -> [Int]? {
    let isMeeting = nodes.count { !$0.isCold } > 1
    return nodes.reduce([]) { places, node in
      guard let places, let more = node.hotPlaces, !isMeeting || !node.comesInPieces else { return nil }
      return places + more
    }
  }

  /// Whether one event of a hot source in it can cause several events.
  private var comesInPieces: Bool {
    switch self {
    case .source, .cold, .shared, .never, .timed, .cleaned, .command, .derived, .lifted, .life, .during,
      .further:
      false
    case .one(.take, let node), .one(.element, let node), .one(.takeLast, let node), .one(.append, let node),
      .one(.sum, let node), .one(.collect, let node), .one(.window, let node), .one(.materialized, let node),
      .one(.catchAndReturn, let node):
      !node.isCold
    case .one(_, let node): node.comesInPieces
    case .two(.zip, let first, let second): !first.isCold || !second.isCold
    case .two(.catchTo, let first, _), .two(.ifEmpty, let first, _), .two(.then, let first, _): !first.isCold
    case .two(_, let first, let second): first.comesInPieces || second.comesInPieces
    case .many(.concat, let nodes): !nodes[0].isCold
    case .many(.zip, let nodes): !nodes.allSatisfy(\.isCold)
    case .many(_, let nodes): nodes.contains { $0.comesInPieces }
    case .flat(_, let node, _): !node.isCold
    }
  }

  private var isCold: Bool { hotPlaces == [] }

  /// The hot sources whose orders explain the events of this node; nil if they do not.
  var explainingSources: [Int]? {
    guard let places = hotPlaces else { return nil }
    let sources = Set(places)
    return sources.count <= 1 || sources.count == places.count ? sources.sorted() : nil
  }
}

/// The events that observers of one tree may receive.
struct Explanation {
  let program: Program
  let tree: Int
  /// The sources and what their witnesses saw.
  let witnessed: [(source: Int, events: [Happening])]

  /// If there are more orders than this, they are not tried.
  static let mostOrders = 1_000

  /// The number of orders; any number above the limit means too many.
  var orderCount: Int {
    var (count, length) = (1, 0)
    for (_, events) in witnessed {
      for taken in 1..<(events.count + 1) where count <= Self.mostOrders {
        // Exact in this order: each step is a binomial coefficient.
        count = count * (length + taken) / taken
      }
      length += events.count
    }
    return count
  }

  /// Whether one of the orders leads to these events or, for an observer that was disposed, to events that
  /// start with these.
  func explains(_ events: [Happening], isWhole: Bool) -> Bool {
    var left = witnessed.map { $0.events[...] }
    var order: [Action] = []
    func search() -> Bool {
      if left.allSatisfy(\.isEmpty) {
        guard let expected = outcome(of: order) else { return true }
        return isWhole ? expected == events : expected.starts(with: events)
      }
      for index in left.indices {
        guard let next = left[index].popFirst() else { continue }
        order.append(.send(next, to: witnessed[index].source))
        if search() { return true }
        order.removeLast()
        left[index] = witnessed[index].events[(left[index].startIndex - 1)...]
      }
      return false
    }
    return search()
  }

  /// The events that the observer receives in the model; nil if that is too much for the model.
  private func outcome(of order: [Action]) -> [Happening]? {
    let trace = Trace()
    let world = ModelWorld(program, trace)
    let plan = ObserverPlan(tree: tree, bringsSubscription: false)
    Script(world, trace).run([.subscribe(plan)] + order)
    defer { world.end() }
    if world.precision.isNothing { return nil }
    return trace.notes.compactMap { if case .event(_, let event, _) = $0 { event } else { nil } }
  }
}
