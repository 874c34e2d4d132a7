// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Shares one run of this signal among all subscribers, with a replay of what it has sent before, and
  /// starts a new run when a subscriber comes back.
  ///
  /// The first subscriber is attached, and then this signal is subscribed; later subscribers share the same
  /// run. When the last one leaves, the run is disposed. What happens before and after depends on `lifetime`:
  ///
  /// | what happens | `.whileConnected` | `.forever` |
  /// | --- | --- | --- |
  /// | the last subscriber leaves | source disposed, history thrown away | source disposed, history kept |
  /// | the next one comes | runs the source again, with an empty history | gets the history, then runs the source again into it |
  /// | the source ends | all subscribers get the terminal event; the history is thrown away | the same; history and event are kept |
  /// | the next one comes | runs the source again | gets history and terminal event; the source is not run again |
  /// | it comes during the terminal event, as with `retry` | runs the source again | gets history and terminal event |
  /// | the source lets go without a terminal event | all subscribers get what it has sent, and then their subscriptions end | the same; history kept. Until its subscription has ended, a subscriber may also get events of the next run, even its terminal event |
  /// | the next one comes | runs the source again | gets the history, then runs the source again into it |
  /// | a value of an earlier run comes late | nobody gets it | dropped, once the next run has started |
  ///
  /// These are the rules of RxSwift's `share(replay:scope:)`; there a late value of an abandoned run can get
  /// into the history of `.forever`.
  ///
  /// All of this may happen on several threads at once, and each time one atomic operation decides which
  /// subscriber belongs to which run: a source never runs without subscribers, beyond the grace period (which
  /// does not end with ``DisconnectPolicy/never``), and no subscriber stays in a run that is over. The source
  /// is subscribed on the thread of the subscriber that completes the number required by `connecting`, and
  /// disposed on the thread of the one that leaves last; subscribers on other threads do not wait, and may
  /// return before it is subscribed. The source of one run may still be being disposed while the next one is
  /// subscribed.
  ///
  /// Events are delivered on the sending thread or, if something is replayed, on one on which a subscriber is
  /// just coming (``ReplaySubject``), in the order of a ``Subject``, with its rules for nested subscribers. A
  /// subscription costs a few small objects and two compare-exchanges; a value costs what a subject's send
  /// costs, and with `.forever` another turn. The shared signal retains this one; the subscribers alone do
  /// not. ReactiveObjC has no such operator: its `-autoconnect` never connects again, see
  /// ``MulticastConnection/autoconnect()``.
  ///
  /// - Parameters:
  ///   - replay: how many of the earlier values late subscribers get: the history. An integer literal, or for
  ///     a variable ``ReplayCapacity/last(_:)``. By default none.
  ///   - lifetime: whether the history outlives a run.
  ///   - connecting: how many subscribers it takes to subscribe the source.
  ///   - disconnecting: how long to wait for another subscriber after the last one has left.
  @inlinable
  public func share(
    replay: ReplayCapacity = 0, lifetime: ShareLifetime = .whileConnected,
    connecting: ConnectPolicy = .atFirstSubscriber, disconnecting: DisconnectPolicy = .atOnce
  ) -> Signal<Value, Failure> {
    replay.count == 0
      ? shared(lifetime, connecting, disconnecting) { Subject() }
      : shared(lifetime, connecting, disconnecting) { ReplaySubject(capacity: replay) }
  }

  /// Shares this signal through subjects that `makeHub` makes.
  @inlinable
  func shared<Hub: ObserverProtocol & SignalConvertible & OrderedHub>(
    _ lifetime: ShareLifetime, _ connecting: ConnectPolicy, _ disconnecting: DisconnectPolicy,
    makeHub: @escaping @Sendable () -> Hub
  ) -> Signal<Value, Failure> where Hub.Value == Value, Hub.Failure == Failure {
    let makeOutlet: @Sendable () -> SharedOutlet<Value, Failure>
    switch lifetime {
    case .whileConnected: makeOutlet = { SharedOutlet(forOneRun: makeHub()) }
    case .forever:
      let outlet = SharedOutlet(forAllRuns: makeHub())
      makeOutlet = { outlet }
    }
    let sharing = Sharing(
      source: signal, lifetime: lifetime, connecting: connecting, disconnecting: disconnecting,
      makeOutlet: makeOutlet)
    return Signal(attaching: { sink, _ in sharing.subscribe(consume sink) })
  }
}
