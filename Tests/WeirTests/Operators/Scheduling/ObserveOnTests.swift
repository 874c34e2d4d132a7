// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// What observe(on:) promises, step by step on a scheduler that runs when the test says so.
struct ObserveOnTests {
  @Test("events are delivered on the scheduler, in order, with one piece of work for all buffered ones")
  func hops() {
    let (scheduler, subject) = (CountingScheduler(), Subject<Int, Oops>())
    let isCurrent = Box<[Bool]>([])
    let recorder = Recorder(
      subject.observe(on: scheduler).doNext { _ in isCurrent.value.append(scheduler.isCurrent) })
    for value in 0..<5 { subject.send(value) }
    #expect(recorder.values == [])
    #expect(scheduler.enqueued == 1)
    scheduler.runAll()
    #expect(recorder.values == [0, 1, 2, 3, 4])
    #expect(isCurrent.value == [true, true, true, true, true])
    subject.send(5)
    subject.complete()
    #expect(scheduler.enqueued == 2)
    scheduler.runAll()
    #expect(recorder.events.suffix(2) == [.next(5), .completed])
    #expect(recorder.events.count == 7)
  }

  @Test(
    "observe(on:) lets other work run after at least 1,024 and fewer than 1,280 values",
    arguments: [1_024, 1_025, 5_000])
  func fairness(count: Int) {
    let (scheduler, subject) = (CountingScheduler(), Subject<Int, Never>())
    let recorder = Recorder(subject.observe(on: scheduler))
    for value in 0..<count { subject.send(value) }
    let other = Counter()
    scheduler.schedule { other.add() }
    scheduler.runOne()
    #expect(recorder.values.count >= min(count, 1_024) && recorder.values.count < 1_024 + 256)
    scheduler.runOne()
    #expect(other.value == 1)
    scheduler.runAll()
    #expect(recorder.values == Array(0..<count))
    #expect(scheduler.enqueued <= 2 + count / 1_024 + 1)
    recorder.dispose()
  }

  @Test(
    "observe(on:) lets other work run after as many values as it may buffer, also if each is replaced meanwhile",
    arguments: [1, 3])
  func conflation(bound: Int) {
    let (scheduler, hot) = (CountingScheduler(), Subject<Int, Never>())
    let (other, seen) = (Counter(), Box<[Int]>([]))
    let subscription = hot.observe(on: scheduler, waiting: .bounded(bound, onOverflow: .dropOldest)).subscribe
    {
      seen.value.append($0)
      if $0 == 0 { scheduler.schedule { other.add() } }
      if $0 < 100 { for _ in 0..<bound { hot.send($0 + 1) } }
    }
    // A value that nothing follows costs one piece of work.
    hot.send(100)
    scheduler.runAll()
    #expect(scheduler.enqueued == 1)
    seen.value = []
    hot.send(0)
    for _ in 0..<2 { scheduler.runOne() }
    #expect(other.value == 1 && seen.value == Array(0..<bound))
    scheduler.runAll()
    #expect(seen.value.last == 100)
    subscription.dispose()
  }

  @Test(
    "the source is released when it terminates; its terminal event follows the buffered values",
    arguments: [true, false], [HopPolicy.always, .whenNeeded])
  func terminates(fails: Bool, policy: HopPolicy) {
    let (scheduler, resources) = (QueuedScheduler(), Resources())
    let held = Held<Oops>(nil)
    let recorder = Recorder(
      Signal<Int, Oops>.create { [token = resources.make()] observer in
        held.value = observer
        return ActionDisposable { _ = token }
      }.observe(on: scheduler, policy))
    held.value?.send(1)
    if fails { held.value?.fail(Oops(code: 3)) } else { held.value?.complete() }
    #expect(resources.alive == 0)
    #expect(recorder.events == [])
    #expect(!recorder.subscription.isDisposed)
    scheduler.runAll()
    #expect(recorder.events == [.next(1), fails ? .failed(Oops(code: 3)) : .completed])
    #expect(recorder.subscription.isDisposed)
  }

  @Test(
    "with .atOnce a failure overtakes the buffered values, a completion does not", arguments: [true, false])
  func atOnce(fails: Bool) {
    let (scheduler, subject, resources) = (QueuedScheduler(), Subject<Int, Oops>(), Resources())
    let recorder = Recorder(
      subject.map { (Int: $0, token: resources.make()) }.observe(on: scheduler, failures: .atOnce).map(\.Int))
    subject.send(1)
    subject.send(2)
    if fails { subject.fail(Oops()) } else { subject.complete() }
    scheduler.runAll()
    #expect(recorder.events == (fails ? [.failed(Oops())] : [.next(1), .next(2), .completed]))
    #expect(resources.alive == 0)
  }

  @Test("with .atOnce a failure overtakes the remaining values of the batch in progress")
  func atOnceInBatch() {
    let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Oops>())
    let recorder = Recorder(
      subject.observe(on: scheduler, failures: .atOnce).doNext { if $0 == 2 { subject.fail(Oops()) } })
    for value in 0..<10 { subject.send(value) }
    scheduler.runAll()
    #expect(recorder.events == [.next(0), .next(1), .next(2), .failed(Oops())])
  }

  @Test("a value beyond the bound fails the signal, is dropped, or displaces the oldest, as configured")
  func overflow() {
    for (overflow, expected) in [
      (Overflow<Oops>.fail(Oops(code: 7)), [Event<Int, Oops>.failed(Oops(code: 7))]),
      (.dropNewest, [.next(0), .next(1), .next(2), .completed]),
      (.dropOldest, [.next(7), .next(8), .next(9), .completed]),
    ] {
      let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Oops>())
      let recorder = Recorder(subject.observe(on: scheduler, waiting: .bounded(3, onOverflow: overflow)))
      for value in 0..<10 { subject.send(value) }
      subject.complete()
      #expect(recorder.events == [])
      scheduler.runAll()
      #expect(recorder.events == expected)
    }
  }

  @Test(
    ".dropOldest with a bound of 1 keeps the latest value, also of those sent during a delivery")
  func latest() {
    let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
    let values = Box<[Int]>([])
    let subscription = subject.observe(on: scheduler, waiting: .bounded(1, onOverflow: .dropOldest)).subscribe
    {
      values.value.append($0)
      if $0 < 1_000 { for step in 1...100 { subject.send($0 + step) } }
    }
    subject.send(-100)
    subject.send(0)
    scheduler.runAll()
    #expect(values.value == Array(stride(from: 0, through: 1_000, by: 100)))
    subscription.dispose()
  }

  @Test("overflow with .trap stops the process with a message that names operator, run, bound and remedy")
  func traps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
      subject.observe(on: scheduler, waiting: .bounded(2, onOverflow: .trap)).subscribe()
      for value in 0..<3 { subject.send(value) }
    }
    let named = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
      subject.named("prices").observe(on: scheduler, waiting: .bounded(2, onOverflow: .trap)).subscribe()
      for value in 0..<3 { subject.send(value) }
    }
    for (result, place) in [(result, ""), (named, " of \"prices\"")] {
      let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
      #expect(
        message.contains(
          "weir: observe(on:)\(place): 2 values are buffered, which is the bound; give it another `waiting:`")
      )
    }
  }

  @Test("observe(on:) buffers 1,048,576 values by default, and one more stops the process", .millionsOfValues)
  func trapsByDefault() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
      subject.observe(on: scheduler).subscribe()
      for value in 0...1_048_576 { subject.send(value) }
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(message.contains("weir: observe(on:): 1048576 values are buffered, which is the bound"))
  }

  @Test(
    "observe(on:) keeps all values, in order, with .unbounded and with .standard", arguments: [true, false])
  func large(isUnbounded: Bool) {
    let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
    let recorder = Recorder(subject.observe(on: scheduler, waiting: isUnbounded ? .unbounded : .standard))
    for value in 0..<2 * manyRounds { subject.send(value) }
    subject.complete()
    scheduler.runAll()
    #expect(recorder.values.elementsEqual(0..<2 * manyRounds))
    #expect(recorder.completion == .completed)
  }

  @Test(
    "disposal immediately releases buffered values and the subscriber, even if the scheduler never runs again"
  )
  func disposed() {
    let (scheduler, subject, resources) = (
      QueuedScheduler(), Subject<Resources.Resource, Never>(), Resources()
    )
    let subscription = subject.observe(on: scheduler).subscribe { [token = resources.make()] _ in _ = token }
    for _ in 0..<100 { subject.send(resources.make()) }
    #expect(resources.alive == 101)
    subscription.dispose()
    #expect(resources.alive == 0)
    subject.send(resources.make())
    #expect(resources.alive == 0)
    scheduler.runAll()
  }

  @Test("disposal during a delivery stops further delivery and releases the remaining values")
  func disposedInside() {
    let (scheduler, subject, resources) = (
      QueuedScheduler(), Subject<Resources.Resource, Never>(), Resources()
    )
    let (subscription, count) = (SerialDisposable(), Counter())
    subscription.swap(
      subject.observe(on: scheduler).subscribe { _ in if count.add() == 4 { subscription.dispose() } })
    for _ in 0..<100 { subject.send(resources.make()) }
    scheduler.runAll()
    #expect(count.value == 5)
    #expect(resources.alive == 0)
  }

  @Test(
    "a scheduler that is shut down ends the subscription without an event and releases everything",
    arguments: [true, false])
  func abandoned(before: Bool) {
    let (scheduler, subject, resources) = (
      QueuedScheduler(), Subject<Resources.Resource, Oops>(), Resources()
    )
    let events = Counter()
    if before { scheduler.stop() }
    let subscription = subject.observe(on: scheduler)
      .subscribe(
        next: { [token = resources.make()] _ in _ = (token, events.add()) }, failed: { _ in events.add() },
        completed: { events.add() })
    subject.send(resources.make())
    scheduler.stop()
    #expect(subscription.isDisposed && resources.alive == 0 && events.value == 0)
    subject.send(resources.make())
    #expect(resources.alive == 0)
  }

  @Test("a source that releases its sink ends the subscription after the buffered values are delivered")
  func sourceDropped() {
    let scheduler = QueuedScheduler()
    var subject: Subject<Int, Never>? = Subject()
    let recorder = subject.map { Recorder($0.observe(on: scheduler)) }
    for value in 0..<3 { subject?.send(value) }
    subject = nil
    #expect(recorder?.subscription.isDisposed == false)
    scheduler.runAll()
    #expect(recorder?.events == [.next(0), .next(1), .next(2)])
    #expect(recorder?.subscription.isDisposed == true)
  }

  @Test("E9: values are not retained after delivery, however many there are")
  func noGrowth() {
    let (scheduler, subject, resources) = (
      QueuedScheduler(), Subject<Resources.Resource, Never>(), Resources()
    )
    let most = Box(0)
    let subscription = subject.observe(on: scheduler).subscribe { _ in
      most.value = max(most.value, resources.alive)
    }
    for _ in 0..<10_000 {
      subject.send(resources.make())
      subject.send(resources.make())
      scheduler.runAll()
    }
    #expect(most.value == 2 && resources.alive == 0)
    subscription.dispose()
  }

  @Test("the bound counts the buffered values, not the one being delivered")
  func inHand() {
    let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
    let values = Box<[Int]>([])
    let subscription = subject.observe(on: scheduler, waiting: .bounded(4, onOverflow: .dropNewest)).subscribe
    {
      values.value.append($0)
      if $0 == 0 { for value in 10..<20 { subject.send(value) } }
    }
    for value in 0..<4 { subject.send(value) }
    scheduler.runAll()
    #expect(values.value == [0, 1, 2, 3, 10])
    subscription.dispose()
  }
}

/// `observe(on:_:)` with `.whenNeeded`.
struct ObserveWhenNeededTests {
  @Test("I10: events sent on the scheduler are delivered inline, those sent elsewhere are scheduled")
  func atOnce() {
    let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
    let recorder = Recorder(subject.observe(on: scheduler, .whenNeeded))
    scheduler.performAsCurrent {
      subject.send(1)
      #expect(recorder.values == [1])
    }
    subject.send(2)
    #expect(recorder.values == [1])
    scheduler.runAll()
    #expect(recorder.values == [1, 2])
    scheduler.performAsCurrent {
      subject.send(3)
      subject.complete()
      #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    }
  }

  @Test("I10: a value sent on the scheduler is delivered after those already buffered")
  func order() {
    let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Never>())
    let recorder = Recorder(subject.observe(on: scheduler, .whenNeeded))
    subject.send(1)
    scheduler.performAsCurrent {
      subject.send(2)
      #expect(recorder.values == [])
    }
    subject.complete()
    scheduler.runAll()
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  @Test(
    "I10: an inline value does not overtake a buffered one that a leaving consumer has not noticed yet")
  func overtaking() {
    let values = Box<[Int]>([])
    let hop = Hop(
      to: Sink<Int, Never>(
        next: { values.value.append($0) }, terminate: { _ in }, subscription: Subscription()),
      waiting: StoredBacklog(.standard), failures: .inOrder)
    #expect(hop.append(1) && hop.role.enter())
    #expect(!hop.deliver(2) && values.value == [])
    _ = hop.deliver()
    #expect(values.value == [1, 2])
    #expect(hop.deliver(3) && values.value == [1, 2, 3])
  }

  @Test("I10: a value sent during a delivery is delivered after it")
  func nested() {
    let (scheduler, source, other) = (QueuedScheduler(), Subject<Int, Never>(), Subject<Int, Never>())
    let log = Box<[String]>([])
    let subscription = source.merge(with: other).observe(on: scheduler, .whenNeeded).subscribe {
      log.value.append("begins \($0)")
      if $0 == 1 { other.send(2) }
      log.value.append("ends \($0)")
    }
    source.send(1)
    scheduler.runAll()
    scheduler.performAsCurrent { source.send(1) }
    scheduler.runAll()
    let once = ["begins 1", "ends 1", "begins 2", "ends 2"]
    #expect(log.value == once + once)
    subscription.dispose()
  }

  @Test("a failure sent on the scheduler is delivered inline", arguments: [FailureTiming.inOrder, .atOnce])
  func failure(timing: FailureTiming) {
    let (scheduler, subject) = (QueuedScheduler(), Subject<Int, Oops>())
    let recorder = Recorder(subject.observe(on: scheduler, .whenNeeded, failures: timing))
    scheduler.performAsCurrent { subject.fail(Oops()) }
    #expect(recorder.events == [.failed(Oops())])
  }

  @Test("disposal during an inline delivery stops further delivery and releases the subscriber")
  func disposed() {
    let (scheduler, subject, resources) = (QueuedScheduler(), Subject<Int, Never>(), Resources())
    let (subscription, count) = (SerialDisposable(), Counter())
    subscription.swap(
      subject.observe(on: scheduler, .whenNeeded).subscribe { [token = resources.make()] _ in
        _ = token
        count.add()
        subscription.dispose()
      })
    scheduler.performAsCurrent {
      subject.send(1)
      subject.send(2)
    }
    #expect(count.value == 1 && resources.alive == 0)
  }
}

/// Counts what is scheduled.
private final class CountingScheduler: Scheduler {
  private let queue = QueuedScheduler()
  private let count = Counter()
  var enqueued: Int { count.value }
  var isCurrent: Bool { queue.isCurrent }
  func enqueue(_ work: any ScheduledWork) {
    count.add()
    queue.enqueue(work)
  }
  func runOne() { queue.runOne() }
  func runAll() { queue.runAll() }
}
