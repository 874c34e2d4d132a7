// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What came of shutting a scheduler down.
///
/// ReactiveObjC has nothing like it: its schedulers are never shut down.
public struct ShutdownReport: Sendable, Equatable {
  /// How many pieces of work were waiting at the deadline, and were abandoned. A hop is one piece of work,
  /// whatever waits in it, and so is recursive work, whatever rounds it has asked for. One that is being
  /// scheduled at that moment may be abandoned without being counted, as those are that come later, and so
  /// may others that wait at that moment: who finds the end as he schedules abandons all that he finds.
  public let notRun: Int
  /// How many pieces of work had begun and were not over at the deadline. They go on, for as long as they
  /// take. A pool counts its threads that were busy: also one that was about to begin a piece that was
  /// abandoned then.
  public let stillRunning: Int

  /// Whether all work was done. Work that waits for its time, such as what `delay` or `debounce` keep, is not
  /// counted, and is dropped when that comes: end the sources, and wait for their end, before a scheduler is
  /// shut down.
  public var isComplete: Bool { notRun == 0 && stillRunning == 0 }

  /// A report.
  public init(notRun: Int, stillRunning: Int) {
    self.notRun = notRun
    self.stillRunning = stillRunning
  }
}

/// The end of a shutdown: settled once, and everybody who asks is told the same.
final class Settlement: @unchecked Sendable {
  // Unchecked: the words of the list are atomic; so is the report, which is written before the list is
  // disposed and read after that.
  private var head: UInt64 = 0
  private var shells: UInt64 = 0
  private var sweepAt: UInt64 = 0
  private var notRunWord: UInt64 = 0
  private var stillRunningWord: UInt64 = 0

  /// Those who wait, as things to dispose.
  private var list: DisposalList { DisposalList(firstPropertiesOf: self) }
  private var notRun: AtomicWord { AtomicWord(property: 3, of: self) }
  private var stillRunning: AtomicWord { AtomicWord(property: 4, of: self) }

  deinit { list.release() }

  /// Call it once.
  func settle(_ report: ShutdownReport) {
    notRun.storeRelaxed(UInt64(report.notRun))
    stillRunning.storeRelaxed(UInt64(report.stillRunning))
    list.dispose()
  }

  /// Waits for the report.
  ///
  /// - Parameters:
  ///   - limit: how long at most.
  ///   - expire: called then, if there is no report yet; sees to it that there is one.
  func report(within limit: Duration, _ expire: @escaping @Sendable () -> Void) async -> ShutdownReport {
    // In a task: what expires is told so, which is user code, and the scheduler that ends has no thread
    // to spare for it.
    let deadline = ExecutorScheduler().schedule(after: limit, expire)
    await withUnsafeContinuation { continuation in
      _ = list.add(.disposable(ActionDisposable { continuation.resume() }))
    }
    deadline.dispose()
    return ShutdownReport(notRun: Int(notRun.loadRelaxed()), stillRunning: Int(stillRunning.loadRelaxed()))
  }
}
