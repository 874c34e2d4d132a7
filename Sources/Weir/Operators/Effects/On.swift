// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Observes the start of each run, and its end, for whatever reason it ends.
  ///
  /// `subscribed` is called on the subscribing thread, before the signal is run; if it ends the run, the
  /// signal is not run. `disposed` is called exactly once for each `subscribed`, on the thread that ends the
  /// run: when a terminal event has reached the end of the chain, or the operator with several upstreams that
  /// the run feeds; when the subscription is disposed, from any thread; or when the source or the last owner
  /// of the run lets go without a terminal event (in front of ``switchToLatest()``, of a race and of
  /// ``observe(on:_:waiting:failures:)``, only when what they still run or deliver has ended, too).
  ///
  /// The order: a terminal event first passes the operators of the run, so their own side effects come first.
  /// Then the run ends: of several `disposed` closures the last one in the chain is called first, and then
  /// the source is cleaned up (later, if it is a ``Signal/create(_:)`` that ends while it is being
  /// subscribed). Then the subscriber's closure for the terminal event is called. The closure of a
  /// ``finally(_:)`` has therefore run before `disposed`, or not at all if there was no terminal event. In
  /// front of a `share`, where runs follow one another, the `disposed` of one may be called after the
  /// `subscribed` of the next, if two threads take part. Where a run ends only because nothing is left that
  /// feeds it, its `disposed` may be called before or after that of its last upstream.
  ///
  /// Events pass through, and cost nothing; a subscription costs three allocations. Buffers nothing.
  ///
  /// - Parameters:
  ///   - subscribed: called before the signal is run.
  ///   - disposed: called when the run has ended.
  ///
  /// ReactiveObjC has no such operator; there the block of a disposable in `+createSignal:` does it.
  @inlinable @inline(__always)
  public func on(
    subscribed: @escaping @Sendable () -> Void = {}, disposed: @escaping @Sendable () -> Void = {}
  ) -> Signal<Value, Failure> {
    let signal = self.signal
    return Signal<Value, Failure>(signal.timing) { sink, _ in
      subscribed()
      // Scoped: a run that is released without a terminal event has ended, too.
      sink.subscription.add(ScopedDisposable(ActionDisposable(disposed)))
      if !sink.isEnded { signal.attach(sink) }
    }
  }
}
