// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Time operators while their timer is pending: the cost of each value, without that of the clock.
enum TimeProbe: String, CaseIterable, Probe {
  case debounce
  case rateLimit = "rate-limit"
  case delaySend = "delay-send"
  case delayDeliver = "delay-deliver"
  case timeout
  case scheduleAfter = "schedule-after"
  case scheduledRun = "scheduled-run"
  case timer

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    let (scheduler, source) = (SteppedScheduler(), Source())
    subscribe(source, scheduler, cell)
    // The queue of delayed values grows now, not while instructions are counted.
    for _ in 0..<count { source.send(0) }
    scheduler.step()
    cell.pointee = 0
    switch self {
    case .scheduledRun:
      probeScheduleAfter(scheduler, cell, count)
      return CountedHeap.watch { probeStep(scheduler) }
    case .scheduleAfter, .timer:
      CountedHeap.watch {
        if self == .timer {
          probeTimer(scheduler, cell, count)
        } else {
          probeScheduleAfter(scheduler, cell, count)
        }
      }
      return scheduler.step()
    default: break
    }
    if self == .delayDeliver {
      probeEmit(source, count)
      CountedHeap.watch { probeStep(scheduler) }
    } else {
      CountedHeap.watch { probeEmit(source, count) }
      scheduler.step()
    }
  }

  @inline(never)
  private func subscribe(_ source: Source, _ scheduler: SteppedScheduler, _ cell: Cell) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    switch self {
    case .debounce:
      source.debounce(.seconds(1), on: scheduler).subscribe { cell.pointee &+= $0 &+ 26 }
    case .rateLimit:
      source.rateLimit(to: .seconds(1), on: scheduler, edge: .trailing).subscribe {
        cell.pointee &+= $0 &+ 27
      }
    case .delaySend, .delayDeliver:
      source.delay(.seconds(1), on: scheduler, waiting: .unbounded).subscribe { cell.pointee &+= $0 &+ 28 }
    case .timeout:
      let failure = TimeoutError(policy: .idle(.seconds(2)))
      source.setFailureType(to: TimeoutError.self).timeout(failure.policy, on: scheduler, failing: failure)
        .subscribe(next: { cell.pointee &+= $0 &+ 29 }, failed: { _ in })
    case .scheduleAfter, .scheduledRun, .timer: break
    }
  }

  /// After `count` values from 0 upwards were sent and then a second passed.
  func expected(_ count: Int) -> Int {
    switch self {
    case .debounce: count - 1 + 26
    case .rateLimit: count - 1 + 27
    case .delaySend, .delayDeliver: sum(count) + 28 * count
    case .timeout: sum(count) + 29 * count
    case .scheduleAfter, .scheduledRun: sum(count) + 30 * count
    case .timer: 31 * count
    }
  }
}

@inline(never)
func probeScheduleAfter(_ scheduler: SteppedScheduler, _ cell: Cell, _ count: Int) {
  nonisolated(unsafe) let cell = cell  // the probes run on one thread
  for value in 0..<count { scheduler.schedule(after: .seconds(1)) { cell.pointee &+= value &+ 30 } }
}

@inline(never)
func probeTimer(_ scheduler: SteppedScheduler, _ cell: Cell, _ count: Int) {
  for _ in 0..<count { subscribeTimer(scheduler, cell) }
}

@inline(never)
private func subscribeTimer(_ scheduler: SteppedScheduler, _ cell: Cell) {
  nonisolated(unsafe) let cell = cell  // as above
  Signal.timer(after: .seconds(1), on: scheduler).subscribe { _ in cell.pointee &+= 31 }
}

@inline(never)
func probeStep(_ scheduler: SteppedScheduler) { scheduler.step() }

/// Runs due work when `step()` lets a second pass.
final class SteppedScheduler: TimedScheduler, @unchecked Sendable {  // the probes run on one thread
  let clock = SteppedClock()
  private var waiting: [(work: any ScheduledWork, instant: SteppedClock.Instant)] = []

  func enqueue(_ work: any ScheduledWork) { enqueue(work, at: clock.now, tolerance: .zero) }

  @discardableResult
  func enqueue(_ work: any ScheduledWork, at instant: SteppedClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    waiting.append((work, instant))
    return ActionDisposable {}
  }

  func step() {
    clock.now = clock.now.advanced(by: .seconds(1))
    let due = waiting.filter { $0.instant <= clock.now }
    waiting.removeAll { $0.instant <= clock.now }
    for item in due { performAsCurrent { item.work.run() } }
  }
}

final class SteppedClock: Clock, @unchecked Sendable {  // as above
  var now = ContinuousClock.now

  var minimumResolution: Duration { .nanoseconds(1) }
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) {}
}
