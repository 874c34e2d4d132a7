// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// When ``SignalConvertible/observe(on:_:waiting:failures:)`` hands a value to the scheduler.
@frozen
public enum HopPolicy: Sendable {
  /// Always: the sender never runs downstream code. ReactiveObjC: `-deliverOn:`.
  case always
  /// Only if the sender is not already running on the scheduler, or if values of this subscription are
  /// buffered, which then come first. Saves the hop, but a callback may run inside the code that sends. A
  /// value without a hop costs two read-modify-writes. ReactiveObjC: `-deliverOnMainThread`.
  case whenNeeded
}

/// When an operator that buffers values forwards a failure. ReactiveObjC has none: `-deliverOn:` keeps the
/// order.
@frozen
public enum FailureTiming: Sendable {
  /// After the values that came before it.
  case inOrder
  /// Before them: the buffered values are dropped.
  case atOnce
}

extension SignalConvertible where Value: Sendable {
  /// Delivers events on a scheduler.
  ///
  /// Events are delivered serially and in order there, even if the scheduler is not serial. The completion
  /// comes after the values; so does a failure, unless `failures` is ``FailureTiming/atOnce``. If the source
  /// lets go without a terminal event, the run ends after the values. The source itself runs where it would
  /// run without this operator, and is released as soon as it terminates.
  ///
  /// A value costs a place in a ring, not a piece of work: work is scheduled once when the first value
  /// arrives, and then delivers all that are buffered. Other work gets its turn after as many values as may
  /// be buffered, at most 1,024 or a few more; and when the ring is empty. Nothing is allocated and no
  /// reference counted for a value; the ring starts with the first one, with 64 places, and doubles when more
  /// are buffered, until the end of the subscription. Values that a piece of work has taken out of the ring,
  /// up to 256 and a quarter of the bound, do not count as buffered. Sending is one read-modify-write; after
  /// 1,024 values without a gap it is a store, and when that stream runs dry, the delivering thread makes a
  /// system call for it (membarrier, 1 to 2 µs).
  ///
  /// On a scheduler that is a ``LingeringScheduler``, such as a ``WorkerPool``, the piece of work that has
  /// delivered all values looks for more before it ends, for a few microseconds and as long as no other work
  /// waits. Values that follow each other that closely need no work to be scheduled.
  ///
  /// Disposal releases the buffered values at once, even if the scheduler never runs again. A failure is
  /// dropped with the rest: a subscriber that disposes while it is buffered wants no error. If the scheduler
  /// is shut down, events sent before that are delivered as long as the deadline allows; after that, or when
  /// something is sent later, the subscription ends without an event. A failure that is lost in this way goes
  /// to ``UnhandledErrors``, and so does one that is not buffered because the clean-up of its own source
  /// disposes the subscription.
  ///
  /// - Parameters:
  ///   - scheduler: where to deliver. ``Scheduler/immediate`` changes nothing.
  ///   - policy: whether to hop even if the sender is already on the scheduler.
  ///   - backlog: how many values may be buffered, at least one, and what happens to one too many. By
  ///     default, one more than 1,048,576 stops the process (``Overflow/trap``): a server chooses
  ///     ``Backlog/bounded(_:onOverflow:countingIn:)``. With ``Backlog/unbounded``: 2³⁰.
  ///   - failures: whether a failure overtakes values.
  /// - Precondition: the bound is positive; this is checked when the result is subscribed.
  ///
  /// ReactiveObjC: `-deliverOn:`, which schedules each event and has no bound; with ``HopPolicy/whenNeeded``
  /// and the main scheduler `-deliverOnMainThread`.
  @inlinable
  public func observe(
    on scheduler: some Scheduler, _ policy: HopPolicy = .always,
    waiting backlog: Backlog<Failure> = .standard,
    failures: FailureTiming = .inOrder
  ) -> Signal<Value, Failure> {
    let backlog = StoredBacklog(backlog)
    return Signal(attaching: { [source = signal] sink, _ in
      let hop = Hop(to: sink, waiting: backlog, failures: failures)
      let drain = ScheduledDrain(
        of: hop, hop.role, tail: hop.ring.tail, on: scheduler, in: sink.subscription
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
              // The role by the hop, which is needed in any case.
              if scheduler.isCurrent, hop.role.enter() {
                if !hop.deliver(value) || !hop.role.leave() { drain.drain() }
              } else if hop.append(value) {
                drain.request(on: scheduler)
              }
            },
            terminate: { completion in
              guard hop.endUpstream(with: completion) else { return }
              let isConsumer = scheduler.isCurrent && hop.role.enter()
              hop.terminate(completion)
              if isConsumer { drain.drain() } else { drain.request(on: scheduler) }
            },
            subscription: hop.upstream))
      }
    })
  }
}
