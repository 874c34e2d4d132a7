// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Replaying operators, which connect once and stay connected.
struct ReplayTests {
  typealias Source = MulticastConnectionTests.Source

  @Test("replay runs the source at once, and replays all events")
  func replay() {
    let source = Source()
    let shared = source.signal.replay()
    #expect(source.runs.value == 1)
    source.held.value?.send(1)
    let first = Recorder(shared)
    source.held.value?.send(2)
    source.held.value?.complete()
    let second = Recorder(shared)
    #expect(first.events == [.next(1), .next(2), .completed])
    #expect(second.events == first.events)
    #expect(source.runs.value == 1)
  }

  @Test("replayLast replays the last value, or the last n values, and the terminal event")
  func replayLast() {
    let source = Source()
    let (one, two) = (source.signal.replayLast(), Signal<Int, Oops>([1, 2, 3]).replayLast(2))
    for value in 1...3 { source.held.value?.send(value) }
    #expect(Recorder(one).events == [.next(3)])
    source.held.value?.fail(Oops())
    #expect(Recorder(one).events == [.next(3), .failed(Oops())])
    #expect(Recorder(two).events == [.next(2), .next(3), .completed])
  }

  @Test("AC57: replayLazily runs the source once for two subscribers, and both receive the same events")
  func replayLazily() {
    let source = Source()
    let shared = source.signal.replayLazily()
    #expect(source.runs.value == 0)
    let first = Recorder(shared)
    #expect(source.runs.value == 1)
    source.held.value?.send(1)
    let second = Recorder(shared)
    source.held.value?.send(2)
    source.held.value?.complete()
    #expect(source.runs.value == 1)
    #expect(first.events == [.next(1), .next(2), .completed])
    #expect(second.events == first.events)
    #expect(Recorder(shared).events == first.events)
  }

  @Test(
    "AC57: replayLazily delivers the values of a synchronous source to the first subscriber as they are sent")
  func replayLazilySynchronous() {
    let log = Box<[String]>([])
    let source = Signal<Int, Never>([1, 2]).doNext { log.value.append("sent \($0)") }
    source.replayLazily().subscribe(
      next: { log.value.append("got \($0)") }, completed: { log.value.append("completed") })
    #expect(log.value == ["sent 1", "got 1", "sent 2", "got 2", "completed"])
  }

  @Test(
    "L6: the source stays connected without subscribers, even when the signal has been released",
    arguments: 0..<3)
  func staysConnected(form: Int) {
    let source = Source()
    do {
      let shared =
        switch form {
        case 0: source.signal.replay()
        case 1: source.signal.replayLast()
        default: source.signal.replayLazily()
        }
      Recorder(shared).dispose()
    }
    #expect(source.runs.value == 1)
    source.held.value?.send(1)
    #expect(source.cleanups.value == 0)
    source.held.value?.complete()
    #expect(source.cleanups.value == 1)
  }

  @Test("L7: replayLazily replays all events after take(until:) has ended the source")
  func cutOff() {
    let (source, stop) = (Subject<Int, Never>(), Subject<Int, Never>())
    let shared = source.take(until: stop).replayLazily()
    let first = Recorder(shared)
    source.send(1)
    source.send(2)
    stop.send(0)
    source.send(3)
    #expect(first.events == [.next(1), .next(2), .completed])
    #expect(Recorder(shared).events == first.events)
  }

  @Test("L7: replayLazily keeps its history when the source releases its sink without a terminal event")
  func letGo() {
    let source = Source()
    let shared = source.signal.replayLazily()
    let first = Recorder(shared)
    source.held.value?.send(1)
    source.held.value = nil
    #expect(source.cleanups.value == 1)
    #expect(first.values == [1])
    #expect(Recorder(shared).values == [1])
    #expect(source.runs.value == 1)
  }

  @Test("a task that waits for the end of a replayed signal goes on when its source was abandoned")
  func awaited() async {
    let pool = WorkerPool(threads: 1)
    let source = Subject<Int, Never>()
    let replayed = source.observe(on: pool).replayLast()
    let started = Signal<Int, Never>.startEagerly(on: pool) { $0.send(1) }
    #expect(await started.completion() == false)
    _ = await pool.shutdown(within: .seconds(10))
    source.send(2)
    #expect(await replayed.completion() == false)
    #expect(Recorder(replayed).subscription.isDisposed)
  }

  @Test("AC56: a subscriber added after the last one was disposed receives only the history from autoconnect")
  func autoconnect() {
    let source = Source()
    let shared = source.signal.multicast(ReplaySubject(capacity: .unbounded)).autoconnect()
    let first = Recorder(shared)
    source.held.value?.send(1)
    source.held.value?.send(2)
    first.dispose()
    #expect(source.cleanups.value == 1)
    let late = Recorder(shared)
    #expect(late.events == [.next(1), .next(2)])
    #expect(late.subscription.isDisposed)
    #expect(source.runs.value == 1)
  }

  @Test(
    "share(replay:): a late subscriber receives the history of the run, with .forever also that of earlier runs",
    arguments: lifetimes)
  func share(lifetime: ShareLifetime) {
    let source = Source()
    let shared = source.signal.share(replay: 2, lifetime: lifetime)
    let first = Recorder(shared)
    for value in 1...3 { source.held.value?.send(value) }
    let second = Recorder(shared)
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [2, 3])
    first.dispose()
    second.dispose()
    // No subscriber is left: one history is gone, the other is continued by the next run.
    let third = Recorder(shared)
    #expect(source.runs.value == 2)
    source.held.value?.send(4)
    source.held.value?.complete()
    #expect(
      third.events
        == (lifetime == .forever ? [.next(2), .next(3), .next(4), .completed] : [.next(4), .completed]))
    let late = Recorder(shared)
    #expect(source.runs.value == (lifetime == .forever ? 2 : 3))
    #expect(late.events == (lifetime == .forever ? [.next(3), .next(4), .completed] : []))
    late.dispose()
  }

  @Test(
    "share(replay:lifetime: .forever): a subscriber that the history satisfies does not connect, the next one does"
  )
  func satisfiedByHistory() {
    let source = Source()
    let shared = source.signal.share(replay: 1, lifetime: .forever)
    let first = Recorder(shared)
    source.held.value?.send(1)
    first.dispose()
    #expect(Recorder(shared.take(first: 1)).events == [.next(1), .completed])
    #expect(source.runs.value == 1)
    let third = Recorder(shared)
    #expect(source.runs.value == 2)
    source.held.value?.send(2)
    #expect(third.values == [1, 2])
    third.dispose()
  }

  @Test(
    "share(replay:): the history is released with the last subscriber, with .forever with the shared signal",
    arguments: lifetimes)
  func released(lifetime: ShareLifetime) {
    let resources = Resources()
    let source = Subject<Resources.Resource, Never>()
    do {
      let shared = source.share(replay: .unbounded, lifetime: lifetime)
      let subscription = shared.subscribe()
      for _ in 0..<10 { source.send(resources.make()) }
      #expect(resources.alive == 10)
      subscription.dispose()
      #expect(resources.alive == (lifetime == .forever ? 10 : 0))
      withExtendedLifetime((shared, subscription)) {}
    }
    #expect(resources.alive == 0)
  }

  @Test("share(replay:): with .whileConnected the history of a run is released when the run completes")
  func releasedAtTheEnd() {
    let resources = Resources()
    let source = Subject<Resources.Resource, Never>()
    let shared = source.share(replay: .unbounded)
    let subscription = shared.subscribe()
    source.send(resources.make())
    source.complete()
    #expect(resources.alive == 0)
    withExtendedLifetime((shared, subscription)) {}
  }
}
