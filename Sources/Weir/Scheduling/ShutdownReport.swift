// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The result of shutting down a scheduler.
///
/// ReactiveObjC has nothing like it: its schedulers are never shut down.
public struct ShutdownReport: Sendable, Hashable {
  /// How many pieces of work were queued at the deadline, and were abandoned. A hop
  /// (``SignalConvertible/observe(on:_:waiting:failures:)``) is one piece of work, however many values it
  /// buffers, and so is recursive work, however many rounds it has requested. Work that is being scheduled at
  /// that moment is abandoned, but may not be counted, as later work is not.
  public let notRun: Int
  /// How many pieces of work had started and were not over at the deadline. They go on for as long as they
  /// take. A pool counts its busy threads, even one that was about to start a piece that was then abandoned.
  public let stillRunning: Int

  /// Whether all work was done. Work that waits for its time, such as values that `delay` or `debounce` hold,
  /// is not counted, and is dropped when it is due: end the sources, and wait for their end, before you shut
  /// a scheduler down.
  public var isComplete: Bool { notRun == 0 && stillRunning == 0 }

  /// Creates a report.
  public init(notRun: Int, stillRunning: Int) {
    self.notRun = notRun
    self.stillRunning = stillRunning
  }
}

/// The end of a shutdown: settled once, with the same report for all that wait for it.
final class Settlement: @unchecked Sendable {
  // Unchecked: the words of the list are atomic; the report is written before the list is disposed, and read
  // after that.
  private var head: UInt64 = 0
  private var shells: UInt64 = 0
  private var sweepAt: UInt64 = 0
  @exclusivity(unchecked) private var report = ShutdownReport(notRun: 0, stillRunning: 0)

  /// The waiting tasks, as disposables.
  private var list: DisposalList { DisposalList(firstPropertiesOf: self) }

  deinit { list.release() }

  /// Publishes the report. To be called once.
  func settle(_ report: ShutdownReport) {
    self.report = report
    list.dispose()
  }

  /// Waits for the report.
  ///
  /// - Parameters:
  ///   - limit: how long to wait at most.
  ///   - expire: called after that time if there is no report yet; has to bring it about.
  nonisolated(nonsending) func report(
    within limit: Duration, _ expire: @escaping @Sendable () -> Void
  ) async -> ShutdownReport {
    let deadline = ThreadPerWork().schedule(after: limit, expire)
    await withUnsafeContinuation { continuation in
      _ = list.add(.disposable(ActionDisposable { continuation.resume() }))
    }
    deadline.dispose()
    // Acquires the report. The runtime does so, too, but unseen by ThreadSanitizer if it was there before the
    // task had suspended.
    _ = list.isDisposed
    return report
  }
}

/// Where deadlines expire. That abandons work, which may run user code: the scheduler that ends has no thread
/// to spare for it, and those of tasks may all be blocked.
private final class ThreadPerWork: TimedScheduler {
  func enqueue(_ work: any ScheduledWork) {
    SystemThread.start(named: "weir-deadline") { self.performAsCurrent { work.run() } }
  }
}
