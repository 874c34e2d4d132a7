// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Synchronization
import Weir

/// `timer-arm/100000`: an operation cancels the oldest of a hundred thousand armed timers and arms another
/// one, as a server does with the time-outs of its connections. The time ends when the timer thread has taken
/// in all armed timers and has dropped the cancelled ones: otherwise it would do that between repetitions,
/// where it is not measured.
enum TimerArm {
  static let scenario = "timer-arm/\(armed)"
  private static let armed = 100_000

  static var benchmarks: [Benchmark] { [benchmark(WeirTimers.self), benchmark(MutexTimers.self)] }

  /// A repetition replaces at least all timers: fewer would fit into the work that the timer thread
  /// postpones.
  private static func benchmark<T: MeasuredTimers>(_: T.Type) -> Benchmark {
    Benchmark(scenario: scenario, implementation: T.implementation, fewest: armed) {
      let timers = T()
      var handles = (0..<armed).map { _ in timers.armFarAhead() }
      waitUntilTakenIn(timers)
      return { operations in
        var sample = measure(operations) {
          replaceLoop(timers, &handles, operations)
          waitUntilTakenIn(timers)
        }
        // The allocations of the timer thread are not counted.
        sample.heap = nil
        let name = "\(scenario) \(T.implementation.name)"
        verify("\(name), timers that fired an hour early", firedEarly.load(ordering: .relaxed), equals: 0)
        verify("\(name), armed timers", handles.count { T.isArmed($0) }, equals: armed)
        return sample
      }
    }
  }

  @inline(never)
  private static func replaceLoop<T: MeasuredTimers>(_ timers: T, _ handles: inout [T.Armed], _ count: Int) {
    for index in 0..<count {
      T.cancel(handles[index % armed])
      handles[index % armed] = timers.armFarAhead()
    }
  }

  /// Arms a timer that fires soon, twice. The first one fires after the timer thread has taken in all that
  /// were armed before it; the second one after the round in which the first one was seen, at the end of
  /// which cancelled timers are dropped. Spins, since a thread that sleeps is woken late; both waits take a
  /// hundredth of a repetition.
  private static func waitUntilTakenIn<T: MeasuredTimers>(_ timers: T) {
    for _ in 0..<2 {
      let before = firedSoon.load(ordering: .relaxed)
      _ = timers.arm(after: .microseconds(100)) { firedSoon.add(1, ordering: .releasing) }
      while firedSoon.load(ordering: .acquiring) == before {}
    }
  }

  private static let firedSoon = Atomic<Int>(0)
  fileprivate static let firedEarly = Atomic<Int>(0)
}

private protocol MeasuredTimers {
  associatedtype Armed
  static var implementation: Implementation { get }
  init()
  func arm(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> Armed
  static func cancel(_ timer: Armed)
  static func isArmed(_ timer: Armed) -> Bool
}

extension MeasuredTimers {
  /// Captures nothing, so that closures are not what is measured.
  @inline(__always)
  fileprivate func armFarAhead() -> Armed {
    arm(after: .seconds(3_600)) { TimerArm.firedEarly.add(1, ordering: .relaxed) }
  }
}

/// Work that is due runs on the thread that finds it.
private final class WeirTimers: TimedScheduler, MeasuredTimers {
  static var implementation: Implementation { .weir }
  func enqueue(_ work: any ScheduledWork) { work.run() }
  func arm(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
    schedule(after: delay, action)
  }
  static func cancel(_ timer: any Disposable) { timer.dispose() }
  static func isArmed(_ timer: any Disposable) -> Bool { !timer.isDisposed }
}

extension MutexTimers: MeasuredTimers {
  static var implementation: Implementation { .mutexCopy }
  static func cancel(_ timer: Armed) { timer.cancel() }
  static func isArmed(_ timer: Armed) -> Bool { timer.isArmed }
}
