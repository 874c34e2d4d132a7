// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Which subscriber receives what, in which order.
struct SubjectTests {
  private let subject = Subject<Int, Oops>()
  private let log = EventLog()

  @discardableResult
  private func listen(_ name: String, then: @escaping @Sendable (Int) -> Void = { _ in }) -> Subscription {
    log.listen(to: subject, as: name, then: then)
  }

  @Test("J2: subscribers are called in the order of subscription, also after some were disposed")
  func order() {
    let subscriptions = ["a", "b", "c", "d"].map { listen($0) }
    subject.send(1)
    subscriptions[1].dispose()
    listen("e")
    subject.send(2)
    #expect(log.value == ["a1", "b1", "c1", "d1", "a2", "c2", "d2", "e2"])
  }

  @Test("J2: the order of subscription holds for hundreds that come and go, across renewed snapshots")
  func orderOfMany() {
    var subscriptions = [Subscription]()
    for index in 0..<500 { subscriptions.append(listen("\(index):")) }
    for index in 0..<500 where index % 3 != 0 { subscriptions[index].dispose() }
    for index in 500..<600 { listen("\(index):") }
    subject.send(0)
    let left = (0..<500).filter { $0 % 3 == 0 } + Array(500..<600)
    #expect(log.value == left.map { "\($0):0" })
  }

  @Test("a value sent without subscribers is dropped, and not replayed")
  func nobody() {
    subject.send(1)
    listen("a")
    subject.send(2)
    #expect(log.value == ["a2"])
  }

  @Test("the terminal event is delivered to each subscriber once, in order", arguments: [false, true])
  func terminal(fails: Bool) {
    listen("a")
    listen("b")
    if fails { subject.fail(Oops(code: 4)) } else { subject.complete() }
    subject.send(1)
    subject.complete()
    #expect(log.value == (fails ? ["a failed 4", "b failed 4"] : ["a completed", "b completed"]))
  }

  @Test("a subject delivers events sent as Event values, up to the terminal event")
  func eventsAsValues() {
    listen("a")
    let events: [Event<Int, Oops>] = [.next(1), .next(2), .failed(Oops(code: 3)), .completed]
    for event in events { subject.send(event) }
    #expect(log.value == ["a1", "a2", "a failed 3"])
  }

  @Test("values as wide as SIMD64<Int> are queued and delivered intact")
  func wideValues() {
    let wide = Subject<SIMD64<Int>, Never>()
    let sums = Box<[Int]>([])
    wide.subscribe(next: { value in
      sums.value.append(value.wrappedSum())
      if sums.value.count < 6 { wide.send(value &+ 1) }
    })
    wide.send(.zero)
    wide.complete()
    #expect(sums.value == [0, 64, 128, 192, 256, 320])
  }

  @Test(
    "J3: after the terminal event values are dropped, and a new subscriber receives only that event",
    arguments: [false, true])
  func sealed(fails: Bool) {
    subject.send(1)
    if fails { subject.fail(Oops(code: 4)) } else { subject.complete() }
    let subscription = listen("a")
    #expect(subscription.isDisposed)
    subject.send(2)
    #expect(log.value == [fails ? "a failed 4" : "a completed"])
  }

  @Test("J4: completion disposes what feeds the subject, and is delivered after that")
  func upstreamsFirst() {
    let held = Held<Oops>(nil)
    Signal<Int, Oops>.create { [log] observer in
      held.value = observer
      return ActionDisposable { log.append("cleaned") }
    }.forward(to: subject)
    listen("a")
    held.value?.send(1)
    subject.complete()
    held.value?.send(2)
    #expect(log.value == ["a1", "cleaned", "a completed"])
  }

  @Test("completion of a signal forwarded to a subject completes it and disposes its other sources")
  func fed() {
    let (first, second) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    first.forward(to: subject)
    let other = second.forward(to: subject)
    listen("a")
    first.send(1)
    second.send(2)
    first.complete()
    #expect(other.isDisposed)
    #expect(log.value == ["a1", "a2", "a completed"])
  }

  @Test("forwarding a signal to a completed subject returns a disposed subscription")
  func feedingAnEndedOne() {
    subject.complete()
    let subscription = Signal<Int, Oops>.never().forward(to: subject)
    #expect(subscription.isDisposed)
  }

  @Test("J5: releasing a subject ends its subscriptions without an event")
  func dropped() {
    let events = Counter()
    let subscription: Subscription
    do {
      let dropped = Subject<Int, Oops>()
      subscription = dropped.subscribe(
        next: { _ in events.add() }, failed: { _ in events.add() }, completed: { events.add() })
      #expect(!subscription.isDisposed)
    }
    #expect(subscription.isDisposed)
    #expect(events.value == 0)
  }

  @Test("J5: releasing a subject disposes the subscriptions it has adopted")
  func droppedWithSources() {
    let upstream = Subscription()
    do { Subject<Int, Oops>().adopt(upstream) }
    #expect(upstream.isDisposed)
  }
}
