// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Turns each value into a signal and forwards the values of all of these as they arrive.
  ///
  /// The closure runs, and the signals are subscribed, on the sending thread. Values of the signals are
  /// forwarded serially, in the order in which they arrive, on the thread that sends a value or on one that
  /// is already delivering. A value that arrives during the delivery of another, on a second thread or
  /// because the subscriber causes it, waits in a queue, which is bounded only by memory. If a signal starts
  /// inside a delivery, because the subscriber has sent into the source, all that it sends while it is being
  /// subscribed waits there, too: downstream has not seen any of it by then, and cannot stop it. A signal
  /// that never stops sending fills the memory; with ``FlattenStrategy/merge(limit:waiting:)`` it starts when
  /// the delivery is over.
  ///
  /// Completes when the source and all signals have completed. The first failure, of the source, a signal, or
  /// the closure itself, disposes all the others and is forwarded. The signals have the failure type of this
  /// one: see ``setFailureType(to:)``. One that lets go is treated as in ``FlattenStrategy``.
  ///
  /// Costs one turn per value (see ``Subject``). A signal of one plain value (one without references) of up
  /// to eight bytes, ``just(_:)-m9b7``, costs nothing beyond that, and allocates nothing. Any other immediate
  /// signal (``SignalConvertible/empty()``, a sequence, ``SignalConvertible/fail(_:)``) runs without a
  /// subscription of its own and allocates nothing but itself, even through operators that end only when
  /// their source does, such as ``SignalConvertible/map(_:)``. The stack does not grow with the number of
  /// signals that end at once.
  ///
  /// ReactiveObjC: `-flattenMap:`.
  @inlinable
  public func flatMap<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    merging(transform)
  }

  /// Turns each value into a signal and forwards their values; the strategy decides which signals run, and
  /// when.
  ///
  /// With a strategy that makes values wait, the closure runs when a place is free for its value, on the
  /// thread that ended the signal before, or on one that is already starting a signal. If the place becomes
  /// free inside a delivery, because the subscriber has ended a signal, or as it does with
  /// ``FlattenStrategy/ordered(limit:waiting:)``, the closure runs right after that delivery, on the thread
  /// that has just sent an event; it can send the next one only when the signal has been started. The same
  /// holds for a value of the source that arrives inside a delivery, even with ``FlattenStrategy/first``.
  ///
  /// Completes when the source and all signals that ran or waited have completed. An error that the closure
  /// throws ends the run at once, and what the signals have sent and still waits for its delivery is dropped;
  /// but with ``FlattenStrategy/race`` it counts as a failure of the source: that is disposed first, and if
  /// its clean-up makes one of the signals send an event, that signal wins, and the error goes to
  /// ``UnhandledErrors``. The rest is as with ``flatMap(_:)``; see ``FlattenStrategy`` for what is buffered.
  ///
  /// - Parameters:
  ///   - strategy: how the signals share the output.
  ///   - transform: makes a signal of a value.
  ///
  /// ReactiveObjC: `-map:` with `-flatten:`, `-concat` or `-switchToLatest`, as the strategy is.
  @inlinable
  public func flatMap<Output>(
    _ strategy: FlattenStrategy<Failure>,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    switch strategy.kind {
    case .merge: merging(transform)
    case .limited(let limit, let backlog): merging(upTo: limit, backlog, transform)
    case .ordered(let limit, let backlog): merging(inOrderUpTo: limit, backlog, transform)
    case .latest: switching(transform)
    case .race: racing(transform)
    }
  }

  /// Flattens a signal of signals: forwards the values of the inner signals; the strategy decides which of
  /// them run.
  ///
  /// Threads, order, completion, failure and buffers are as with ``flatMap(_:_:)``.
  ///
  /// - Parameter strategy: how the signals share the output; by default all run at the same time.
  ///
  /// ReactiveObjC: `-flatten`, `-flatten:`, `-concat` and `-switchToLatest`, as the strategy is.
  @inlinable
  public func flatten<Output>(_ strategy: FlattenStrategy<Failure> = .merge) -> Signal<Output, Failure>
  where Value: SignalConvertible<Output, Failure> {
    flatMap(strategy) { $0.signal }
  }

  /// Runs all signals at the same time.
  @inlinable
  func merging<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(attaching: { [signal] sink, _ in
      let run = SourceMerger(to: consume sink)
      signal.attach(
        run.sinkOfSource { value, frame in
          let run: SourceMerger<Output, Failure> = frame.own()
          if run.source.isDisposed { return }
          do throws(Failure) {
            run.run(try transform(value))
          } catch {
            run.failClosure(error)
          }
        })
    })
  }
}
