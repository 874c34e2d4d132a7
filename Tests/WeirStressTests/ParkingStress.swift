// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

/// Stops a thread as it is about to park, when it has looked for the last time.
private final class Threshold: @unchecked Sendable {  // accessed atomically
  private let words: UnsafeMutablePointer<UInt64> = .allocate(capacity: 2)
  init() { words.initialize(repeating: 0, count: 2) }
  deinit { words.deallocate() }

  /// To be called on the thread that is to be stopped.
  func watch() {
    weir_observe_thread(
      { context, operation, _, _ in
        if String(cString: operation) == "wait" {
          Unmanaged<Threshold>.fromOpaque(context).takeUnretainedValue().stop()
        }
        return false
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func stop() {
    weir_store_release_u64(words, 1)
    while weir_load_acquire_u64(words + 1) == 0 { weir_yield() }
  }

  func awaitStop() { while weir_load_acquire_u64(words) == 0 { weir_yield() } }
  func goOn() { weir_store_release_u64(words + 1, 1) }
}

/// Runs work where it is handed over, which the thread of the timers does.
private final class Handing: TimedScheduler {
  private let watch: @Sendable () -> Void
  init(_ watch: @escaping @Sendable () -> Void) { self.watch = watch }

  func enqueue(_ work: any ScheduledWork) {
    watch()
    work.run()
  }
}

extension Stress {
  /// A call that comes when a thread has looked whether there is something to do, and before it parks.
  @Suite(
    .enabled(if: weir_atomics_are_hooked(), "needs hooked atomics: see .ci/run thread"),
    .timeLimit(.minutes(1)))
  struct ParkingStress {
    /// They stay for ever, as the threads that look at them do.
    private static let (ofWorker, ofTimers) = (Threshold(), Threshold())

    @Test("a worker that is called as it parks does not sleep")
    func worker() {
      let pool = WorkerPool(threads: 1)
      let isRun = Counter()
      pool.schedule { Self.ofWorker.watch() }
      Self.ofWorker.awaitStop()
      pool.schedule {
        weir_observe_thread(nil, nil)
        isRun.add()
      }
      Self.ofWorker.goOn()
      while isRun.value == 0 { weir_yield() }
    }

    @Test("I7: nor does the thread of the timers, if one is armed then")
    func timers() {
      let isRun = Counter()
      Handing { Self.ofTimers.watch() }.schedule(after: .milliseconds(1)) {}
      Self.ofTimers.awaitStop()
      Handing { weir_observe_thread(nil, nil) }.schedule(after: .milliseconds(50)) { isRun.add() }
      Self.ofTimers.goOn()
      while isRun.value == 0 { weir_yield() }
    }
  }
}
