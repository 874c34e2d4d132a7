// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

/// Stops a thread that is about to park, after it has looked for work for the last time.
private final class Threshold: Sendable {
  private let words = Words(2)
  private var hasStopped: AtomicWord { AtomicWord(words.words) }
  private var mayGoOn: AtomicWord { AtomicWord(words.words + 1) }

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
    hasStopped.storeRelease(1)
    while mayGoOn.loadAcquire() == 0 { weir_yield() }
  }

  func awaitStop() { while hasStopped.loadAcquire() == 0 { weir_yield() } }
  func goOn() { mayGoOn.storeRelease(1) }
}

/// Runs work where it is enqueued: on the timer thread. A thread that arms a timer so late that it would have
/// to run the work itself arms another timer instead.
private final class Handing: TimedScheduler {
  private let armer = weir_thread()

  func enqueue(_ work: any ScheduledWork) {
    if weir_thread() != armer { return work.run() }
    enqueue(work, at: .now + .milliseconds(20), tolerance: .zero)
  }
}

extension Stress {
  /// A wake-up that comes after a thread has looked for work and before it parks.
  @Suite(
    .enabled(if: weir_atomics_are_hooked(), "needs hooked atomics: see .ci/run thread"))
  struct ParkingStress {
    /// They live for ever, as the threads that use them do.
    private static let (ofWorker, ofTimers) = (Threshold(), Threshold())

    @Test("a pool's worker runs work that is scheduled just before it parks")
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

    @Test("I7: the timer thread fires a timer that is armed just before it parks")
    func timers() {
      let isRun = Counter()
      let scheduler = Handing()
      scheduler.schedule(after: .milliseconds(1)) { Self.ofTimers.watch() }
      Self.ofTimers.awaitStop()
      scheduler.schedule(after: .milliseconds(20)) {
        weir_observe_thread(nil, nil)
        isRun.add()
      }
      Self.ofTimers.goOn()
      while isRun.value == 0 { weir_yield() }
    }
  }
}
