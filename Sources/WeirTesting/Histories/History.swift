// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Calls that several threads have made, with the time that each took, and the question whether they are
/// *linearizable*: whether each can have happened at one instant between its beginning and its end.
///
/// ```swift
/// let recorder = HistoryRecorder<Register.Step>(threads: 2)
/// withThreads(2) { thread in
///   recorder.record(on: thread) { cell.write(thread); return .wrote(thread) }
///   recorder.record(on: thread) { .read(cell.value) }
/// }
/// #expect(recorder.history.problem(with: Register()) == nil)
/// ```
///
/// The search is that of Wing and Gong: it tries as the next call each that had begun before any other one
/// ended, and remembers, as Lowe does, where it has been. It is exponential at worst: keep histories short,
/// and try many.
///
/// ReactiveObjC has none.
public struct History<Step: Sendable>: Sendable {
  /// A call.
  public struct Call: Sendable {
    /// Which thread has made it.
    public let thread: Int
    /// What it was, and answered.
    public let step: Step
    /// The times between which it happened. No two calls begin or end at the same time.
    public let time: ClosedRange<Int>

    /// A call, for histories that were not recorded.
    public init(thread: Int, step: Step, time: ClosedRange<Int>) {
      self.thread = thread
      self.step = step
      self.time = time
    }
  }

  /// The calls, in the order in which they began.
  public let calls: [Call]

  /// A history of `calls`.
  public init(_ calls: [Call]) { self.calls = calls.sorted { $0.time.lowerBound < $1.time.lowerBound } }

  /// The history, and how far a search got, if no order of the calls is one that the model allows; nil
  /// otherwise.
  ///
  /// - Parameter first: the state in which the object was at first.
  /// - Precondition: there are 64 calls at most.
  public func problem<Model: SequentialModel>(with first: Model) -> Problem? where Model.Step == Step {
    precondition(calls.count <= 64, "weir: a history has 64 calls at most; this one has \(calls.count)")
    let all: UInt64 = calls.isEmpty ? 0 : .max >> (64 - calls.count)
    var places = [Place(done: 0, state: first)]
    var seen = Set(places)
    var furthest = places[0]
    while let place = places.popLast() {
      if place.done == all { return nil }
      if place.done.nonzeroBitCount > furthest.done.nonzeroBitCount { furthest = place }
      // What began first is tried first: mostly that is the order in which calls happened.
      for next in candidates(after: place.done).reversed() {
        for state in place.state.states(after: calls[next].step) {
          let following = Place(done: place.done | 1 << next, state: state)
          if seen.insert(following).inserted { places.append(following) }
        }
      }
    }
    let left = calls.indices.filter { furthest.done & 1 << $0 == 0 }
    return Problem(
      """
      no order of these calls is allowed
      \(self)
      with \(calls.count - left.count) of them done, the state can be \(furthest.state); left are
      \(History(left.map { calls[$0] }))
      """)
  }

  /// The calls that may happen next: those that began before any other one that is left ended.
  private func candidates(after done: UInt64) -> [Int] {
    var end = Int.max
    var result: [Int] = []
    for (index, call) in calls.enumerated() where done & 1 << index == 0 {
      if call.time.lowerBound > end { break }
      result.append(index)
      end = min(end, call.time.upperBound)
    }
    return result
  }
}

/// Where a search has been: which calls it has put in order, and the state after them.
private struct Place<Model: SequentialModel>: Hashable {
  let done: UInt64
  let state: Model
}

extension History: CustomStringConvertible {
  /// The calls below each other: the time of each, its thread, and what it was.
  public var description: String {
    calls.map { "  \($0.time.lowerBound) to \($0.time.upperBound), thread \($0.thread): \($0.step)" }
      .joined(separator: "\n")
  }
}
