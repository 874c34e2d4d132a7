// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// How a run unsubscribes from its hot sources.
struct RegistrationTests {
  /// Calls a closure when it is deallocated.
  private final class Token: Sendable {
    private let released: @Sendable () -> Void
    init(_ released: @escaping @Sendable () -> Void) { self.released = released }
    deinit { released() }
  }

  @Test("a run is over when the thread that has ended it says so, not when others have helped with that")
  func helped() {
    withWords(1) { words in
      let registration = Registration(AtomicWord(words))
      registration.help()
      #expect(!registration.isOver)
      registration.help()
      #expect(!registration.isOver && !registration.isInUse)
      registration.stop()
      #expect(registration.isOver)
      registration.help()
      registration.leave()
      #expect(registration.isOver)
    }
  }

  @Test(
    "a subscriber of a shared signal leaves before clean-ups are called, also while the run's list is swept",
    arguments: [false, true])
  func sharedInSweptList(isSwept: Bool) {
    let (input, log) = (Subject<Int, Never>(), Box<[Int]>([]))
    let shared: Signal<Int, Never> = input.doNext { log.value.append($0) }.share()
    let run = Subscription()
    run.add(ActionDisposable { input.send(1) })
    shared.attach(Sink<Int, Never>(next: { _ in }, terminate: { _ in }, subscription: run))
    // As another thread leaves it that stalls in a sweep.
    if isSwept { _ = run.list.head.formUnion(DisposalList.sweeping) }
    run.dispose()
    #expect(log.value.isEmpty)
  }

  @Test("disposing a run that is subscribed to two hot sources unsubscribes it from both")
  func twoSources() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    let values = Box<[Int]>([])
    let both = Signal<Int, Never>.attaching { sink in
      first.signal.attach(sink)
      second.signal.attach(sink)
    }
    let subscription = both.subscribe { values.value.append($0) }
    first.send(1)
    second.send(2)
    subscription.dispose()
    first.send(3)
    second.send(4)
    #expect(values.value == [1, 2])
    #expect((first.subscriberCount, second.subscriberCount) == (0, 0))
  }

  @Test(
    "DD-2: after a second dispose() has returned during the first, no hot source of the run delivers to it")
  func secondDispose() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    let (values, seen, run) = (Box<[Int]>([]), Box<[Int]>([]), Box<Subscription?>(nil))
    let both = Signal<Int, Never>.attaching { sink in
      first.signal.attach(sink)
      sink.subscription.add(
        ActionDisposable {
          // The other source's subscriber is not disposed yet.
          run.value?.dispose()
          first.send(2)
          second.send(3)
        })
      second.signal.attach(sink)
    }
    run.value = both.subscribe { values.value.append($0) }
    first.send(0)
    second.send(1)
    run.value?.dispose()
    #expect(values.value == [0, 1])
    // With an operator as the subscriber instead of a closure.
    run.value = both.doNext { seen.value.append($0) }.subscribe()
    first.send(4)
    second.send(5)
    run.value?.dispose()
    #expect(seen.value == [4, 5])
    run.value = nil
  }

  @Test(
    "DD-2: a sweep keeps a child run whose disposal is unfinished, so that disposing the parent silences it")
  func sweptWhileEnding() {
    let (source, parent, values) = (Subject<Int, Never>(), Subscription(), Counter())
    let child = source.subscribe { values.add($0) }
    parent.adopt(child)
    // As by another thread that has stopped halfway through the disposal.
    #expect(child.list.close() == 0)
    for _ in 0..<40 {
      let other = Subscription()
      parent.adopt(other)
      other.dispose()
    }
    #expect(parent.list.shells.load() < 40)
    parent.dispose()
    source.send(1)
    #expect(values.value == 0)
    child.registration.stop()
    child.registration.leave()
  }

  @Test("O3: disposal unsubscribes a run from its source first, then disposes the added disposables in order")
  func order() {
    let source = Subject<Int, Never>()
    let log = Box<[String]>([])
    let signal = Signal<Int, Never>.attaching { sink in
      sink.subscription.add(ActionDisposable { log.value.append("before") })
      source.signal.attach(sink)
      sink.subscription.add(ActionDisposable { log.value.append("after") })
    }
    let subscription = signal.subscribe { [token = Token { log.value.append("left") }] _ in _ = token }
    subscription.dispose()
    #expect(log.value == ["left", "before", "after"])
  }
}
