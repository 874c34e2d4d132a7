// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

let lifetimes = [ShareLifetime.whileConnected, .forever]

/// One run of the source for all current subscribers, and a new one for those that come when it has ended.
struct ShareTests {
  typealias Source = MulticastConnectionTests.Source

  @Test(
    "DD-12: subscribers share one run, which is disposed with the last of them; the next one starts a new run",
    arguments: lifetimes)
  func reconnects(lifetime: ShareLifetime) {
    let source = Source()
    let shared = source.signal.share(lifetime: lifetime)
    #expect(source.runs.value == 0)
    for round in 1...3 {
      let (first, second) = (Recorder(shared), Recorder(shared))
      #expect(source.runs.value == round)
      source.held.value?.send(round)
      first.dispose()
      first.dispose()
      #expect(source.cleanups.value == round - 1)
      second.dispose()
      #expect(source.cleanups.value == round)
      #expect(first.values == [round])
      #expect(second.values == [round])
    }
  }

  @Test(
    "DD-12: after the terminal event .whileConnected runs the source again, .forever replays the event",
    arguments: [false, true])
  func afterTheEnd(fails: Bool) {
    let end: Event<Int, Oops> = fails ? .failed(Oops()) : .completed
    for (lifetime, runs) in [(ShareLifetime.whileConnected, 2), (.forever, 1)] {
      let source = Source()
      let shared = source.signal.share(lifetime: lifetime)
      let (first, second) = (Recorder(shared), Recorder(shared))
      source.held.value?.send(end)
      #expect(first.events == [end])
      #expect(second.events == [end])
      #expect(source.cleanups.value == 1)
      let late = Recorder(shared)
      #expect(source.runs.value == runs)
      #expect(late.events == (lifetime == .forever ? [end] : []))
      late.dispose()
      #expect(source.cleanups.value == runs)
    }
  }

  @Test(
    "a subscriber added inside the completion starts a new run, or receives the completion with .forever",
    arguments: lifetimes)
  func insideTheEnd(lifetime: ShareLifetime) {
    let source = Source()
    let shared = source.signal.share(lifetime: lifetime)
    let inner = Box<Recorder<Int, Oops>?>(nil)
    shared.subscribe(failed: { _ in }, completed: { inner.value = Recorder(shared) })
    source.held.value?.complete()
    #expect(source.runs.value == (lifetime == .forever ? 1 : 2))
    #expect(inner.value?.events == (lifetime == .forever ? [.completed] : []))
    inner.value?.dispose()
  }

  @Test("retry and repeat downstream of a shared signal run its source again")
  func retried() {
    let runs = Counter()
    let source = Signal<Int, Oops>.deferred {
      runs.add() < 2 ? Signal<Int, Oops>([1]).concat(Signal.fail(Oops())) : Signal([2])
    }
    #expect(Recorder(source.share().retry()).events == [.next(1), .next(1), .next(2), .completed])
    #expect(runs.value == 3)
    #expect(Recorder(Signal<Int, Oops>([1]).share().repeat(times: 3)).values == [1, 1, 1])
  }

  @Test("many runs in a row that complete while connecting run in constant stack space")
  func deep() {
    withSmallStack {
      let values = Counter()
      Signal<Int, Never>.just(1).share().repeat(times: roundsOfEach).subscribe { values.add($0) }
      #expect(values.value == roundsOfEach)
    }
  }

  @Test(
    "a synchronous source delivers all events while connecting; a second subscriber runs it again unless .forever",
    arguments: lifetimes)
  func synchronous(lifetime: ShareLifetime) {
    let source = Signal<Int, Never>([1, 2])
    let runs = Counter()
    let shared = source.initially { runs.add() }.share(lifetime: lifetime)
    #expect(Recorder(shared).events == [.next(1), .next(2), .completed])
    #expect(
      Recorder(shared).events == (lifetime == .forever ? [.completed] : [.next(1), .next(2), .completed]))
    #expect(runs.value == (lifetime == .forever ? 1 : 2))
  }

  @Test(
    "a subscriber that disposes itself on its first value stops a synchronous source", arguments: lifetimes)
  func disposedInFirstValue(lifetime: ShareLifetime) {
    let sent = Counter()
    let shared = Signal<Int, Never>(0...).doNext { _ in sent.add() }.share(lifetime: lifetime)
    for round in 1...2 {
      #expect(Recorder(shared.take(first: 1)).events == [.next(0), .completed])
      #expect(sent.value == round)
    }
  }

  @Test(
    "a subscriber that adds another one and disposes itself during a delivery does not end the run",
    arguments: lifetimes)
  func nestedSubscribe(lifetime: ShareLifetime) {
    let source = Source()
    let shared = source.signal.share(lifetime: lifetime)
    let inner = Box<Recorder<Int, Oops>?>(nil)
    let outer = Box<Subscription?>(nil)
    outer.value = shared.subscribe(
      next: { _ in
        inner.value = Recorder(shared)
        outer.value?.dispose()
      }, failed: { _ in })
    source.held.value?.send(1)
    source.held.value?.send(2)
    #expect(source.runs.value == 1)
    #expect(source.cleanups.value == 0)
    #expect(inner.value?.values == [2])
    inner.value?.dispose()
    #expect(source.cleanups.value == 1)
  }

  @Test(
    "disposing the last subscriber during a delivery ends the run; subscribing again there starts a new one",
    arguments: lifetimes)
  func leavesAndComesBack(lifetime: ShareLifetime) {
    let source = Source()
    let shared = source.signal.share(lifetime: lifetime)
    let inner = Box<Recorder<Int, Oops>?>(nil)
    let outer = Box<Subscription?>(nil)
    outer.value = shared.subscribe(
      next: { _ in
        outer.value?.dispose()
        inner.value = Recorder(shared)
      }, failed: { _ in })
    let old = source.held.value
    old?.send(1)
    #expect(source.runs.value == 2)
    #expect(source.cleanups.value == 1)
    old?.send(2)
    source.held.value?.send(3)
    #expect(inner.value?.values == [3])
    inner.value?.dispose()
    #expect(source.cleanups.value == 2)
  }

  @Test("a subscription made while the source is disposed starts a new run", arguments: lifetimes)
  func subscribesInDisposal(lifetime: ShareLifetime) {
    let shared = Box<Signal<Int, Never>?>(nil)
    let inner = Box<Recorder<Int, Never>?>(nil)
    let held = Held<Never>(nil)
    let (runs, cleanups) = (Counter(), Counter())
    shared.value = Signal<Int, Never>.create { observer in
      runs.add()
      held.value = observer
      return ActionDisposable {
        if cleanups.add() == 0 { inner.value = shared.value.map { Recorder($0) } }
      }
    }.share(lifetime: lifetime)
    let outer = shared.value.map { Recorder($0) }
    outer?.dispose()
    #expect(runs.value == 2)
    #expect(cleanups.value == 1)
    held.value?.send(1)
    #expect(inner.value?.values == [1])
    #expect(outer?.values == [])
    inner.value?.dispose()
    #expect(cleanups.value == 2)
    #expect(runs.value == 2)
    shared.value = nil
  }

  @Test(
    "a source that releases its sink without a terminal event ends its subscriptions; the next one runs it again",
    arguments: lifetimes)
  func letGo(lifetime: ShareLifetime) {
    let source = Source()
    let shared = source.signal.share(lifetime: lifetime)
    let recorder = Recorder(shared)
    source.held.value = nil
    #expect(recorder.subscription.isDisposed)
    #expect(recorder.events.isEmpty)
    let next = Recorder(shared)
    #expect(source.runs.value == 2)
    source.held.value?.send(1)
    #expect(next.values == [1])
    next.dispose()
  }

  @Test("late events of an earlier run are ignored", arguments: lifetimes)
  func lateEvents(lifetime: ShareLifetime) {
    // A source that retains its sinks and does not check whether they have ended.
    let sinks = Box<[Sink<Int, Oops>]>([])
    let source = Signal<Int, Oops>.attaching { sinks.value.append($0) }
    let shared = source.share(lifetime: lifetime)
    Recorder(shared).dispose()
    let recorder = Recorder(shared)
    #expect(sinks.value.count == 2)
    sinks.value[0].next(1)
    sinks.value[0].terminate(.completed)
    sinks.value[1].next(2)
    #expect(recorder.events == [.next(2)])
    recorder.dispose()
    sinks.value = []
  }

  @Test("a subscriber that is already disposed does not connect the source")
  func disposedBefore() {
    let source = Source()
    let sink = Sink<Int, Oops>(next: { _ in }, terminate: { _ in }, subscription: Subscription())
    sink.subscription.dispose()
    source.signal.share().attach(sink)
    #expect(source.runs.value == 0)
  }

  @Test(
    "connecting: the source is connected at the minimum of subscribers, and disposed with the last of them",
    arguments: lifetimes)
  func minimum(lifetime: ShareLifetime) {
    let source = Source()
    let shared = source.signal.share(lifetime: lifetime, connecting: .atSubscribers(2))
    for round in 1...2 {
      Recorder(shared).dispose()
      #expect(source.runs.value == round - 1)
      let (first, second) = (Recorder(shared), Recorder(shared))
      #expect(source.runs.value == round)
      first.dispose()
      source.held.value?.send(1)
      #expect(second.values == [1])
      #expect(source.cleanups.value == round - 1)
      second.dispose()
      #expect(source.cleanups.value == round)
    }
  }

  @Test("connecting: releasing the shared signal ends a subscription that waits for the minimum")
  func minimumReleased() {
    let resources = Resources()
    let subscription = Signal<Int, Never>.never().share(connecting: .atSubscribers(2))
      .subscribe(next: { [token = resources.make()] _ in _ = token })
    #expect(subscription.isDisposed)
    #expect(resources.alive == 0)
  }

  @Test("subscribers retain the run when the shared signal is released")
  func signalReleased() {
    let source = Source()
    let recorder = Recorder(source.signal.share())
    source.held.value?.send(1)
    #expect(recorder.values == [1])
    recorder.dispose()
    #expect(source.cleanups.value == 1)
  }

  @Test(
    "a subscriber that releases the shared signal on the terminal event does not prevent its delivery to others",
    arguments: lifetimes)
  func droppedAtTheEnd(lifetime: ShareLifetime) {
    for ending in [Event<Int, Oops>.completed, .failed(Oops())] {
      let source = Subject<Int, Oops>()
      let shared = Box<Signal<Int, Oops>?>(source.share(lifetime: lifetime))
      let first = shared.value?.subscribe(
        failed: { _ in shared.value = nil }, completed: { shared.value = nil })
      let second = shared.value.map { Recorder($0) }
      source.send(1)
      if case .completed = ending { source.complete() } else { source.fail(Oops()) }
      #expect(shared.value == nil && first?.isDisposed == true)
      #expect(second?.events == [.next(1), ending])
    }
  }

  @Test(
    "the completion is delivered although the clean-up of the source releases the shared signal",
    arguments: lifetimes)
  func droppedByCleanup(lifetime: ShareLifetime) {
    let source = Subject<Int, Oops>()
    let shared = Box<Signal<Int, Oops>?>(nil)
    shared.value = source.signal.on(disposed: { shared.value = nil }).share(lifetime: lifetime)
    let recorder = shared.value.map { Recorder($0) }
    source.complete()
    #expect(recorder?.events == [.completed])
  }

  @Test("source and sinks are released with the last subscriber", arguments: lifetimes)
  func released(lifetime: ShareLifetime) {
    let resources = Resources()
    let subject = Subject<Int, Never>()
    let shared = Signal<Int, Never>.deferred {
      subject.map { [token = resources.make()] value in
        _ = token
        return value
      }
    }.share(lifetime: lifetime)
    for _ in 0..<3 {
      let subscriptions = (0..<3).map { _ in shared.subscribe { [token = resources.make()] _ in _ = token } }
      #expect(resources.alive == 4)
      for subscription in subscriptions { subscription.dispose() }
      #expect(resources.alive == 0)
      withExtendedLifetime(subscriptions) {}
    }
  }

  @Test("a subscriber that is disposed while it gets the history leaves then, and the source stops")
  func disposedInHistory() {
    let (alive, held) = (Counter(), Box<Observer<Int, Never>?>(nil))
    let shared = Signal<Int, Never>.create { observer in
      held.value = observer
      alive.add(1)
      return ActionDisposable { alive.add(-1) }
    }.share(replay: 1)
    let live = shared.subscribe()
    held.value?.send(1)
    let (late, seen) = (Subscription(), Box<[Int]>([]))
    shared.attach(
      Sink(
        next: { _ in
          live.dispose()
          seen.value.append(alive.value)
          late.dispose()
          seen.value.append(alive.value)
        }, terminate: { _ in }, subscription: late))
    #expect(seen.value == [1, 0] && alive.value == 0)
  }

  @Test("with one history, what a run has sent is delivered even if the next run starts before that")
  func sentBeforeTheNextRun() {
    let (trigger, runs) = (Subject<Int, Never>(), Box(0))
    let shared = Signal<Int, Never>.deferred {
      runs.value += 1
      guard runs.value == 2 else { return trigger.signal }
      return .create { observer in
        observer.send(20)
        return nil
      }
    }.share(replay: 8, lifetime: .forever)
    let (first, others) = (Box<Subscription?>(nil), Box<[Recorder<Int, Never>]>([]))
    first.value = shared.subscribe { value in
      guard value == 1 else { return }
      // The first run is over; the second one sends and lets go, and the third one starts, in this delivery.
      first.value?.dispose()
      others.value.append(Recorder(shared))
      others.value.append(Recorder(shared))
    }
    trigger.send(1)
    #expect(runs.value == 3)
    #expect(others.value.map(\.values) == [[1, 20], [1, 20]])
  }

  @Test("memory stays constant while many subscriptions are made and disposed")
  func constantMemory() async {
    await #expect(processExitsWith: .success) {
      let subject = Subject<Int, Never>()
      let shared = subject.share()
      let kept = shared.subscribe()
      let beside = allocatedGrowth { shared.subscribe().dispose() }
      kept.dispose()
      let alone = allocatedGrowth { shared.subscribe().dispose() }
      #expect(beside < spareMemory)
      #expect(alone < spareMemory)
    }
  }
}
