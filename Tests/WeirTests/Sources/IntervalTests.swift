// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// interval, timer and ticks.
struct IntervalTests {
  let scheduler = VirtualScheduler()

  @Test(
    "E7: interval sends at the multiples of its period, first after one; each value is the current instant")
  func ticks() {
    let recorder = Recorder(Signal.interval(.seconds(3), on: scheduler).timestamp(on: scheduler))
    scheduler.advance(by: .seconds(2))
    #expect(recorder.events.isEmpty)
    scheduler.advance(by: .seconds(8))
    #expect(recorder.values.map(\.value.elapsed) == [3, 6, 9].map { .seconds($0) })
    #expect(recorder.values.map(\.instant) == recorder.values.map(\.value))
    recorder.dispose()
    #expect(!scheduler.step())
  }

  @Test("ticks work on a scheduler whose clock type is not known, also one tick, and ticks as a trigger")
  func injected() {
    func beats(of scheduler: any TimedScheduler) -> Signal<Void, Never> {
      Signal.ticks(every: .seconds(30), on: scheduler)
    }
    func once(on scheduler: any TimedScheduler) -> Signal<Void, Never> {
      .ticks(every: .seconds(30), on: scheduler).take(first: 1)
    }
    let recorder = Recorder(beats(of: scheduler).timestamp(on: scheduler))
    let single = Recorder(once(on: scheduler).timestamp(on: scheduler))
    scheduler.advance(by: .seconds(60))
    #expect(recorder.values.map(\.instant.elapsed) == [.seconds(30), .seconds(60)])
    #expect(single.values.map(\.instant.elapsed) == [.seconds(30)] && single.completion == .completed)
    let ended = Recorder(Signal<Int, Never>.never().take(until: .ticks(every: .seconds(30), on: scheduler)))
    scheduler.advance(by: .seconds(30))
    #expect(ended.completion == .completed)
    recorder.dispose()
    #expect(scheduler.waitingCount == 0)
  }

  @Test("E7: tolerance and scheduling delays make a tick later, never earlier, and do not accumulate")
  func tolerance() {
    let late = TardyScheduler(scheduler, by: .milliseconds(100))
    let recorder = Recorder(Signal.interval(.seconds(3), tolerance: .milliseconds(500), on: late))
    let ticks = Recorder(
      Signal.ticks(every: .seconds(3), tolerance: .milliseconds(500), on: late).timestamp(on: scheduler))
    scheduler.advance(by: .seconds(3_001))
    #expect(recorder.values.count == 1_000 && ticks.values.map(\.instant) == recorder.values)
    ticks.dispose()
    let isOnTime = recorder.values.enumerated().allSatisfy { index, instant in
      instant.elapsed == .seconds(3) * (index + 1) + .milliseconds(600)
    }
    #expect(isOnTime)
    recorder.dispose()
  }

  @Test(
    "E8: timed operators read only the clock of their scheduler, a continuous one if it runs in real time")
  func clock() {
    // Ticks come when the virtual clock has advanced, whatever the time of day is or becomes.
    let recorder = Recorder(
      Signal.interval(.seconds(1), on: scheduler).delay(.seconds(1), on: scheduler)
        .debounce(.milliseconds(10), on: scheduler).measureInterval(on: scheduler))
    scheduler.advance(by: .seconds(4))
    #expect(recorder.values.map(\.interval) == [.milliseconds(2_010), .seconds(1)])
    recorder.dispose()
    // Schedulers that run in real time have the clock that does not follow the time of day.
    let real: [any TimedScheduler<ContinuousClock>] = [SerialScheduler(), WorkerPool.shared]
    #expect(real.allSatisfy { $0.clock.now <= ContinuousClock.now })
  }

  @Test("I5: ticks are delivered with their scheduler as the current one")
  func current() {
    let isCurrent = Box<[Bool]>([])
    let subscription = Signal.interval(.seconds(1), on: scheduler)
      .subscribe { [scheduler] _ in isCurrent.value.append(Schedulers.current === scheduler) }
    scheduler.advance(by: .seconds(2))
    #expect(isCurrent.value == [true, true])
    subscription.dispose()
  }

  @Test(
    "an interval starts anew per subscription; disposal inside a tick stops it and releases the subscriber")
  func disposed() {
    let (resources, ticks) = (Resources(), Counter())
    let interval = Signal.interval(.seconds(2), on: scheduler)
    let first = Recorder(interval.take(first: 2))
    scheduler.advance(by: .seconds(1))
    let subscription = Box<Subscription?>(nil)
    subscription.value = interval.subscribe { [token = resources.make()] _ in
      _ = token
      ticks.add()
      subscription.value?.dispose()
    }
    scheduler.run()
    #expect(first.values.map(\.elapsed) == [.seconds(2), .seconds(4)])
    #expect(first.completion == .completed)
    #expect(ticks.value == 1 && resources.alive == 0)
  }

  @Test("a timer sends one value and completes; disposal before that cancels it")
  func timer() {
    let signal = Signal.timer(after: .seconds(3), on: scheduler)
    let (recorder, disposed) = (Recorder(signal), Recorder(signal))
    disposed.dispose()
    #expect(recorder.events.isEmpty)
    scheduler.run()
    #expect(recorder.events == [.next(.init(.seconds(3))), .completed])
    #expect(disposed.events.isEmpty)
  }

  @Test("a timer of zero sends inside subscribe if its scheduler runs work inside `enqueue`")
  func timerOfZero() {
    let recorder = Recorder(Signal.timer(after: .zero, on: SerialScheduler(on: .immediate)))
    #expect(recorder.values.count == 1 && recorder.completion == .completed)
  }

  @Test("signals that wait on a scheduler that is shut down end without an event")
  func abandoned() {
    let scheduler = ClosedScheduler()
    let recorders = [
      Recorder(Signal.interval(.seconds(1), on: scheduler)),
      Recorder(Signal.timer(after: .seconds(1), on: scheduler)),
      Recorder(Signal.ticks(every: .seconds(1), on: scheduler).map { VirtualClock.Instant() }),
      Recorder(Signal<VirtualClock.Instant, Never>.just(.init()).delay(.seconds(1), on: scheduler)),
    ]
    for recorder in recorders {
      #expect(recorder.subscription.isDisposed)
      #expect(recorder.events.isEmpty)
    }
  }
}
