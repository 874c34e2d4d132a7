// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Records calls that several threads make, and when each started and ended, on one clock for all of them.
///
/// Reading the clock orders what a thread does before and after it. Nothing is added inside a call, but bugs
/// that need the processor to reorder two calls of one thread do not show.
///
/// ReactiveObjC has none.
public final class HistoryRecorder<Step: Sendable>: Sendable {
  /// What one thread has recorded.
  private final class Lane: @unchecked Sendable {  // used by one thread, and read after it has ended
    var calls: [History<Step>.Call] = []
  }

  private let clock = Counter()
  private let lanes: [Lane]

  /// A recorder for several threads.
  ///
  /// - Parameter threads: how many threads record.
  /// - Precondition: `threads` is not negative.
  public init(threads: Int) {
    require(
      threads >= 0, "weir: HistoryRecorder(threads: \(threads)): pass how many threads record, 0 or more")
    lanes = (0..<threads).map { _ in Lane() }
  }

  /// Makes a call, and records it.
  ///
  /// - Parameters:
  ///   - thread: the number of the calling thread. Calls that are made serially, on whatever threads, may
  ///     share one number.
  ///   - call: makes the call, and returns it as a step, with its result.
  /// - Precondition: `thread` is one of the announced threads, counted from 0.
  public func record(on thread: Int, _ call: () -> Step) {
    require(
      lanes.indices.contains(thread),
      "weir: record(on: \(thread)): the recorder was made for \(lanes.count) threads, numbered from 0; HistoryRecorder(threads:) takes their number"
    )
    let begin = clock.add()
    let step = call()
    lanes[thread].calls.append(.init(thread: thread, step: step, time: begin...clock.add()))
  }

  /// All recorded calls. Read it after the threads have ended.
  public var history: History<Step> { History(lanes.flatMap(\.calls)) }
}
