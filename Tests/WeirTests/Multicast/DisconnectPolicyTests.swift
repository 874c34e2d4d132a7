// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// The grace period of a shared signal, in virtual time.
struct DisconnectPolicyTests {
  /// A shared source whose clean-up retains a resource until it has run.
  private struct World {
    let scheduler = VirtualScheduler()
    let runs = Counter()
    let held = Held<Never>(nil)
    let resources = Resources()
    let shared: Signal<Int, Never>

    init(_ lifetime: ShareLifetime) {
      shared = Signal<Int, Never>.create { [runs, held, resources] observer in
        runs.add()
        held.value = observer
        return ActionDisposable { [token = resources.make()] in _ = token }
      }.share(replay: 1, lifetime: lifetime, disconnecting: .after(.seconds(5), on: scheduler))
    }
  }

  @Test(
    "after the grace period the source is disposed, and the next subscriber runs it again",
    arguments: lifetimes)
  func passes(lifetime: ShareLifetime) {
    let world = World(lifetime)
    for run in 1...2 {
      let recorder = Recorder(world.shared)
      #expect(world.runs.value == run)
      recorder.dispose()
      world.scheduler.advance(by: .seconds(4))
      #expect(world.resources.alive == 1)
      world.scheduler.advance(by: .seconds(1))
      #expect(world.resources.alive == 0)
    }
  }

  @Test(
    "a subscriber added within the grace period joins the run, receives its history, and cancels the timer",
    arguments: lifetimes)
  func joined(lifetime: ShareLifetime) {
    let world = World(lifetime)
    let first = Recorder(world.shared)
    world.held.value?.send(1)
    first.dispose()
    world.scheduler.advance(by: .seconds(4))
    let second = Recorder(world.shared)
    #expect(world.scheduler.waitingCount == 0)
    world.held.value?.send(2)
    #expect(second.values == [1, 2])
    #expect(world.runs.value == 1)
    // The next grace period begins anew.
    second.dispose()
    world.scheduler.advance(by: .seconds(4))
    #expect(world.resources.alive == 1)
    world.scheduler.advance(by: .seconds(1))
    #expect(world.resources.alive == 0)
  }

  @Test("a source that completes within the grace period cancels the timer", arguments: lifetimes)
  func endsMeanwhile(lifetime: ShareLifetime) {
    let world = World(lifetime)
    Recorder(world.shared).dispose()
    world.held.value?.send(1)
    world.held.value?.complete()
    #expect(world.resources.alive == 0 && world.scheduler.waitingCount == 0)
    let late = Recorder(world.shared)
    #expect(late.events == (lifetime == .forever ? [.next(1), .completed] : []))
    #expect(late.subscription.isDisposed == (lifetime == .forever))
    #expect(world.runs.value == (lifetime == .forever ? 1 : 2))
    world.held.value?.complete()
  }

  @Test("a failure within the grace period is reported as unhandled, except with .forever, which replays it")
  func failsMeanwhile() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[String]>([])
      UnhandledErrors.setHandler { reported.value.append("\($0.error) \($0.name ?? "")") }
      let scheduler = VirtualScheduler()
      for (lifetime, code) in [(ShareLifetime.whileConnected, 1), (.forever, 2)] {
        let source = Subject<Int, Oops>()
        let shared = source.named("feed").share(
          lifetime: lifetime, disconnecting: .after(.seconds(5), on: scheduler))
        Recorder(shared).dispose()
        source.fail(Oops(code: code))
        #expect(Recorder(shared).events == [.failed(Oops(code: code))])
        #expect(reported.value == ["Oops(code: 1) feed"])
      }
      // With a subscriber again.
      let source = Subject<Int, Oops>()
      let shared = source.share(disconnecting: .after(.seconds(5), on: scheduler))
      Recorder(shared).dispose()
      let recorder = Recorder(shared)
      source.fail(Oops(code: 3))
      #expect(recorder.events == [.failed(Oops(code: 3))])
      #expect(reported.value.count == 1)
    }
  }

  @Test("releasing the shared signal within the grace period disposes the source at once")
  func releasedMeanwhile() {
    let held = Box<World?>(World(.whileConnected))
    guard let scheduler = held.value?.scheduler, let resources = held.value?.resources else { return }
    if let shared = held.value?.shared { Recorder(shared).dispose() }
    #expect(resources.alive == 1)
    held.value = nil
    #expect(resources.alive == 0 && scheduler.waitingCount == 0)
  }

  @Test("when the shared signal was released before, disposing the last subscriber starts no grace period")
  func releasedBefore() {
    let cleanups = Counter()
    let held = Held<Never>(nil)
    let recorder = Recorder(
      Signal<Int, Never>.create { observer in
        held.value = observer
        return ActionDisposable { cleanups.add() }
      }.share(disconnecting: .after(.seconds(5), on: VirtualScheduler())))
    recorder.dispose()
    #expect(cleanups.value == 1)
  }

  @Test("if the scheduler of the grace period was shut down, the source is disposed at once")
  func shutDown() {
    let (scheduler, source) = (ClosedScheduler(), Subject<Int, Never>())
    let disposals = Counter()
    let shared = source.on(disposed: { disposals.add() }).share(
      disconnecting: .after(.seconds(5), on: scheduler))
    Recorder(shared).dispose()
    #expect(disposals.value == 1)
  }

  @Test(
    "never: the source is connected by the first subscriber, and runs without any until the signal is released"
  )
  func never() {
    let (source, subscriptions, disposals) = (Subject<Int, Never>(), Counter(), Counter())
    let shared = Box<Signal<Int, Never>?>(
      source.on(subscribed: { subscriptions.add() }, disposed: { disposals.add() })
        .share(replay: .last(2), lifetime: .forever, disconnecting: .never))
    func subscribe() -> Recorder<Int, Never>? { shared.value.map { Recorder($0) } }
    #expect(subscriptions.value == 0)
    let first = subscribe()
    for value in 1...3 { source.send(value) }
    first?.dispose()
    source.send(4)
    let second = subscribe()
    #expect(first?.values == [1, 2, 3] && second?.values == [3, 4])
    second?.dispose()
    #expect((subscriptions.value, disposals.value) == (1, 0))
    shared.value = nil
    #expect(disposals.value == 1)
  }

  @Test("never: if the signal is released first, disposing the last subscriber disposes the source")
  func neverWithoutSignal() {
    let (source, disposals) = (Subject<Int, Never>(), Counter())
    let recorders = {
      let shared = source.on(disposed: { disposals.add() }).share(replay: 1, disconnecting: .never)
      Recorder(shared).dispose()
      return [Recorder(shared), Recorder(shared)]
    }()
    source.send(1)
    recorders[0].dispose()
    #expect(disposals.value == 0)
    recorders[1].dispose()
    #expect(recorders[1].values == [1] && disposals.value == 1)
  }

  @Test(
    "never: after a completion without subscribers, .forever replays it all, .whileConnected runs the source again",
    arguments: lifetimes)
  func neverAndEnded(lifetime: ShareLifetime) {
    let (source, runs) = (Subject<Int, Never>(), Counter())
    let shared = source.on(subscribed: { runs.add() }).share(
      replay: 1, lifetime: lifetime, disconnecting: .never)
    Recorder(shared).dispose()
    source.send(1)
    source.complete()
    #expect(runs.value == 1)
    #expect(Recorder(shared).events == (lifetime == .forever ? [.next(1), .completed] : [.completed]))
    #expect(runs.value == (lifetime == .forever ? 1 : 2))
  }
}
