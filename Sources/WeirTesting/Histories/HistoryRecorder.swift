// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Writes down calls that several threads make, and when each began and ended, on one clock for all of them.
///
/// Reading the clock orders what a thread did before and after: nothing is added inside of a call, but
/// mistakes that need two calls of one thread to be reordered by the processor do not show.
///
/// ReactiveObjC has none.
public final class HistoryRecorder<Step: Sendable>: Sendable {
  /// What one thread has recorded.
  private final class Lane: @unchecked Sendable {  // used by one thread, and read when that has ended
    var calls: [History<Step>.Call] = []
  }

  private let clock = Counter()
  private let lanes: [Lane]

  /// - Parameter threads: how many threads record.
  /// - Precondition: `threads` is not negative.
  public init(threads: Int) {
    precondition(
      threads >= 0, "weir: HistoryRecorder(threads: \(threads)): pass how many threads record, 0 or more")
    lanes = (0..<threads).map { _ in Lane() }
  }

  /// Makes a call, and writes it down.
  ///
  /// - Parameters:
  ///   - thread: which thread this is. What is delivered serially, on whatever thread, may count as one.
  ///   - call: makes the call, and returns what it was, with its answer.
  /// - Precondition: `thread` is one of those that were announced, counted from 0.
  public func record(on thread: Int, _ call: () -> Step) {
    precondition(
      lanes.indices.contains(thread),
      "weir: record(on: \(thread)): no such thread was announced; HistoryRecorder(threads:) has \(lanes.count)"
    )
    let begin = clock.add()
    let step = call()
    lanes[thread].calls.append(.init(thread: thread, step: step, time: begin...clock.add()))
  }

  /// All calls. To be asked when the threads have ended.
  public var history: History<Step> { History(lanes.flatMap(\.calls)) }
}
