// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  /// Timers in real time under many threads.
  struct TimerStress {
    /// Runs what is due on the thread of the timers.
    private final class Inline: TimedScheduler {
      func enqueue(_ work: any ScheduledWork) { performAsCurrent { work.run() } }
    }

    @Test(
      "timers that four threads arm and cancel each fire, never early, or are cancelled, and all are released"
    )
    func armAndCancel() {
      let scheduler = Inline()
      let (resources, fired, cancelled, late) = (Resources(), Counter(), Counter(), Counter())
      let count = 2_000 * scale
      perturb()
      withThreads(4) { thread in
        for round in 0..<count {
          let due = scheduler.clock.now.advanced(by: .microseconds(round % 50 * (thread + 1)))
          let timer = scheduler.schedule(at: due, tolerance: .microseconds(round % 3 * 10)) {
            [token = resources.make()] in
            _ = token
            if scheduler.clock.now < due { late.add() }
            fired.add()
          }
          if round % 4 == 0 { continue }
          let before = fired.value
          if round % 4 == 1 { while fired.value == before, !timer.isDisposed { weir_yield() } }
          if !timer.isDisposed { cancelled.add() }
          timer.dispose()
        }
      }
      // The last timers are due now; one behind them tells when they have fired.
      let done = Counter()
      scheduler.schedule(after: .milliseconds(1)) { done.add() }
      while done.value == 0 { weir_yield() }
      #expect(late.value == 0)
      #expect(resources.alive == 0)
      // A timer that fires while it is being cancelled may be counted twice; none is lost.
      #expect(fired.value <= 4 * count && fired.value + cancelled.value >= 4 * count)
    }
  }
}
