// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// `timer-arm/100000`: an operation cancels the oldest of a hundred thousand armed timers and arms another
/// one, as a server does with the time-outs of its connections. None of them fires. What the thread of the
/// timers does on the other core is not in the figure, but takes turns with it where the work comes together.
enum TimerArm {
  static let scenario = "timer-arm/\(armed)"
  private static let armed = 100_000

  static var benchmarks: [Benchmark] {
    [
      Benchmark(scenario: scenario, implementation: .weir) {
        let scheduler = Unhurried()
        var timers = (0..<armed).map { _ in scheduler.schedule(after: .seconds(3_600)) {} }
        return { operations in
          measure(operations) {
            for index in 0..<operations {
              timers[index % armed].dispose()
              timers[index % armed] = scheduler.schedule(after: .seconds(3_600)) {}
            }
          }
        }
      },
      Benchmark(scenario: scenario, implementation: .mutexCopy) {
        let heap = MutexTimers()
        var timers = (0..<armed).map { _ in heap.arm(after: .seconds(3_600)) {} }
        return { operations in
          measure(operations) {
            for index in 0..<operations {
              timers[index % armed].cancel()
              timers[index % armed] = heap.arm(after: .seconds(3_600)) {}
            }
          }
        }
      },
    ]
  }

  /// What is due within the hour is run by whoever comes first.
  private final class Unhurried: TimedScheduler {
    func enqueue(_ work: any ScheduledWork) { work.run() }
  }
}
