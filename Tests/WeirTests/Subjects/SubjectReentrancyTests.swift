// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// Subscribing, disposing, sending and ending from inside a delivery.
struct SubjectReentrancyTests {
  private let subject = Subject<Int, Never>()
  private let log = Box<[String]>([])

  private func listen(_ name: String, then: @escaping @Sendable (Int) -> Void = { _ in }) -> Subscription {
    subject.subscribe(
      next: { [log] value in
        log.value.append("\(name)\(value)")
        then(value)
      }, completed: { [log] in log.value.append("\(name) completed") })
  }

  @Test("A13: nested sends are queued: every subscriber sees the same order")
  func nestedSends() {
    let first = listen("a") { [subject] value in
      if value == 1 {
        subject.send(2)
        subject.send(3)
      }
    }
    let second = listen("b") { [subject] value in if value == 1 { subject.send(4) } }
    subject.send(1)
    #expect(log.value == ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4"])
    withExtendedLifetime((first, second)) {}
    subject.complete()
  }

  @Test("J1: a subscriber added during a delivery does not receive the value in progress")
  func subscribingInside() {
    let late = Box<Subscription?>(nil)
    let log = self.log
    let subject = self.subject
    let first = listen("a") { value in
      if value == 1 { late.value = subject.subscribe(next: { log.value.append("late\($0)") }) }
    }
    subject.send(1)
    #expect(log.value == ["a1"])
    subject.send(2)
    #expect(log.value == ["a1", "a2", "late2"])
    first.dispose()
    late.value?.dispose()
  }

  @Test(
    "J1: a subscriber added during a delivery receives values sent after that, not those queued before",
    arguments: [0, 1 << 32 - 1, 1 << 32, 5 << 32 - 2] as [UInt64])
  func subscribingBehindQueuedValues(queuedBefore count: UInt64) {
    subject.core.turn.turn.inbox.storeRelaxed(count << 32)
    subject.core.list.deliveredCount.storeRelaxed(count)
    let log = self.log
    let subject = self.subject
    let late = Box<Subscription?>(nil)
    let first = listen("a") { value in
      guard value == 1 else { return }
      subject.send(2)
      late.value = subject.subscribe(next: { log.value.append("late\($0)") })
      subject.send(3)
    }
    subject.send(1)
    #expect(log.value == ["a1", "a2", "a3", "late3"])
    first.dispose()
    late.value?.dispose()
  }

  @Test(
    "J1: disposal during a delivery takes effect at once for subscribers not yet called; others are unaffected"
  )
  func disposingInside() {
    let others = Box<[Subscription]>([])
    let own = Box<Subscription?>(nil)
    own.value = listen("a") { _ in
      own.value?.dispose()
      others.value.first?.dispose()
    }
    others.value = [listen("b"), listen("c")]
    subject.send(1)
    subject.send(2)
    #expect(log.value == ["a1", "c1", "c2"])
  }

  @Test("disposing an earlier subscriber during a delivery does not move the later ones")
  func disposingEarlier() {
    let first = listen("a")
    let second = listen("b") { _ in first.dispose() }
    let third = listen("c")
    subject.send(1)
    subject.send(2)
    #expect(log.value == ["a1", "b1", "c1", "b2", "c2"])
    withExtendedLifetime((second, third)) {}
  }

  @Test("adding and disposing hundreds of subscribers during a delivery does not affect it")
  func churnInside() {
    let subject = self.subject
    let log = self.log
    let added = Box<[Subscription]>([])
    let first = listen("a") { value in
      guard value == 1 else { return }
      for index in 0..<300 {
        added.value.append(subject.subscribe(next: { log.value.append("n\(index):\($0)") }))
      }
      for index in 0..<299 { added.value[index].dispose() }
    }
    let second = listen("b")
    subject.send(1)
    #expect(log.value == ["a1", "b1"])
    subject.send(2)
    #expect(log.value == ["a1", "b1", "a2", "b2", "n299:2"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("completion sent during a delivery follows values queued before it, and drops those sent after it")
  func endInside() {
    let subject = self.subject
    let subscriptions = [
      listen("a") { value in
        guard value == 1 else { return }
        subject.send(2)
        subject.complete()
        subject.send(3)
      }, listen("b"),
    ]
    subject.send(1)
    #expect(log.value == ["a1", "b1", "a2", "b2", "a completed", "b completed"])
    #expect(subscriptions.allSatisfy { $0.isDisposed })
  }

  @Test("a subscriber added after a queued completion receives it")
  func subscribingBehindAQueuedEnd() {
    let subject = self.subject
    let log = self.log
    let first = listen("a") { value in
      subject.complete()
      subject.subscribe(
        next: { log.value.append("late\($0)") }, completed: { log.value.append("late completed") })
    }
    subject.send(1)
    #expect(log.value == ["a1", "a completed", "late completed"])
    #expect(first.isDisposed)
  }

  @Test(
    "during completion, sends are dropped, disposal is immediate, and a new subscriber receives completion")
  func insideTerminal() {
    let subject = self.subject
    let log = self.log
    let last = Box<Subscription?>(nil)
    let first = subject.subscribe(completed: {
      log.value.append("a completed")
      subject.send(1)
      subject.complete()
      last.value?.dispose()
      subject.subscribe(completed: { log.value.append("late completed") })
    })
    last.value = listen("b")
    subject.complete()
    #expect(log.value == ["a completed", "late completed"])
    #expect(first.isDisposed)
  }

  @Test("100,000 nested sends do not grow the stack")
  func deep() async {
    await #expect(processExitsWith: .success) {
      let subject = Subject<Int, Never>()
      let values = Counter()
      subject.subscribe(next: { value in
        values.add()
        if value < manyRounds { subject.send(value + 1) } else { subject.complete() }
      })
      subject.send(1)
      #expect(values.value == manyRounds)
    }
  }
}
