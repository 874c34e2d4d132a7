// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// The subject for a single producer: like a subject, except for who may send.
struct UnserializedSubjectTests {
  private let subject = UnserializedSubject<Int, Oops>()
  private let log = EventLog()

  @discardableResult
  private func listen(_ name: String, then: @escaping @Sendable (Int) -> Void = { _ in }) -> Subscription {
    log.listen(to: subject, as: name, then: then)
  }

  @Test(
    "DD-1 J2: subscribers are called in the order of subscription; late ones do not receive earlier values")
  func order() {
    subject.send(0)
    let subscriptions = ["a", "b", "c"].map { listen($0) }
    subject.send(1)
    subscriptions[1].dispose()
    listen("d")
    subject.send(2)
    #expect(log.value == ["a1", "b1", "c1", "a2", "c2", "d2"])
  }

  @Test("DD-1: the order of subscription holds for hundreds that come and go, across renewed snapshots")
  func orderOfMany() {
    let subscriptions = (0..<500).map { listen("\($0):") }
    for index in 0..<500 where index % 3 != 0 { subscriptions[index].dispose() }
    for index in 500..<600 { listen("\(index):") }
    subject.send(0)
    #expect(log.value == ((0..<500).filter { $0 % 3 == 0 } + Array(500..<600)).map { "\($0):0" })
  }

  @Test(
    "DD-1 DD-10: the terminal event is delivered to each subscriber once, in order, also to later ones",
    arguments: [false, true])
  func terminal(fails: Bool) {
    listen("a")
    listen("b")
    if fails { subject.fail(Oops(code: 4)) } else { subject.complete() }
    subject.send(1)
    subject.complete()
    listen("c")
    #expect(log.value == ["a", "b", "c"].map { $0 + (fails ? " failed 4" : " completed") })
  }

  @Test("DD-1: a subscriber that an earlier one disposes during a delivery does not receive that value")
  func disposedInside() {
    let second = Box<Subscription?>(nil)
    listen("a") { _ in second.value?.dispose() }
    second.value = listen("b")
    listen("c")
    subject.send(1)
    subject.send(2)
    #expect(log.value == ["a1", "c1", "a2", "c2"])
  }

  @Test("DD-1: a subscriber added during a delivery receives the next value, not the one in progress")
  func subscribedInside() {
    listen("a") { [unowned subject, log] value in
      if value == 1 { subject.subscribe(next: { log.append("b\($0)") }, failed: { _ in }) }
    }
    subject.send(1)
    subject.send(2)
    #expect(log.value == ["a1", "a2", "b2"])
  }

  @Test("DD-1 contract 7: closures are released on disposal, or after the delivery if one is in progress")
  func released() {
    let resources = Resources()
    let subject = UnserializedSubject<Int, Never>()
    subject.subscribe { [token = resources.make()] _ in _ = token }.dispose()
    #expect(resources.alive == 0)
    let (own, aliveInside) = (Box<Subscription?>(nil), Box(0))
    own.value = subject.subscribe { [token = resources.make()] _ in
      own.value?.dispose()
      aliveInside.value = resources.alive
      _ = token
    }
    subject.send(1)
    #expect(aliveInside.value == 1)
    #expect(resources.alive == 0)
  }

  @Test("DD-1: releasing the subject ends its subscriptions without an event")
  func dropped() {
    let resources = Resources()
    let events = Counter()
    var subject: UnserializedSubject<Int, Never>? = UnserializedSubject()
    let subscription = subject?.subscribe(
      next: { [token = resources.make()] _ in _ = token }, completed: { events.add() })
    subject = nil
    #expect(subscription?.isDisposed == true)
    #expect(resources.alive == 0)
    #expect(events.value == 0)
  }

  @Test("DD-1: completing the subject disposes the subscription that feeds it")
  func adopted() {
    let source = Subject<Int, Oops>()
    let subscription = source.forward(to: subject)
    listen("a")
    source.send(1)
    subject.complete()
    source.send(2)
    #expect(subscription.isDisposed)
    #expect(log.value == ["a1", "a completed"])
  }

  @Test("DD-1: a nested send traps in a debug build, with a message that names what to use instead")
  func overlap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let subject = UnserializedSubject<Int, Never>()
      subject.subscribe { [unowned subject] value in if value == 0 { subject.send(1) } }
      subject.send(0)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("use Subject"))
  }
}
