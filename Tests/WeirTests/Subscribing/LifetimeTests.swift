// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What retains what.
struct LifetimeTests {
  @Test("a signal is printed as its type")
  func description() {
    #expect("\(Signal<Int, Never>.just(1))" == "Signal<Int, Never>")
    #expect("\(Subject<String, Oops>().map(\.count))" == "Signal<Int, Oops>")
  }

  @Test(
    "A9 AC9: a subscription does not retain the signal; an observer still delivers after the signal is released"
  )
  func subscriptionDoesNotKeepTheSignal() {
    let resources = Resources()
    let held = Held<Never>(nil)
    let recorder: Recorder<Int, Never>
    do {
      let delayed = Signal<Int, Never>.create { [token = resources.make()] observer in
        _ = token
        held.value = observer
        return nil
      }
      recorder = Recorder(delayed.map { $0 + 1 })
    }
    #expect(resources.alive == 0)
    held.value?.send(1)
    #expect(recorder.values == [2])
  }

  @Test("A10 AC10: an operator stays in effect while the source retains the chain")
  func operatorsStay() {
    let subject = Subject<Int, Never>()
    let seen = Box<[Int]>([])
    do {
      let observed = subject.map { value in
        seen.value.append(value)
        return value
      }
      observed.subscribe()
    }
    subject.send(1)
    #expect(seen.value == [1])
  }

  @Test(
    "A17 AC8: a signal that is released releases what it captured",
    arguments: ["unused", "open", "completed", "failed"])
  func droppedSignals(state: String) {
    let resources = Resources()
    do {
      let signal = Signal<Int, Oops>.create { [token = resources.make()] observer in
        switch state {
        case "completed": observer.complete()
        case "failed": observer.fail(Oops())
        default: break
        }
        return ActionDisposable { [token] in _ = token }
      }
      if state != "unused" { signal.subscribe(failed: { _ in }) }
      #expect(resources.alive == 1)
    }
    #expect(resources.alive == 0)
  }

  @Test("A17: a signal made and subscribed to on another thread releases what it captured when it completes")
  func droppedOnAnotherThread() {
    let resources = Resources()
    let held = Held<Never>(nil)
    withThreads(1) { _ in
      let signal = Signal<Int, Never>.create { [token = resources.make()] observer in
        held.value = observer
        return ActionDisposable { [token] in _ = token }
      }
      signal.subscribe(next: { [token = resources.make()] _ in _ = token })
    }
    #expect(resources.alive == 2)
    held.value?.complete()
    #expect(resources.alive == 0)
  }

  @Test(
    "A17: a subscription that is not retained continues to deliver, and leaks nothing when it has ended",
    arguments: [false, true])
  func droppedSubscription(ends: Bool) {
    let resources = Resources()
    let held = Held<Never>(nil)
    let values = Counter()
    Signal<Int, Never>.create { observer in
      held.value = observer
      return ActionDisposable { [token = resources.make()] in _ = token }
    }.subscribe(next: { [token = resources.make()] value in
      _ = token
      values.add(value)
    })
    held.value?.send(5)
    #expect((values.value, resources.alive) == (5, 2))
    if ends { held.value?.complete() }
    held.value = nil
    #expect(resources.alive == 0)
  }

  @Test("A17: disposal releases closures and resources, although the subscription is retained")
  func disposedSubscriptionKeepsNothing() {
    let resources = Resources()
    let held = Held<Never>(nil)
    let subscription = Signal<Int, Never>.create { observer in
      held.value = observer
      return ActionDisposable { [token = resources.make()] in _ = token }
    }.subscribe(
      next: { [token = resources.make()] _ in _ = token },
      completed: { [token = resources.make()] in _ = token })
    subscription.add(ActionDisposable { [token = resources.make()] in _ = token })
    #expect(resources.alive == 4)
    subscription.dispose()
    #expect(resources.alive == 0)
    withExtendedLifetime((subscription, held)) {}
  }

  @Test("a subscription that is released before it has ended releases its child, and is not retained by it")
  func releasedParent() {
    weak var parent: Subscription?
    weak var child: Subscription?
    do {
      let (one, other) = (Subscription(), Subscription())
      one.adopt(other)
      (parent, child) = (one, other)
    }
    #expect(parent == nil)
    #expect(child == nil)
  }
}
