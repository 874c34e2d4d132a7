// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What a replay subject promises on one thread.
struct ReplaySubjectTests {
  /// Everything a new subscriber receives at once.
  private func history<Failure: Error>(_ subject: ReplaySubject<Int, Failure>) -> [Event<Int, Failure>] {
    let events = Box<[Event<Int, Failure>]>([])
    subject.signal.materialize().subscribe { events.value.append($0) }.dispose()
    return events.value
  }

  @Test("J9: a new subscriber receives the history in order, then the values sent from then on")
  func historyThenLive() {
    let subject = ReplaySubject<Int, Never>(capacity: .unbounded)
    for value in 0..<3000 { subject.send(value) }
    let values = Box<[Int]>([])
    subject.signal.subscribe { values.value.append($0) }
    #expect(values.value == Array(0..<3000))
    subject.send(3000)
    #expect(values.value == Array(0...3000))
  }

  @Test(
    "J9: the history is exactly the last values up to the capacity, wherever the ring wraps around",
    arguments: [1, 2, 7, 8, 9, 16, 17, 1000])
  func exactCapacity(capacity: Int) {
    let subject = ReplaySubject<Int, Never>(capacity: .last(capacity))
    // It would be millions of events otherwise. No block of the ring has a size that is a multiple of 17.
    let isSampled = capacity > 100
    for value in 0..<4 * capacity + 30 {
      if !isSampled || value % 17 == 0 {
        #expect(history(subject) == (max(0, value - capacity)..<value).map { .next($0) })
      }
      subject.send(value)
    }
  }

  @Test("J14: with a capacity of 0 only the terminal event is replayed")
  func capacityZero() {
    let subject = ReplaySubject<Int, Oops>(capacity: 0)
    let live = Box<[Int]>([])
    subject.signal.subscribe(next: { live.value.append($0) }, failed: { _ in })
    subject.send(1)
    #expect(history(subject) == [])
    subject.fail(Oops(code: 2))
    #expect(history(subject) == [.failed(Oops(code: 2))])
    #expect(live.value == [1])
  }

  @Test("J14: with a capacity of 0, a subscriber added during a delivery receives no value queued before it")
  func capacityZeroBehindQueuedValues() {
    let subject = ReplaySubject<Int, Never>(capacity: 0)
    let log = Box<[String]>([])
    subject.signal.subscribe { [unowned subject] value in
      guard value == 1 else { return }
      for number in 2...3 {
        subject.signal.subscribe { log.value.append("\(number) got \($0)") }
        subject.send(number)
      }
    }
    subject.send(1)
    #expect(log.value == ["2 got 2", "2 got 3", "3 got 3"])
  }

  @Test(
    "J13 AC50: with a capacity of 1 the last value is replayed before completion; without one, only completion"
  )
  func lastValueSurvives() {
    let subject = ReplaySubject<Int, Never>(capacity: 1)
    subject.send(1)
    subject.send(2)
    subject.complete()
    subject.send(3)
    #expect(history(subject) == [.next(2), .completed])
    let silent = ReplaySubject<Int, Never>(capacity: 1)
    silent.complete()
    #expect(history(silent) == [.completed])
  }

  @Test("J9: each late subscriber receives the values and then the failure")
  func failure() {
    let subject = ReplaySubject<Int, Oops>(capacity: .unbounded)
    subject.send(1)
    subject.fail(Oops(code: 7))
    subject.fail(Oops(code: 8))
    for _ in 0..<3 { #expect(history(subject) == [.next(1), .failed(Oops(code: 7))]) }
  }

  @Test("J10 AC52: disposal during the replay stops it after the current value")
  func disposeDuringReplay() {
    let subject = ReplaySubject<Int, Never>(capacity: .unbounded)
    for value in 0..<100 { subject.send(value) }
    let values = Box<[Int]>([])
    let subscription = SerialDisposable()
    Signal<Int, Never>.attaching { sink in
      subscription.swap(sink.subscription)
      subject.signal.attach(sink)
    }.subscribe { value in
      values.value.append(value)
      if value == 3 { subscription.dispose() }
    }
    #expect(values.value == [0, 1, 2, 3])
  }

  @Test("J12 AC53: take(first: 1), subscribed to during a delivery, receives the value being delivered")
  func nestedTakeOne() {
    let subject = ReplaySubject<Int, Never>(capacity: 1)
    let values = Box<[Int]>([])
    subject.signal.subscribe { [unowned subject] value in
      values.value.append(value)
      subject.signal.take(first: 1).subscribe { values.value.append($0) }
    }
    subject.send(1)
    subject.send(2)
    #expect(values.value == [1, 1, 2, 2])
  }

  @Test("J16: a value sent in a subscriber's own replay follows the history, and all receive it once")
  func sendFromReplay() {
    let subject = ReplaySubject<Int, Never>(capacity: .unbounded)
    let (early, late) = (Box<[Int]>([]), Box<[Int]>([]))
    subject.signal.subscribe { early.value.append($0) }
    for value in 0..<3 { subject.send(value) }
    subject.signal.subscribe { [unowned subject] value in
      late.value.append(value)
      if value < 3 { subject.send(value + 10) }
    }
    #expect(late.value == [0, 1, 2, 10, 11, 12])
    #expect(early.value == late.value)
  }

  @Test("J16: a subscriber that sends a value for each one it receives still becomes live")
  func endlessEcho() {
    let subject = ReplaySubject<Int, Never>(capacity: 4)
    subject.send(0)
    let (values, seen, waiting) = (Box<[Int]>([]), Box(0), Box(0))
    subject.signal.subscribe { seen.value = $0 }
    subject.signal.take(first: manyRounds).subscribe { [unowned subject] value in
      values.value.append(value)
      subject.send(value + 1)
      // While it reads the history, the other receives at once what it sends; once it is live, after it has
      // returned.
      if seen.value == value { waiting.value += 1 }
    }
    #expect(waiting.value >= manyRounds - 2)
    #expect(values.value.elementsEqual(0..<manyRounds))
  }

  @Test("J11 AC54: an event sent during the replay is delivered after the history", arguments: [0, 1, 2])
  func historyFirst(kind: Int) {
    let subject = ReplaySubject<Int, Oops>(capacity: .unbounded)
    for value in 0..<3 { subject.send(value) }
    let event: Event<Int, Oops> = kind == 0 ? .next(9) : kind == 1 ? .completed : .failed(Oops(code: 9))
    let events = Box<[Event<Int, Oops>]>([])
    subject.signal.materialize().subscribe { [unowned subject] seen in
      // In the middle of the replay, as another thread might.
      if seen == .next(1) { subject.send(event) }
      events.value.append(seen)
    }
    #expect(events.value.prefix(4) == [.next(0), .next(1), .next(2), event])
  }

  @Test("J8: a subscriber added during the terminal event receives the history and then that event")
  func subscribeInsideEnd() {
    let subject = ReplaySubject<Int, Never>(capacity: 2)
    for value in 0..<3 { subject.send(value) }
    let events = Box<[Event<Int, Never>]>([])
    subject.signal.subscribe(completed: { subject.signal.materialize().subscribe { events.value.append($0) } }
    )
    subject.complete()
    #expect(events.value == [.next(1), .next(2), .completed])
  }

  @Test("repeat() subscribes to an ended subject 100,000 times in constant stack")
  func repeated() {
    let subject = ReplaySubject<Int, Never>(capacity: 1)
    subject.send(1)
    subject.complete()
    withSmallStack {
      let sum = Box(0)
      subject.signal.repeat().take(first: manyRounds).subscribe { sum.value += $0 }
      #expect(sum.value == manyRounds)
    }
  }

  @Test("with a limit by age, older values are not replayed")
  func byAge() {
    let scheduler = VirtualScheduler()
    let subject = ReplaySubject<Int, Never>(capacity: .within(.seconds(10), on: scheduler))
    for value in 0..<40 {
      subject.send(value)
      scheduler.advance(by: .seconds(1))
    }
    #expect(history(subject) == (31..<40).map { .next($0) })
    scheduler.advance(by: .seconds(5))
    #expect(history(subject) == (36..<40).map { .next($0) })
    scheduler.advance(by: .seconds(5))
    #expect(history(subject) == [])
    subject.send(40)
    #expect(history(subject) == [.next(40)])
  }

  @Test("with limits by age and number, the one that leaves fewer values applies")
  func byAgeAndCount() {
    let scheduler = VirtualScheduler()
    let subject = ReplaySubject<Int, Never>(capacity: .within(.seconds(10), last: 3, on: scheduler))
    for value in 0..<5 { subject.send(value) }
    #expect(history(subject) == [.next(2), .next(3), .next(4)])
    scheduler.advance(by: .seconds(9))
    subject.send(5)
    scheduler.advance(by: .seconds(1))
    #expect(history(subject) == [.next(5)])
  }

  @Test("an age may be counted by a scheduler whose type is not known")
  func byAgeOfAnyScheduler() {
    let scheduler = VirtualScheduler()
    let erased: any TimedScheduler = scheduler
    let subject = ReplaySubject<Int, Never>(capacity: .within(.seconds(2), on: erased))
    subject.send(1)
    scheduler.advance(by: .seconds(1))
    subject.send(2)
    scheduler.advance(by: .seconds(1))
    #expect(history(subject) == [.next(2)])
  }
}
