// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// A connection that is made by its first subscriber and ended by its last.
struct AutoconnectTests {
  typealias Source = MulticastConnectionTests.Source

  @Test("L4: the first subscriber is attached before the source is connected, so it receives every value")
  func attachedFirst() {
    let shared = Signal<Int, Never>([1, 2]).publish().autoconnect()
    #expect(Recorder(shared).events == [.next(1), .next(2), .completed])
    #expect(Recorder(shared).events == [.completed])
  }

  @Test("L4 AC56: the source is disposed with the last subscriber, not before, and never runs again")
  func lastLeaves() {
    let source = Source()
    let shared = source.signal.publish().autoconnect()
    let (first, second) = (Recorder(shared), Recorder(shared))
    #expect(source.runs.value == 1)
    source.held.value?.send(1)
    first.dispose()
    first.dispose()
    #expect(source.cleanups.value == 0)
    source.held.value?.send(2)
    second.dispose()
    #expect(source.cleanups.value == 1)
    #expect(first.values == [1])
    #expect(second.values == [1, 2])
    _ = Recorder(shared)
    #expect(source.runs.value == 1)
  }

  @Test(
    "L4: an observer that has already ended is not counted: it neither connects nor disconnects the source")
  func comesEnded() {
    let source = Source()
    let shared = source.signal.publish().autoconnect()
    let ended = Subject<Int, Oops>()
    ended.complete()
    #expect(shared.forward(to: ended).isDisposed)
    #expect(source.runs.value == 0)
    let recorder = Recorder(shared)
    source.held.value?.send(1)
    #expect(recorder.values == [1] && source.runs.value == 1)
  }

  @Test("L5: a subscriber added after the connection has ended is disposed and released at once")
  func late() {
    let resources = Resources()
    let source = Source()
    let connection = source.signal.publish()
    let shared = connection.autoconnect()
    Recorder(shared).dispose()
    let late = shared.subscribe(next: { [token = resources.make()] _ in _ = token }, failed: { _ in })
    #expect(late.isDisposed)
    #expect(resources.alive == 0)
    #expect(connection.connect().isDisposed)
  }

  @Test(
    "L4: every subscriber receives the terminal event of the source, and so does a late one",
    arguments: [false, true])
  func ended(fails: Bool) {
    let source = Source()
    let shared = source.signal.publish().autoconnect()
    let (first, second) = (Recorder(shared), Recorder(shared))
    let end: Event<Int, Oops> = fails ? .failed(Oops()) : .completed
    source.held.value?.send(end)
    #expect(first.events == [end])
    #expect(second.events == [end])
    #expect(Recorder(shared).events == [end])
    #expect(source.cleanups.value == 1)
    #expect(source.runs.value == 1)
  }

  @Test(
    "L4: a subscriber added while the completion is buffered receives it, although the last one was just disposed"
  )
  func comesBeforeTheEnd() {
    let (source, hub) = (Subject<Int, Never>(), Subject<Int, Never>())
    let shared = source.multicast(hub).autoconnect()
    let first = Box<Subscription?>(nil)
    let late = Box<Recorder<Int, Never>?>(nil)
    first.value = shared.subscribe { _ in
      source.complete()
      first.value?.dispose()
      late.value = Recorder(shared)
    }
    hub.send(1)
    #expect(late.value?.events == [.completed])
  }

  @Test("all autoconnecting signals of a connection share one subscriber count")
  func twoSignals() {
    let source = Source()
    let connection = source.signal.publish()
    let (first, second) = (Recorder(connection.autoconnect()), Recorder(connection.autoconnect()))
    first.dispose()
    #expect(source.cleanups.value == 0)
    source.held.value?.send(1)
    #expect(second.values == [1])
    second.dispose()
    #expect(source.cleanups.value == 1)
  }

  @Test("the connection ends with the last subscriber, even if it was made with connect()")
  func connectedByHand() {
    let source = Source()
    let connection = source.signal.publish()
    let subscription = connection.connect()
    let recorder = Recorder(connection.autoconnect())
    #expect(source.runs.value == 1)
    recorder.dispose()
    #expect(subscription.isDisposed)
    #expect(source.cleanups.value == 1)
  }

  @Test("disposing the connection directly disposes its subscriptions without a terminal event")
  func disposedByHand() {
    let source = Source()
    let connection = source.signal.publish()
    let recorder = Recorder(connection.autoconnect())
    connection.connect().dispose()
    #expect(recorder.subscription.isDisposed)
    #expect(recorder.events.isEmpty)
    #expect(Recorder(connection.autoconnect()).subscription.isDisposed)
  }

  @Test(
    "disposing the connection during a delivery also ends the subscribers that have not received the value yet"
  )
  func disposedInValue() {
    let source = Subject<Int, Never>()
    let connection = source.multicast(ReplaySubject(capacity: 1))
    let shared = connection.autoconnect()
    let wasDisposed = Box<Bool?>(nil)
    let second = Box<Recorder<Int, Never>?>(nil)
    let first = shared.subscribe { _ in
      connection.connect().dispose()
      wasDisposed.value = second.value?.subscription.isDisposed
    }
    second.value = Recorder(shared)
    source.send(1)
    #expect(first.isDisposed && wasDisposed.value == true)
    #expect(second.value?.events.isEmpty == true)
    let late = Recorder(shared)
    #expect(late.events == [.next(1)] && late.subscription.isDisposed)
  }

  @Test(
    "a completion sent while the connection is being disposed is not delivered; the subscriptions are disposed"
  )
  func endsInDisposal() {
    let source = Source()
    let connection = source.signal.publish()
    let recorder = Recorder(connection.autoconnect())
    connection.connect().add(ActionDisposable { source.held.value?.complete() })
    connection.connect().dispose()
    #expect(recorder.events.isEmpty && recorder.subscription.isDisposed)
  }

  @Test(
    "a source that releases its sink without a terminal event ends the subscriptions of a retained signal")
  func letGo() {
    let source = Source()
    let shared = source.signal.publish().autoconnect()
    let recorder = Recorder(shared)
    source.held.value = nil
    #expect(recorder.subscription.isDisposed)
    #expect(Recorder(Signal<Int, Never>.never().publish().autoconnect()).subscription.isDisposed)
    withExtendedLifetime(shared) {}
  }

  @Test("a subscriber that disposes itself on its first value stops a synchronous source")
  func disposedInFirstValue() {
    let sent = Counter()
    let source = Signal<Int, Never>(0...).doNext { _ in sent.add() }
    let recorder = Recorder(source.publish().autoconnect().take(first: 1))
    #expect(recorder.events == [.next(0), .completed])
    #expect(sent.value == 1)
  }

  @Test("a value that the clean-up of the source sends to the subject does not reach a disposed subscriber")
  func sentInCleanup() {
    let (subject, held) = (Subject<Int, Never>(), Held<Never>(nil))
    let source = Signal<Int, Never>.create { observer in
      held.value = observer
      return ActionDisposable { subject.send(2) }
    }
    let recorder = Recorder(source.multicast(subject).autoconnect())
    held.value?.send(1)
    recorder.dispose()
    #expect(recorder.events == [.next(1)])
  }

  @Test("a subscriber added during a delivery receives only later values")
  func nestedSubscribe() {
    let source = Source()
    let shared = source.signal.publish().autoconnect()
    let inner = Box<Recorder<Int, Oops>?>(nil)
    let outer = shared.subscribe(
      next: { _ in if inner.value == nil { inner.value = Recorder(shared) } }, failed: { _ in })
    source.held.value?.send(1)
    source.held.value?.send(2)
    #expect(inner.value?.values == [2])
    outer.dispose()
    #expect(source.cleanups.value == 0)
    inner.value?.dispose()
    #expect(source.cleanups.value == 1)
  }

  @Test("a subscription made while the source is disposed starts no new run, and is disposed at once")
  func subscribesInDisposal() {
    let shared = Box<Signal<Int, Never>?>(nil)
    let inner = Box<Subscription?>(nil)
    let runs = Counter()
    shared.value = Signal<Int, Never>.create { _ in
      runs.add()
      return ActionDisposable { inner.value = shared.value?.subscribe() }
    }.publish().autoconnect()
    // Nothing retains the observer of the source, so the run ends at once.
    #expect(shared.value?.subscribe().isDisposed == true)
    #expect(inner.value?.isDisposed == true)
    #expect(runs.value == 1)
    shared.value = nil
  }
}
