// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Shares one run of this signal among all who subscribe, with what it has sent before, and starts a new
  /// one when somebody comes back.
  ///
  /// The first subscriber is attached, and then this signal is subscribed; those who come later listen to the
  /// same run. When the last one leaves, the run is disposed. What happens before and after depends on
  /// `lifetime`:
  ///
  /// | what happens | `.whileConnected` | `.forever` |
  /// | --- | --- | --- |
  /// | the last subscriber leaves | source disposed, history thrown away | source disposed, history kept |
  /// | the next one comes | runs the source again, with an empty history | gets the history, then runs the source again into it |
  /// | the source ends | everybody gets the terminal event; the history is thrown away | the same; history and event are kept |
  /// | the next one comes | runs the source again | gets history and terminal event; the source is not run again |
  /// | it comes from inside the terminal event, as with `retry` | runs the source again | gets history and terminal event |
  /// | the source lets go without a terminal event | everybody gets what it has sent, and then their subscriptions end | the same; history kept. Who is still there may get what the next run sends, and its end, until it has been ended |
  /// | the next one comes | runs the source again | gets the history, then runs the source again into it |
  /// | a value of an earlier run is late | nobody gets it | dropped, once the next run has begun |
  ///
  /// These are the rules of RxSwift's `share(replay:scope:)`; there a value of an abandoned run that is late
  /// can get into the history of `.forever`.
  ///
  /// All of it may happen on several threads at once, and one atomic operation decides each time who belongs
  /// to which run: a source never runs for nobody, beyond the grace period (which does not end with
  /// ``DisconnectPolicy/never``), and nobody listens to a run that is over. The source is subscribed on the
  /// thread of the subscriber that completes the number asked for by `connecting`, and disposed on the thread
  /// of the one that leaves last; those on other threads do not wait, and may return before it is subscribed.
  /// The source of one run may still be being disposed while the next one is subscribed.
  ///
  /// Events come where the source sends them, or, if something is replayed, where a subscriber is just coming
  /// (``ReplaySubject``), in the order of a ``Subject``, with its rules for nested subscribers. A
  /// subscription costs a few small objects and two compare-exchanges; a value, what it costs to send it to a
  /// subject, with `.forever` through a turn of its own. The shared signal keeps this one; the subscribers
  /// alone do not. ReactiveObjC has no such operator: its `-autoconnect` never connects again, see
  /// ``MulticastConnection/autoconnect()``.
  ///
  /// - Parameters:
  ///   - replay: what those who come later get of what was sent before: the history. By default nothing.
  ///   - lifetime: whether what was sent is kept beyond a run.
  ///   - connecting: how many subscribers it takes.
  ///   - disconnecting: how long to wait for somebody after the last one has left.
  @inlinable
  public func share(
    replay: ReplayCapacity = 0, lifetime: ShareLifetime = .whileConnected,
    connecting: ConnectPolicy = .atFirstSubscriber, disconnecting: DisconnectPolicy = .atOnce
  ) -> Signal<Value, Failure> {
    replay.isNothing
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
    return Signal(connecting: { sharing.subscribe($0) })
  }
}
