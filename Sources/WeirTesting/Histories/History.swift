// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Calls made by several threads, with the start and end of each, to be checked for *linearizability*:
/// whether each call can have taken effect at one instant between its start and its end.
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
/// The search is that of Wing and Gong: as the next call it tries each remaining one that started before any
/// other remaining one ended. Like Lowe's, it remembers the states that it has visited. It is exponential in
/// the worst case: keep histories short, and try many.
///
/// ReactiveObjC has none.
public struct History<Step: Sendable>: Sendable {
  /// A call.
  public struct Call: Sendable {
    /// The thread that made it.
    public let thread: Int
    /// What was called, and what it returned.
    public let step: Step
    /// When it started and ended. No two calls start or end at the same time.
    public let time: ClosedRange<Int>

    /// A call of a history that was not recorded.
    public init(thread: Int, step: Step, time: ClosedRange<Int>) {
      self.thread = thread
      self.step = step
      self.time = time
    }
  }

  /// The calls, in the order in which they started.
  public let calls: [Call]

  /// A history of `calls`.
  public init(_ calls: [Call]) { self.calls = calls.sorted { $0.time.lowerBound < $1.time.lowerBound } }

  /// The history, and how far the search got, if the model allows no order of the calls; nil otherwise.
  ///
  /// - Parameter first: the initial state of the object.
  /// - Precondition: there are 64 calls at most.
  public func problem<Model: SequentialModel>(with first: Model) -> Problem? where Model.Step == Step {
    require(calls.count <= 64, "weir: a history has 64 calls at most; this one has \(calls.count)")
    let all: UInt64 = calls.isEmpty ? 0 : .max >> (64 - calls.count)
    var places = [Place(done: 0, state: first)]
    var seen = Set(places)
    var furthest = places[0]
    while let place = places.popLast() {
      if place.done == all { return nil }
      if place.done.nonzeroBitCount > furthest.done.nonzeroBitCount { furthest = place }
      // The call that started first is tried first: calls mostly took effect in that order.
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

  /// The calls that may come next: those that started before any other remaining call ended.
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

/// A place that the search has visited: the calls that are in order so far, and the state after them.
private struct Place<Model: SequentialModel>: Hashable {
  let done: UInt64
  let state: Model
}

extension History: CustomStringConvertible {
  /// The calls, one a line: the time of each, its thread, and its step.
  public var description: String {
    calls.map { "  \($0.time.lowerBound) to \($0.time.upperBound), thread \($0.thread): \($0.step)" }
      .joined(separator: "\n")
  }
}
