// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The part of a shared signal that the signal itself retains. Does what ``SharingState`` decides.
@usableFromInline
final class Sharing<Value, Failure: Error>: Sendable {
  @usableFromInline let source: Signal<Value, Failure>
  @usableFromInline let makeOutlet: @Sendable () -> SharedOutlet<Value, Failure>
  @usableFromInline let core: SharingCore

  /// - Parameter makeOutlet: returns the outlet of a new run; the same each time for a history that lasts.
  @inlinable
  init(
    source: Signal<Value, Failure>, lifetime: ShareLifetime, connecting: ConnectPolicy,
    disconnecting: DisconnectPolicy, makeOutlet: @escaping @Sendable () -> SharedOutlet<Value, Failure>
  ) {
    self.source = source
    self.makeOutlet = makeOutlet
    core = SharingCore(lifetime, connecting, disconnecting)
  }

  /// By the queue: what ends with it may hold the last reference to another shared signal, and so on.
  deinit { ReleaseQueue().end(core) { $0.close() } }

  @inlinable
  func subscribe(_ sink: consuming Sink<Value, Failure>) {
    let subscription = sink.subscription
    if subscription.isDisposed { return }
    let (run, isCounted, mayConnect) = core.join { makeOutlet() }
    let outlet = outlet(of: run)
    // Before it gets the history, as it may be disposed while it does. It leaves the hub first all the same,
    // so a source that ends with it does not reach it.
    if isCounted { core.seat(subscription, in: run) }
    outlet.signal.attach(consume sink)
    guard isCounted else { return }
    run.enroll(subscription, afterEvents: outlet.afterEvents)
    if mayConnect, core.mayConnect(run) { connect(run, outlet) }
  }

  @inlinable
  func connect(_ run: SharedRun, _ outlet: SharedOutlet<Value, Failure>) {
    let feed = SharedFeed(run, of: core, afterEvents: outlet.afterEvents)
    let next = outlet.begin(run.generation)
    // That may have delivered what another thread has sent in the run before, and so have made all leave.
    if run.source.isDisposed { return }
    source.attach(
      Sink(
        next: next,
        terminate: { completion in if feed.end(with: completion) { outlet.terminate(completion) } },
        subscription: run.source))
  }

  /// The outlet that this signal has made for the run.
  @inlinable
  func outlet(of run: SharedRun) -> SharedOutlet<Value, Failure> {
    unsafeDowncast(run.outlet, to: SharedOutlet<Value, Failure>.self)
  }
}

/// The part of a shared signal that its subscribers and its source retain. It knows neither the source nor
/// the type of its values.
@usableFromInline
final class SharingCore: Sendable {
  private let state: AtomicState<SharingState>
  /// Starts the time that a run goes on without subscribers, if there is any.
  private let grace: DisconnectPolicy.Grace?
  private let minimum: Int
  private let lifetime: ShareLifetime

  @usableFromInline
  init(_ lifetime: ShareLifetime, _ connecting: ConnectPolicy, _ disconnecting: DisconnectPolicy) {
    self.lifetime = lifetime
    minimum = connecting.minimum
    grace = disconnecting.grace
    state = AtomicState(SharingState(hasGrace: grace != nil))
  }

  /// Adds a subscriber.
  @usableFromInline
  func join(
    outlet: () -> any SharedRun.Outlet
  ) -> (run: SharedRun, isCounted: Bool, mayConnect: Bool) {
    let place = state.change { $0.join(minimum: minimum, outlet: outlet) }
    place.timer?.dispose()
    return (place.run, place.isCounted, place.mayConnect)
  }

  /// Makes a subscriber leave when it is disposed.
  @usableFromInline
  func seat(_ subscription: Subscription, in run: SharedRun) {
    subscription.list.addMember(.sharedPlace(generation: run.generation, self))
  }

  /// Whether a subscriber that is attached should connect the run.
  @usableFromInline
  func mayConnect(_ run: SharedRun) -> Bool {
    state.change { $0.connect(run.generation, minimum: minimum) } && !run.source.isDisposed
  }

  /// Nobody can subscribe any more: a run that waits for subscribers waits in vain.
  fileprivate func close() { fulfil(state.change { $0.close() }) }

  /// Makes a subscriber leave.
  func leave(_ generation: UInt64) -> Departure {
    switch state.change({ $0.leave(generation) }) {
    case .nothing: .nothing
    // It had subscribers, so there is no timer.
    case .end(let run, timer: _): .last(source: run.source, members: run.members)
    case .linger(let timer): .action { [self] in linger(timer) }
    }
  }

  /// Retires a run whose source has let go without a terminal event. What is left to do is to end its
  /// subscribers, which first get what it has sent: some of that may still be queued.
  func sourceLetGo(_ run: SharedRun, _ afterEvents: @escaping AfterEvents) -> Departure {
    guard case .end(_, let timer) = state.change({ $0.sourceLetGo(run.generation) }) else { return .nothing }
    _ = run.hasLetGo.claim()
    return .finally {
      timer?.dispose()
      afterEvents { run.members.end() }
    }
  }

  /// Notes that the source of a run has ended. True if its subscribers should get the terminal event.
  fileprivate func sourceEnded(_ run: SharedRun, with completion: Completion<some Error>) -> Bool {
    let (counts, timer) = state.change { $0.sourceEnded(run.generation, lifetime) }
    timer?.dispose()
    // All have left in a clean-up of the source, or it is in its grace period: there is no subscriber, and
    // none that comes will get the event.
    if !counts || timer != nil && lifetime == .whileConnected { run.source.reportError(of: completion) }
    return counts
  }

  private func fulfil(_ duty: SharingState.Duty) {
    switch duty {
    case .nothing: break
    case .end(let run, let timer):
      timer?.dispose()
      run.source.dispose()
      run.members.end()
    case .linger(let timer): linger(timer)
    }
  }

  /// Waits for the grace period, and asks again.
  private func linger(_ timer: Subscription) {
    guard let grace else { return }
    timer.add(grace(EndOfGrace { self.fulfil(self.state.change { $0.timeIsUp(timer) }) }))
  }
}

/// The feed of a run. Owned by the closures that the source got, so that the run ends with them.
@usableFromInline
final class SharedFeed: Sendable {
  private let place: SourcePlace

  @usableFromInline
  init(_ run: SharedRun, of core: SharingCore, afterEvents: @escaping AfterEvents) {
    place = SourcePlace(in: run, of: core, afterEvents: afterEvents)
    run.source.list.add(place)
  }

  deinit { place.run.source.endWithOwner() }

  /// Ends the run with a terminal event. True if its subscribers should be told.
  @usableFromInline
  func end(with completion: Completion<some Error>) -> Bool {
    _ = place.run.hasEvent.claim()
    if place.run.source.end() { return place.core.sourceEnded(place.run, with: completion) }
    // It had ended, perhaps after this event was announced.
    place.letGo().complete()
    return false
  }
}

/// Reports that a grace period is over, even if the scheduler abandons it.
private final class EndOfGrace: ScheduledWork {
  private let action: @Sendable () -> Void
  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  func run() { action() }
  func abandon() { action() }
}
