// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// What a subject retains, and when it releases it.
struct SubjectLifetimeTests {
  @Test(
    "A8 J6 AC7: memory stays constant when a subject is forwarded to another and disposed again and again")
  func million() async {
    await #expect(processExitsWith: .success) {
      let (source, target) = (Subject<Int, Never>(), Subject<Int, Never>())
      let growth = allocatedGrowth { source.forward(to: target).dispose() }
      #expect(growth < spareMemory)
    }
  }

  @Test("J6: memory stays constant over many disposed subscriptions beside 300 that stay")
  func churnBesideOthers() async {
    await #expect(processExitsWith: .success) {
      let subject = Subject<Int, Never>()
      let values = Counter()
      for _ in 0..<300 { subject.subscribe(next: { values.add($0) }) }
      let growth = allocatedGrowth {
        subject.subscribe(next: { values.add($0) }).dispose()
      }
      #expect(growth < spareMemory)
      subject.send(1)
      #expect(values.value == 300)
    }
  }

  @Test("disposal releases closures, although subject and subscription are retained")
  func disposed() {
    let resources = Resources()
    let subject = Subject<Int, Oops>()
    let subscription = subject.subscribe(
      next: { [token = resources.make()] _ in _ = token },
      failed: { [token = resources.make()] _ in _ = token },
      completed: { [token = resources.make()] in _ = token })
    #expect(resources.alive == 3)
    subscription.dispose()
    #expect(resources.alive == 0)
    withExtendedLifetime((subject, subscription)) {}
  }

  @Test("closures disposed inside a delivery are released when it is over")
  func disposedInside() {
    let resources = Resources()
    let subject = Subject<Int, Never>()
    let subscription = Box<Subscription?>(nil)
    let aliveInside = Box(0)
    subscription.value = subject.subscribe(next: { [token = resources.make()] _ in
      subscription.value?.dispose()
      aliveInside.value = resources.alive
      _ = token
    })
    subject.send(1)
    #expect(aliveInside.value == 1)
    #expect(resources.alive == 0)
  }

  @Test(
    "a terminal event releases closures, although subject and subscriptions are retained",
    arguments: [false, true])
  func ended(fails: Bool) {
    let resources = Resources()
    let subject = Subject<Int, Oops>()
    let subscriptions = (0..<40).map { _ in
      subject.subscribe(
        next: { [token = resources.make()] _ in _ = token },
        failed: { [token = resources.make()] _ in _ = token })
    }
    if fails { subject.fail(Oops()) } else { subject.complete() }
    #expect(resources.alive == 0)
    withExtendedLifetime((subject, subscriptions)) {}
  }

  @Test("releasing the subject releases closures, although the subscriptions are retained")
  func dropped() {
    let resources = Resources()
    var subscriptions = [Subscription]()
    do {
      let subject = Subject<Int, Never>()
      for _ in 0..<40 {
        subscriptions.append(subject.subscribe(next: { [token = resources.make()] _ in _ = token }))
      }
      #expect(resources.alive == 40)
    }
    #expect(resources.alive == 0)
    #expect(subscriptions.allSatisfy { $0.isDisposed })
  }

  @Test("subscribers that end with a subject, or in one value, are released in the order of subscription")
  func releasedInOrder() {
    func released(by end: (Subject<Int, Never>, Subscription) -> Void) -> [Int] {
      let numbers = Box<[Int]>([])
      do {
        let (subject, all) = (Subject<Int, Never>(), Subscription())
        subject.subscribe { _ in all.dispose() }
        for number in 1...40 {
          let last = ScopedDisposable(ActionDisposable { numbers.value.append(number) })
          all.adopt(subject.subscribe { _ in withExtendedLifetime(last) {} })
        }
        end(subject, all)
      }
      return numbers.value
    }
    let order = Array(1...40)
    #expect(released { _, _ in } == order)
    #expect(released { subject, _ in subject.complete() } == order)
    #expect(released { subject, _ in subject.send(1) } == order)
    #expect(released { _, all in all.dispose() } == order)
  }

  @Test("a subject released by its own subscriber still delivers the current and the queued value to all")
  func droppedInside() {
    let resources = Resources()
    let subject = Box<Subject<Int, Never>?>(Subject())
    let log = Box<[String]>([])
    subject.value?.subscribe(next: { [token = resources.make()] value in
      _ = token
      log.value.append("a\(value)")
      subject.value?.send(value + 1)
      subject.value = nil
    })
    subject.value?.subscribe(next: { log.value.append("b\($0)") })
    subject.value?.send(1)
    #expect(log.value == ["a1", "b1", "a2", "b2"])
    #expect(resources.alive == 0)
  }

  @Test("a replay subject released in its own replay delivers the whole history, then ends the subscription")
  func droppedInReplay() {
    let history = Box<ReplaySubject<Int, Never>?>(ReplaySubject(capacity: 3))
    for value in 1...3 { history.value?.send(value) }
    let values = Box<[Int]>([])
    let subscription = history.value?.subscribe { value in
      history.value = nil
      values.value.append(value)
    }
    #expect(values.value == [1, 2, 3])
    #expect(subscription?.isDisposed == true)
  }

  @Test("a completed subject released by a subscription that it adopts stays alive until that is disposed")
  func droppedWhileAdopting() {
    let subject = Box<Subject<Int, Never>?>(Subject())
    weak let handle = subject.value
    let wasThere = Box(false)
    subject.value?.complete()
    let adopted = Subscription()
    adopted.add(
      ActionDisposable {
        subject.value = nil
        wasThere.value = handle != nil
      })
    subject.value?.adopt(adopted)
    #expect(wasThere.value)
    #expect(handle == nil)
  }

  @Test("AC7: a subject released while another one is being released ends its subscriptions at once")
  func releasedInside() {
    let inner = Box<Subject<Int, Never>?>(Subject())
    let subscription = inner.value?.subscribe()
    let hasEnded = Box(false)
    do {
      let outer = Subject<Int, Never>()
      outer.on(disposed: {
        inner.value = nil
        hasEnded.value = subscription?.isDisposed == true
      }).subscribe()
    }
    #expect(hasEnded.value)
  }

  @Test("the signal of a subject, and one that is made of it, retain the subject; a subscription does not")
  func signalKeeps() {
    var subject: Subject<Int, Never>? = Subject()
    weak let handle = subject
    var signal = subject?.signal
    let subscription = signal?.subscribe()
    subject = nil
    #expect(handle != nil)
    var mapped = signal?.map { $0 }
    signal = nil
    #expect(handle != nil && mapped != nil && subscription?.isDisposed == false)
    mapped = nil
    #expect(handle == nil && subscription?.isDisposed == true)
  }

  @Test("a subscription that outlives its subject can be disposed")
  func outlived() {
    let subscription = Box<Subscription?>(nil)
    do {
      let subject = Subject<Int, Never>()
      subscription.value = subject.subscribe()
    }
    subscription.value?.dispose()
    #expect(subscription.value?.isDisposed == true)
  }

  @Test("values are released once they have been delivered")
  func values() {
    let resources = Resources()
    let subject = Subject<Resources.Resource, Never>()
    let alive = Box<[Int]>([])
    let subscription = subject.subscribe(next: { _ in
      alive.value.append(resources.alive)
      if alive.value.count == 1 {
        subject.send(resources.make())
        subject.send(resources.make())
      }
    })
    subject.send(resources.make())
    #expect(alive.value.first == 1)
    #expect(alive.value.count == 3)
    #expect(resources.alive == 0)
    subscription.dispose()
  }

  @Test("all memory blocks of a subject are freed when it is released")
  func blocks() async {
    await #expect(processExitsWith: .success) {
      let before = weir_blocks_alive()
      do {
        let subject = Subject<Int, Never>()
        let sum = Counter()
        let subscriptions = (0..<100).map { _ in subject.subscribe(next: { sum.add($0) }) }
        withThreads(2) { index in
          for value in 0..<100 { subject.send(value) }
          for subscription in subscriptions[(index * 50)..<(index * 50 + 40)] { subscription.dispose() }
        }
        #expect(weir_blocks_alive() > before)
      }
      #expect(weir_blocks_alive() == before)
    }
  }
}
