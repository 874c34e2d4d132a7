// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Turns each value into a signal and sends what all of those send, as it comes.
  ///
  /// The closure runs, and the signals are subscribed, where the source sends. Values of the signals are sent
  /// on serially, in the order in which they come, on the thread that brings one or on one that is delivering
  /// already. A value that meets another one under way, on a second thread or because the subscriber causes
  /// it, waits in a queue, which has no bound but memory. So does all that a signal sends at once if it
  /// begins inside of a delivery, where the subscriber has sent into the source: what follows has not seen
  /// any of it by then, and cannot stop it. One that never stops sending fills it; with
  /// ``FlattenStrategy/merge(limit:waiting:)`` it begins when the delivery is over.
  ///
  /// Completes when the source and all signals have completed. The first failure, of the source, a signal, or
  /// the closure itself, disposes all the others and is sent on.
  ///
  /// Costs one turn a value (see ``Subject``). A signal of one plain value of up to eight bytes,
  /// ``just(_:)-m9b7``, costs nothing beyond that, and allocates nothing. One made by one of the
  /// other plain sources runs without a subscription of its own and allocates nothing but itself, also
  /// through operators that end only when their source does, such as ``SignalConvertible/map(_:)``. Signals
  /// that end at once nest no deeper, however many there are.
  ///
  /// ReactiveObjC: `-flattenMap:`.
  @inlinable
  public func flatMap<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    merging(transform)
  }

  /// Turns each value into a signal and sends what those send; the strategy says which of them run, and when.
  ///
  /// With a strategy that has values wait, the closure runs when the turn of its value has come, on the
  /// thread that ended the signal before, or on one that is starting a signal already. If it comes inside of
  /// a delivery, because the subscriber has ended a signal, or as it does with
  /// ``FlattenStrategy/ordered(limit:waiting:)``, the closure runs right after that, on a thread that has
  /// just brought something, which brings no more until the signal has been started. So it does for a value
  /// of the source that comes inside of a delivery, also with ``FlattenStrategy/first``.
  ///
  /// Completes when the source and all signals that ran or waited have completed. The rest is as with
  /// ``flatMap(_:)``; see ``FlattenStrategy`` for what is buffered.
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
    case .latest: map(transform).switchingToLatest()
    case .race: map(transform).racing()
    }
  }

  /// Flattens a signal of signals: sends what the inner signals send; the strategy says which of them run.
  ///
  /// Threads, order, completion, failure and buffers are those of ``flatMap(_:_:)``.
  ///
  /// - Parameter strategy: how the signals share the output; all run beside each other if it is left out.
  ///
  /// ReactiveObjC: `-flatten`, `-flatten:`, `-concat` and `-switchToLatest`, as the strategy is.
  @inlinable
  public func flatten<Output>(_ strategy: FlattenStrategy<Failure> = .merge) -> Signal<Output, Failure>
  where Value: SignalConvertible<Output, Failure> {
    flatMap(strategy) { $0.signal }
  }

  /// All beside each other.
  @inlinable
  func merging<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(connecting: { [connect = signal.connect] sink in
      let merger = Merger(to: sink)
      let source = merger.adopt()
      let immediates = merger.sinkOfImmediates
      connect(
        Sink(
          next: { value in
            do throws(Failure) {
              merger.run(try transform(value), immediatelyIn: immediates)
            } catch {
              merger.delivery.terminate(.failed(error))
            }
          },
          terminate: { merger.end(source, with: $0) },
          subscription: source))
    })
  }
}
