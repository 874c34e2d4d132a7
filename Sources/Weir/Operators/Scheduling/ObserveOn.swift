// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// When ``SignalConvertible/observe(on:_:waiting:failures:)`` hands a value to the scheduler.
@frozen
public enum HopPolicy: Sendable {
  /// Always: whoever sends never runs what is downstream. ReactiveObjC: `-deliverOn:`.
  case always
  /// Only if the sender is not being run by the scheduler already, or if values of this subscription are
  /// waiting, which then come first. Saves the hop, at the price that a callback may run inside the code that
  /// sent. Such a value costs two read-modify-writes. ReactiveObjC: `-deliverOnMainThread`.
  case whenNeeded
}

/// When a failure is passed on by an operator that keeps values waiting. ReactiveObjC has none: `-deliverOn:`
/// keeps the order.
@frozen
public enum FailureTiming: Sendable {
  /// After the values that came before it.
  case inOrder
  /// Before them: they are dropped.
  case atOnce
}

extension SignalConvertible where Value: Sendable {
  /// Delivers events on a scheduler.
  ///
  /// They come serially and in order there, also if the scheduler is not serial. The completion comes after
  /// the values; so does a failure, unless `failures` is ``FailureTiming/atOnce``. The source itself runs
  /// where it ran, and is released as soon as it terminates.
  ///
  /// A value costs a place in a ring, not a piece of work: the scheduler is asked once when the first one
  /// comes, and then delivers all that wait, a thousand or a few more at a time before other work gets its
  /// turn, and no more if other work waits when the ring is empty. Nothing is allocated and no reference
  /// counted for a value; the ring starts with the first one, with 64 places, and doubles when more wait,
  /// until the end of the subscription. What one piece of work has taken in hand, up to 256 values and a
  /// quarter of the bound, does not count as waiting. Sending is one read-modify-write; after 1,024 values
  /// without a gap it is a store, and when that stream runs dry, the thread that delivers makes a system call
  /// for it (membarrier, 1 to 2 µs).
  ///
  /// On a scheduler that is a ``LingeringScheduler``, such as a ``WorkerPool``, whoever has delivered all
  /// values looks for more before that piece of work ends, for a few microseconds and as long as no other
  /// work waits. Values that follow each other that closely need no work to be scheduled.
  ///
  /// Disposal releases what waits at once, also if the scheduler never runs again. A failure is dropped with
  /// the rest: who disposes while it waits asks for no error. If the scheduler is shut down, what was sent
  /// before that is delivered as long as the deadline allows; then, or with what is sent later, the
  /// subscription ends without an event. A failure that is among those goes to ``UnhandledErrors``, and so
  /// does one that does not come to wait, as the clean-up of its own source disposes the subscription.
  ///
  /// - Parameters:
  ///   - scheduler: where to deliver. ``Scheduler/immediate`` changes nothing.
  ///   - policy: whether to hop also if the sender is on the scheduler already.
  ///   - backlog: how many values may wait, at least one, and what becomes of one too many. Unless given, one
  ///     more than 1,048,576 stops the process (``Overflow/trap``): a server chooses
  ///     ``Backlog/bounded(_:onOverflow:countingIn:)``. With ``Backlog/unbounded``: 2³⁰.
  ///   - failures: whether a failure overtakes values.
  /// - Precondition: the bound is positive.
  ///
  /// ReactiveObjC: `-deliverOn:`, which schedules each event and has no bound; with ``HopPolicy/whenNeeded``
  /// and the main scheduler `-deliverOnMainThread`.
  @inlinable
  public func observe(
    on scheduler: some Scheduler, _ policy: HopPolicy = .always,
    waiting backlog: Backlog<Failure> = .standard,
    failures: FailureTiming = .inOrder
  ) -> Signal<Value, Failure> {
    Signal(connecting: { [source = signal] sink in
      let hop = Hop(to: sink, waiting: backlog, failures: failures)
      let drain = Drain(
        of: hop, hop.role, tail: hop.ring.tail, on: scheduler,
        lingering: scheduler as? any LingeringScheduler, in: sink.subscription
      ) { hop.deliver() }
      switch policy {
      case .always:
        source.attach(
          Sink(
            next: { value in if hop.append(value) { drain.request(on: scheduler) } },
            terminate: { completion in
              guard hop.endUpstream(with: completion) else { return }
              hop.terminate(completion)
              drain.request(on: scheduler)
            },
            subscription: hop.upstream))
      case .whenNeeded:
        source.attach(
          Sink(
            next: { value in
              if scheduler.isCurrent, drain.role.enter() {
                if !hop.deliver(value) || !drain.role.leave() { drain.drain() }
              } else if hop.append(value) {
                drain.request(on: scheduler)
              }
            },
            terminate: { completion in
              guard hop.endUpstream(with: completion) else { return }
              let isConsumer = scheduler.isCurrent && drain.role.enter()
              hop.terminate(completion)
              if isConsumer { drain.drain() } else { drain.request(on: scheduler) }
            },
            subscription: hop.upstream))
      }
    })
  }
}
