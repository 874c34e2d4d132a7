// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// delay and delaySubscription.
struct DelayTests {
  let scheduler = VirtualScheduler()
  let subject = Subject<Int, Oops>()

  @Test("E4: delay delivers values and completion later, in order, on the scheduler")
  func shifted() {
    let recorder = Recorder(
      subject.materialize().delay(.seconds(5), on: scheduler).timestamp(on: scheduler)
        .map { [scheduler] in ($0.value, $0.instant.elapsed, Schedulers.current === scheduler) })
    subject.send(1)
    scheduler.advance(by: .seconds(1))
    subject.send(2)
    subject.send(3)
    scheduler.advance(by: .seconds(1))
    subject.complete()
    #expect(recorder.values.isEmpty)
    scheduler.run()
    #expect(recorder.values.map(\.0) == [.next(1), .next(2), .next(3), .completed])
    #expect(recorder.values.map(\.1) == [5, 6, 6, 7].map { .seconds($0) })
    #expect(recorder.values.map(\.2) == [true, true, true, true])
    #expect(recorder.completion == .completed)
  }

  @Test("E4: a delay of zero is still asynchronous")
  func zero() {
    let recorder = Recorder(Signal<Int, Oops>([1, 2]).delay(.zero, on: scheduler))
    #expect(recorder.events.isEmpty)
    scheduler.run()
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  @Test("E4 AC46: a failure is not delayed, and drops the buffered values")
  func failure() {
    let recorder = Recorder(subject.delay(.seconds(5), on: scheduler))
    subject.send(1)
    subject.fail(Oops(code: 1))
    #expect(recorder.events == [.failed(Oops(code: 1))])
    #expect(!scheduler.step())
  }

  @Test("E4: a failure sent during a delivery overtakes values due at the same time; a completion does not")
  func endsInside() {
    for fails in [true, false] {
      let (subject, log) = (Subject<Int, Oops>(), Box<[Event<Int, Oops>]>([]))
      subject.delay(.seconds(1), on: scheduler).materialize().subscribe { [unowned subject] event in
        log.value.append(event)
        guard event == .next(1) else { return }
        if fails { subject.fail(Oops()) } else { subject.complete() }
      }
      for value in 1...3 { subject.send(value) }
      scheduler.run()
      #expect(log.value == [.next(1)] + (fails ? [.failed(Oops())] : [.next(2), .next(3), .completed]))
    }
  }

  @Test("E4 AC46: disposal drops and releases the buffered values, even if the scheduler never runs again")
  func disposed() {
    let (resources, subject) = (Resources(), Subject<Resources.Resource, Never>())
    let subscription = subject.delay(.seconds(5), on: scheduler)
      .subscribe { [token = resources.make()] _ in _ = token }
    for _ in 0..<3 { subject.send(resources.make()) }
    #expect(resources.alive == 4)
    subscription.dispose()
    #expect(resources.alive == 0)
    #expect(!scheduler.step())
  }

  @Test("E9: one timer serves any number of values, and a value is released once it is delivered")
  func oneTimer() {
    let (resources, subject) = (Resources(), Subject<Resources.Resource, Never>())
    let subscription = subject.delay(.seconds(2), on: scheduler).subscribe()
    for round in 0..<1_000 {
      subject.send(resources.make())
      scheduler.advance(by: .seconds(1))
      #expect(resources.alive <= 2, "round \(round)")
    }
    for _ in 0..<5 { subject.send(resources.make()) }
    // Values of one instant are delivered together.
    #expect(scheduler.step() && scheduler.step())
    #expect(!scheduler.step() && resources.alive == 0)
    subscription.dispose()
  }

  @Test("E9: the disposable of a timer that has fired is released when the next one is set")
  func disposables() {
    let tokens = Resources()
    let counting = CountingScheduler(scheduler, tokens)
    let subscription = subject.delay(.seconds(2), on: counting).subscribe(failed: { _ in })
    for _ in 0..<1_000 {
      subject.send(1)
      scheduler.advance(by: .seconds(3))
    }
    #expect(tokens.alive <= 1)
    subscription.dispose()
    #expect(tokens.alive == 0)
  }

  @Test(
    "a value beyond the bound fails the signal immediately, is dropped, or displaces the oldest, as configured"
  )
  func bounded() {
    let recorder = Recorder(
      subject.delay(.seconds(1), on: scheduler, waiting: .bounded(2, onOverflow: .fail(Oops(code: 3)))))
    for value in 1...3 { subject.send(value) }
    #expect(recorder.events == [.failed(Oops(code: 3))])
    #expect(!scheduler.step())
    let drops: [(Backlog<Oops>, kept: [Int])] = [
      (.bounded(2, onOverflow: .dropNewest), [1, 2]), (.bounded(2, onOverflow: .dropOldest), [3, 4]),
      (.bounded(1, onOverflow: .dropOldest), [4]), (.bounded(0, onOverflow: .dropOldest), []),
    ]
    for (backlog, kept) in drops {
      let subject = Subject<Int, Oops>()
      let dropping = Recorder(
        subject.delay(.seconds(9), on: scheduler, waiting: backlog))
      for value in 1...4 {
        subject.send(value)
        scheduler.advance(by: .seconds(1))
      }
      subject.complete()
      scheduler.run()
      #expect(dropping.events == kept.map { .next($0) } + [.completed])
    }
  }

  @Test("an overflow failure is delivered after the source is disposed and the buffered values are released")
  func ownFailure() {
    let (resources, isOver) = (Resources(), Box(false))
    subject.map { [unowned resources] _ in resources.make() }.on(disposed: { isOver.value = true })
      .delay(.seconds(1), on: scheduler, waiting: .bounded(2, onOverflow: .fail(Oops(code: 2))))
      .materialize()  // or the failure would end the whole chain on its way
      .subscribe { event in
        // The sender still holds the value that exceeds the bound.
        if case .failed = event { #expect(isOver.value && resources.alive <= 1) }
      }
    for value in 1...3 { subject.send(value) }
    #expect(isOver.value && resources.alive == 0)
  }

  @Test("disposal during a delivery stops the values that are due at the same time")
  func endedInside() {
    let (values, own) = (Box<[Int]>([]), Box<Subscription?>(nil))
    own.value = Signal<Int, Oops>([1, 2, 3]).delay(.seconds(1), on: scheduler).subscribe(
      next: { value in
        values.value.append(value)
        if value == 2 { own.value?.dispose() }
      }, failed: { _ in }, completed: { values.value.append(-1) })
    scheduler.run()
    #expect(values.value == [1, 2])
  }

  @Test("the delay counts from when a value was sent, even during the delivery of another")
  func sentWhileBusy() {
    let times = Box<[Duration]>([])
    let subscription = subject.delay(.seconds(5), on: scheduler).subscribe(
      next: { [scheduler, unowned subject] value in
        times.value.append(scheduler.clock.now.elapsed)
        if value == 1 {
          subject.send(2)
          scheduler.advance(by: .seconds(3))
        }
      }, failed: { _ in })
    subject.send(1)
    scheduler.run()
    #expect(times.value == [.seconds(5), .seconds(10)])
    subscription.dispose()
  }

  @Test("a value sent during a delivery is delayed like any other")
  func nested() {
    let values = Box<[Int]>([])
    let subscription = subject.delay(.seconds(1), on: scheduler).subscribe(
      next: { [unowned subject] value in
        values.value.append(value)
        subject.send(value + 1)
      }, failed: { _ in })
    subject.send(1)
    scheduler.advance(by: .seconds(3))
    #expect(values.value == [1, 2, 3])
    subscription.dispose()
  }

  @Test("a source that releases its sink ends the run after the buffered values are delivered")
  func sourceDropped() {
    let recorder: Recorder<Int, Oops>
    do {
      let subject = Subject<Int, Oops>()
      recorder = Recorder(subject.delay(.seconds(1), on: scheduler))
      subject.send(1)
    }
    scheduler.run()
    #expect(recorder.events == [.next(1)])
    #expect(recorder.subscription.isDisposed)
  }

  @Test("AC9: a delayed signal that nothing retains is released while its timer runs")
  func signalReleased() {
    let resources = Resources()
    let recorder: Recorder<Int, Oops>
    do {
      let delayed = Signal<Int, Oops>([1]).map { [token = resources.make()] value in
        _ = token
        return value
      }.delay(.seconds(1), on: scheduler)
      recorder = Recorder(delayed.map { $0 + 1 })
    }
    #expect(resources.alive == 0)
    scheduler.run()
    #expect(recorder.events == [.next(2), .completed])
  }

  @Test("delaySubscription subscribes on the scheduler when the time is over, and not after disposal")
  func subscription() {
    let subscriptions = Box<[Bool]>([])
    let source = Signal<Int, Oops>.deferred { [scheduler] in
      subscriptions.value.append(Schedulers.current === scheduler)
      return Signal([1, 2])
    }.delaySubscription(.seconds(3), on: scheduler)
    let (recorder, disposed) = (Recorder(source), Recorder(source))
    disposed.dispose()
    scheduler.advance(by: .seconds(2))
    #expect(subscriptions.value.isEmpty)
    scheduler.run()
    #expect(scheduler.clock.now.elapsed == .seconds(3))
    #expect(subscriptions.value == [true])
    #expect(recorder.events == [.next(1), .next(2), .completed])
    #expect(disposed.events.isEmpty)
  }
}

/// Returns disposables that are counted.
private final class CountingScheduler: TimedScheduler {
  private let inner: VirtualScheduler
  private let tokens: Resources

  init(_ scheduler: VirtualScheduler, _ tokens: Resources) {
    inner = scheduler
    self.tokens = tokens
  }

  var clock: VirtualClock { inner.clock }
  func enqueue(_ work: any ScheduledWork) { inner.enqueue(work) }
  func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    let entry = inner.enqueue(work, at: instant, tolerance: tolerance)
    return ActionDisposable { [token = tokens.make()] in
      _ = token
      entry.dispose()
    }
  }
}
