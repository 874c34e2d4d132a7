// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// One observer on several signals.
struct ObserverTests {
  private func open(_ held: Held<Oops>, cleanup: Counter) -> Signal<Int, Oops> {
    .create { observer in
      held.value = observer
      return ActionDisposable { cleanup.add() }
    }
  }

  @Test("A6 AC3: the first terminal event ends all subscriptions of an observer", arguments: [false, true])
  func firstTerminalEndsAll(fails: Bool) {
    let events = Box<[Event<Int, Oops>]>([])
    let observer = Observer<Int, Oops>(
      next: { events.value.append(.next($0)) }, failed: { events.value.append(.failed($0)) },
      completed: { events.value.append(.completed) })
    let (first, second) = (Held<Oops>(nil), Held<Oops>(nil))
    let (firstCleanup, secondCleanup) = (Counter(), Counter())
    open(first, cleanup: firstCleanup).forward(to: observer)
    let other = open(second, cleanup: secondCleanup).forward(to: observer)
    second.value?.send(1)
    first.value?.send(2)
    if fails { first.value?.fail(Oops()) } else { first.value?.complete() }
    #expect((firstCleanup.value, secondCleanup.value) == (1, 1))
    #expect(other.isDisposed)
    #expect(observer.isEnded)
    second.value?.send(3)
    second.value?.complete()
    #expect(events.value == [.next(1), .next(2), fails ? .failed(Oops()) : .completed])
  }

  @Test(
    "A6: an observer has ended as soon as it accepts a nested terminal event, before that is delivered")
  func endedInside() {
    let (held, seen) = (Box<Observer<Int, Oops>?>(nil), Box<[Bool]>([]))
    let log = Box<[Int]>([])
    let observer = Observer<Int, Oops>(
      next: { value in
        log.value.append(value)
        seen.value.append(held.value?.isEnded ?? true)
        held.value?.complete()
        seen.value.append(held.value?.isEnded ?? false)
      }, completed: { log.value.append(-1) })
    held.value = observer
    observer.send(1)
    #expect(seen.value == [false, true])
    observer.send(2)
    #expect(log.value == [1, -1])
    held.value = nil
  }

  @Test(
    "A6: an observer has ended as soon as it accepts a terminal event during a delivery on another thread")
  func endedBeside() {
    let (entered, leave, hasEnded) = (Door(), Door(), Box(false))
    let observer = Observer<Int, Never>(next: { _ in
      entered.open()
      leave.pass()
    })
    withThreads(2) { index in
      if index == 0 {
        observer.send(1)
      } else {
        entered.pass()
        observer.complete()
        hasEnded.value = observer.isEnded
        leave.open()
      }
    }
    #expect(hasEnded.value)
  }

  @Test("A6: disposing one subscription of an observer leaves the others active")
  func disposingOne() {
    let values = Box<[Int]>([])
    let observer = Observer<Int, Never>(next: { values.value.append($0) })
    let (left, right) = (Subject<Int, Never>(), Subject<Int, Never>())
    let subscription = left.forward(to: observer)
    right.forward(to: observer)
    subscription.dispose()
    left.send(1)
    right.send(2)
    #expect(values.value == [2])
    #expect(!observer.isEnded)
  }

  @Test("A7 AC4: subscribing an observer that has ended runs the source and disposes it at once")
  func subscribingAnEndedOne() {
    let observer = Observer<Int, Oops>(next: { _ in Issue.record("delivered after the end") })
    observer.complete()
    let runs = Counter()
    let cleanup = Counter()
    let subscription = Signal<Int, Oops>.create { inner in
      runs.add()
      inner.send(1)
      return ActionDisposable { cleanup.add() }
    }.forward(to: observer)
    #expect((runs.value, cleanup.value) == (1, 1))
    #expect(subscription.isDisposed)
  }

  @Test("A8: disposed subscriptions leave no memory behind in their observer")
  func endedSubscriptionsAreForgotten() async {
    await #expect(processExitsWith: .success) {
      let observer = Observer<Int, Never>()
      let subject = Subject<Int, Never>()
      let growth = allocatedGrowth { subject.forward(to: observer).dispose() }
      #expect(growth < spareMemory)
    }
  }

  @Test("A11: a source that ignores its observer is disposed at once")
  func ignoredObserver() {
    let cleanup = Counter()
    let completions = Counter()
    let subscription = Signal<Int, Never>.create { _ in ActionDisposable { cleanup.add() } }
      .subscribe(completed: { completions.add() })
    #expect(subscription.isDisposed)
    #expect((cleanup.value, completions.value) == (1, 0))
  }

  @Test("A11: releasing the last reference to an observer ends its subscription")
  func droppedObserver() {
    let held = Held<Oops>(nil)
    let cleanup = Counter()
    let subscription = open(held, cleanup: cleanup).subscribe()
    #expect(!subscription.isDisposed)
    held.value = nil
    #expect(subscription.isDisposed)
    #expect(cleanup.value == 1)
  }

  @Test("A12 AC2: forwarding another signal to the observer of create links the two subscriptions")
  func handedOn() {
    let cleanup = Counter()
    let held = Held<Oops>(nil)
    let inner = open(held, cleanup: cleanup)
    let recorder = Recorder(
      Signal<Int, Oops>.create { observer in
        inner.forward(to: observer)
        return nil
      })
    held.value?.send(5)
    #expect(cleanup.value == 0)
    recorder.dispose()
    #expect(cleanup.value == 1)
    held.value?.send(6)
    #expect(recorder.events == [.next(5)])
  }

  @Test("A12: a completion that is forwarded to the observer of create reaches the subscriber")
  func handedOnTerminal() {
    let recorder = Recorder(
      Signal<Int, Oops>.create { observer in
        Signal<Int, Oops>([1, 2]).forward(to: observer)
        return nil
      })
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }
}
