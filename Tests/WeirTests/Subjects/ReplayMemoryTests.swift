// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// What a replay subject retains, and when it releases it.
struct ReplayMemoryTests {
  /// A value that says how many of its kind are alive.
  private final class Item: Sendable {
    let number: Int
    let alive: Counter
    init(_ number: Int, _ alive: Counter) {
      self.number = number
      self.alive = alive
      alive.add(1)
    }
    deinit { alive.add(-1) }
  }

  @Test("the number of retained values is exactly the capacity", arguments: [0, 1, 5, 16, 100])
  func exactlyTheCapacity(capacity: Int) {
    let alive = Counter()
    var subject: ReplaySubject<Item, Never>? = ReplaySubject(capacity: .last(capacity))
    for number in 0..<3 * capacity + 40 {
      subject?.send(Item(number, alive))
      #expect(alive.value == min(number + 1, capacity))
    }
    subject?.complete()
    #expect(alive.value == capacity)
    subject = nil
    #expect(alive.value == 0)
  }

  @Test("values beyond a limit by age stay in memory until the next send, which releases them")
  func byAge() {
    let (alive, scheduler) = (Counter(), VirtualScheduler())
    let subject = ReplaySubject<Item, Never>(capacity: .within(.seconds(10), on: scheduler))
    for number in 0..<40 {
      subject.send(Item(number, alive))
      #expect(alive.value == min(number + 1, 10))
      scheduler.advance(by: .seconds(1))
    }
    scheduler.advance(by: .seconds(3))
    let replayed = Box<[Int]>([])
    subject.signal.subscribe { replayed.value.append($0.number) }.dispose()
    #expect(replayed.value == Array(34..<40) && alive.value == 10)
    subject.send(Item(40, alive))
    #expect(alive.value == 7)
  }

  @Test("what a reader of the newest value has held back is released with the next event, also the end")
  func heldBackByReading() {
    for isEnd in [false, true] {
      let alive = Counter()
      let subject = CurrentValue<Item, Never>(Item(0, alive))
      let log = subject.core.memory.log
      // As a thread does that reads the value, and is interrupted in it.
      let pinned = log.cell.pin(reclaim: log.recycle).block
      subject.send(Item(1, alive))
      log.unpin(pinned)
      #expect(alive.value == 2)
      if isEnd { subject.complete() } else { subject.send(Item(2, alive)) }
      #expect(alive.value == 1)
    }
  }

  @Test("a reader in its replay retains expired values, and none once it has caught up")
  func slowReader() {
    let alive = Counter()
    let subject = ReplaySubject<Item, Never>(capacity: 4)
    for number in 0..<4 { subject.send(Item(number, alive)) }
    let seen = Box<[Int]>([])
    subject.signal.subscribe { [unowned subject] item in
      if item.number == 0 {
        // 996 values are sent during this replay; a subscriber added now receives the last four.
        for number in 4..<1000 { subject.send(Item(number, alive)) }
        #expect(alive.value == 1000)
        let others = Box<[Int]>([])
        subject.signal.subscribe { others.value.append($0.number) }.dispose()
        #expect(others.value == Array(996..<1000))
      }
      seen.value.append(item.number)
    }
    #expect(seen.value == Array(0..<1000))
    #expect(alive.value == 4)
    subject.send(Item(1000, alive))
    #expect(alive.value == 4)
    #expect(seen.value.last == 1000)
  }

  @Test("values retained for a reader are released at the next append after it has left")
  func heldBack() {
    let alive = Counter()
    let log = ReplayLog<Item>(.last(2))
    let reader = ReplayReader(log)
    for number in 0..<3 { log.append(Item(number, alive)) }
    #expect(alive.value == 3)
    reader.leave()
    log.append(Item(3, alive))
    #expect(alive.value == 2)
    log.destroy()
    #expect(alive.value == 0)
  }

  // Expired values stay in their slots until those are needed: while rings grow, when one is full, and when
  // it wraps around.
  @Test(
    "a new reader of plain values reads exactly the last of them, up to the capacity",
    arguments: [1, 2, 15, 16, 100, 999])
  func plainValues(capacity: Int) {
    let log = ReplayLog<Int>(.last(capacity))
    var held: ReplayReader<Int>?
    for count in 1...2 * capacity + 1_000 {
      log.append(count)
      #expect(log.newest == count && log.readNewest() == count)
      #expect(elements(of: log) == Array(max(1, count - capacity + 1)...count), "after \(count)")
      // From time to time, a reader so slow that the ring would wrap around before it reads.
      if count % 400 == 100 { held = ReplayReader(log) }
      if count % 400 == 350, var reader = held.take() {
        let first = Int(reader.position) + 1
        #expect(elements(of: log, &reader) == Array(first...count), "of a reader since \(count - 250)")
      }
    }
    held?.leave()
    log.destroy()
  }

  private func elements(of log: ReplayLog<Int>) -> [Int] {
    var reader = ReplayReader(log)
    return elements(of: log, &reader)
  }

  private func elements(of log: ReplayLog<Int>, _ reader: inout ReplayReader<Int>) -> [Int] {
    var elements: [Int] = []
    reader.read(to: log.count) {
      elements.append($0)
      return true
    }
    reader.leave()
    return elements
  }

  // The counts let the last ring end anywhere.
  @Test("a reader that is disposed in its replay releases the values retained for it", arguments: 40..<60)
  func disposedReader(count: Int) {
    let alive = Counter()
    let subject = ReplaySubject<Item, Never>(capacity: 2)
    for number in 0..<2 { subject.send(Item(number, alive)) }
    subject.signal.take(first: 1).subscribe { _ in
      for number in 2..<count { subject.send(Item(number, alive)) }
    }
    #expect(alive.value == 2)
  }

  @Test("a reader whose replay outlasts the completion releases the values retained for it")
  func readerAcrossTheEnd() {
    let alive = Counter()
    let subject = ReplaySubject<Item, Never>(capacity: 2)
    for number in 0..<2 { subject.send(Item(number, alive)) }
    subject.signal.subscribe { [unowned subject] item in
      guard item.number == 0 else { return }
      for number in 2..<50 { subject.send(Item(number, alive)) }
      subject.complete()
    }
    #expect(alive.value == 2)
  }

  @Test("a value sent to the subject in the deinit of an expired one is delivered")
  func deinitSends() {
    final class Echo: Sendable {
      let subject: ReplaySubject<Echo?, Never>
      init(_ subject: ReplaySubject<Echo?, Never>) { self.subject = subject }
      deinit { subject.send(nil) }
    }
    let subject = ReplaySubject<Echo?, Never>(capacity: 1)
    let events = Box<[Bool]>([])
    subject.signal.subscribe { events.value.append($0 == nil) }
    subject.send(Echo(subject))
    subject.send(nil)
    #expect(events.value == [false, true, true])
  }

  @Test(
    "disposal and completion release a subscriber and its captured subject; a released subject ends subscriptions"
  )
  func lifetimes() {
    weak var kept: ReplaySubject<Int, Never>?
    var subscription: Subscription?
    do {
      let subject = ReplaySubject<Int, Never>(capacity: .unbounded)
      kept = subject
      for value in 0..<5000 { subject.send(value) }
      subscription = subject.signal.subscribe { [subject] _ in _ = subject }
      #expect(kept != nil)
    }
    subscription?.dispose()
    #expect(kept == nil)
    do {
      let subject = ReplaySubject<Int, Never>(capacity: 3)
      kept = subject
      subscription = subject.signal.subscribe { [subject] _ in _ = subject }
      subject.complete()
    }
    #expect(kept == nil)
    do {
      let subject = ReplaySubject<Int, Never>(capacity: 3)
      subscription = subject.signal.subscribe { _ in }
    }
    #expect(subscription?.isDisposed == true)
  }
}
