// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A shared signal, as the signal itself holds it. Acts on what ``SharingState`` decides.
@usableFromInline
final class Sharing<Value, Failure: Error>: Sendable {
  private let source: Signal<Value, Failure>
  private let minimum: Int
  private let makeOutlet: @Sendable () -> SharedOutlet<Value, Failure>
  private let core: SharingCore<Value, Failure>

  /// - Parameter makeOutlet: answers what a new run feeds; the same one each time for a history that lasts.
  @usableFromInline
  init(
    source: Signal<Value, Failure>, lifetime: ShareLifetime, connecting: ConnectPolicy,
    disconnecting: DisconnectPolicy, makeOutlet: @escaping @Sendable () -> SharedOutlet<Value, Failure>
  ) {
    self.source = source
    self.makeOutlet = makeOutlet
    minimum = connecting.minimum
    core = SharingCore(lifetime, disconnecting)
  }

  /// Nobody can subscribe any more: what waits for somebody to come waits in vain.
  deinit { core.fulfil(core.state.change { $0.close() }) }

  @usableFromInline
  func subscribe(_ sink: Sink<Value, Failure>) {
    if sink.subscription.isDisposed { return }
    let place = core.state.change { $0.join(minimum: minimum, outlet: makeOutlet) }
    let run = place.run
    place.timer?.dispose()
    run.outlet.signal.attach(sink)
    guard place.isCounted else { return }
    // After it got the history: so disposal takes it off the list before it leaves, and the source that ends with it does not reach
    // it. Before the source runs, which may let go of the run in there.
    sink.subscription.add(ActionDisposable { [core, generation = run.generation] in core.leave(generation) })
    run.members.adopt(sink.subscription)
    if place.mayConnect, core.state.change({ $0.connect(run.generation, minimum: minimum) }) {
      core.connect(run, to: source)
    }
  }
}

/// The part of a shared signal that its subscribers and its source keep. It does not know the source.
final class SharingCore<Value, Failure: Error>: Sendable {
  let state: DecidedState<SharingState<Value, Failure>>
  private let lifetime: ShareLifetime

  init(_ lifetime: ShareLifetime, _ disconnecting: DisconnectPolicy) {
    self.lifetime = lifetime
    state = DecidedState(SharingState(disconnecting: disconnecting))
  }

  func connect(_ run: SharedRun<Value, Failure>, to source: Signal<Value, Failure>) {
    if run.source.isDisposed { return }
    let feed = SharedFeed(run, of: self)
    source.attach(
      Sink(
        next: run.outlet.begin(run.generation),
        terminate: { feed.terminate($0) },
        subscription: run.source))
  }

  func leave(_ generation: UInt64) { fulfil(state.change { $0.leave(generation) }) }

  func sourceLetGo(_ generation: UInt64) { fulfil(state.change { $0.sourceLetGo(generation) }) }

  func sourceEnded(_ run: SharedRun<Value, Failure>, _ completion: Completion<Failure>) {
    let (counts, timer) = state.change { $0.sourceEnded(run.generation, lifetime) }
    timer?.dispose()
    if counts { run.outlet.terminate(completion) }
  }

  func fulfil(_ duty: SharingState<Value, Failure>.Duty) {
    switch duty {
    case .nothing: break
    case .end(let run, let timer):
      timer?.dispose()
      run.source.dispose()
      run.members.dispose()
    case .linger(let grace, let timer):
      timer.add(
        grace(EndOfGrace { self.fulfil(self.state.change { $0.timeIsUp(timer) }) }))
    }
  }
}

/// Owned by the closures that the source of a run has, so that the run ends with them.
private final class SharedFeed<Value, Failure: Error>: Sendable {
  private let run: SharedRun<Value, Failure>
  private let core: SharingCore<Value, Failure>

  init(_ run: SharedRun<Value, Failure>, of core: SharingCore<Value, Failure>) {
    self.run = run
    self.core = core
  }

  /// If there was a terminal event, the state has gone on, and this is late news.
  deinit { core.sourceLetGo(run.generation) }

  func terminate(_ completion: Completion<Failure>) {
    if run.source.end() { core.sourceEnded(run, completion) }
  }
}

/// Says that a grace period is over, also if the scheduler will not wait for that any more.
private final class EndOfGrace: ScheduledWork {
  private let action: @Sendable () -> Void
  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  func run() { action() }
  func abandon() { action() }
}
