// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// The grace period of a shared signal, on a clock that the tests move.
struct DisconnectPolicyTests {
  /// A shared source that reports each clean-up.
  private struct World {
    let clock = ManualClock()
    let runs = Counter()
    let held = Held<Never>(nil)
    let resources = Resources()
    let cleanups: AsyncStream<Void>.Iterator
    let shared: Signal<Int, Never>

    init(_ lifetime: ShareLifetime) {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      cleanups = stream.makeAsyncIterator()
      shared = Signal<Int, Never>.create { [runs, held, resources] observer in
        runs.add()
        held.value = observer
        return ActionDisposable { [token = resources.make()] in
          _ = token
          continuation.yield()
        }
      }.share(replay: 1, lifetime: lifetime, disconnecting: .after(.seconds(5), clock: clock))
    }
  }

  @Test(
    "after the grace period the source is disposed, and the next subscriber runs it again",
    arguments: lifetimes)
  func passes(lifetime: ShareLifetime) async {
    let world = World(lifetime)
    var (cleanups, sleepers) = (world.cleanups, world.clock.sleeperEvents.makeAsyncIterator())
    Recorder(world.shared).dispose()
    #expect(await sleepers.next() == .slept)
    #expect(world.resources.alive == 1)
    world.clock.advance(by: .seconds(5))
    await cleanups.next()
    #expect(world.resources.alive == 0)
    let recorder = Recorder(world.shared)
    #expect(world.runs.value == 2)
    recorder.dispose()
    #expect(await sleepers.next() == .slept)
    world.clock.advance(by: .seconds(5))
    await cleanups.next()
  }

  @Test("who comes in time joins the run, with its history, and stops the wait", arguments: lifetimes)
  func joined(lifetime: ShareLifetime) async {
    let world = World(lifetime)
    var (cleanups, sleepers) = (world.cleanups, world.clock.sleeperEvents.makeAsyncIterator())
    let first = Recorder(world.shared)
    world.held.value?.send(1)
    first.dispose()
    #expect(await sleepers.next() == .slept)
    world.clock.advance(by: .seconds(4))
    let second = Recorder(world.shared)
    #expect(await sleepers.next() == .cancelled)
    world.held.value?.send(2)
    #expect(second.values == [1, 2])
    #expect(world.runs.value == 1)
    // The next wait begins anew.
    second.dispose()
    #expect(await sleepers.next() == .slept)
    world.clock.advance(by: .seconds(4))
    #expect(world.resources.alive == 1)
    world.clock.advance(by: .seconds(1))
    await cleanups.next()
    #expect(world.resources.alive == 0)
  }

  @Test("a source that ends while nobody listens stops the wait", arguments: lifetimes)
  func endsMeanwhile(lifetime: ShareLifetime) async {
    let world = World(lifetime)
    var sleepers = world.clock.sleeperEvents.makeAsyncIterator()
    Recorder(world.shared).dispose()
    #expect(await sleepers.next() == .slept)
    world.held.value?.send(1)
    world.held.value?.complete()
    #expect(await sleepers.next() == .cancelled)
    #expect(world.resources.alive == 0)
    let late = Recorder(world.shared)
    #expect(late.events == (lifetime == .forever ? [.next(1), .completed] : []))
    #expect(world.runs.value == (lifetime == .forever ? 1 : 2))
    world.held.value?.complete()
  }

  @Test("when the shared signal is released nobody can come: the source is disposed at once")
  func releasedMeanwhile() async {
    let held = Box<World?>(World(.whileConnected))
    guard let clock = held.value?.clock, let resources = held.value?.resources else { return }
    var sleepers = clock.sleeperEvents.makeAsyncIterator()
    if let shared = held.value?.shared { Recorder(shared).dispose() }
    #expect(await sleepers.next() == .slept)
    #expect(resources.alive == 1)
    held.value = nil
    #expect(resources.alive == 0)
    #expect(await sleepers.next() == .cancelled)
  }

  @Test("when the shared signal was released before, the last one to leave waits for nobody")
  func releasedBefore() {
    let cleanups = Counter()
    let held = Held<Never>(nil)
    let recorder = Recorder(
      Signal<Int, Never>.create { observer in
        held.value = observer
        return ActionDisposable { cleanups.add() }
      }.share(disconnecting: .after(.seconds(5), clock: ManualClock())))
    recorder.dispose()
    #expect(cleanups.value == 1)
  }
}
