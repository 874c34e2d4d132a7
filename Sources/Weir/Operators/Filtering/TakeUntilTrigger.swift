// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Passes events on until `trigger` sends a value or completes, and then completes.
  ///
  /// The trigger is subscribed first; if it fires at once, this signal is not run at all. When it fires, this
  /// signal is disposed, and then the completion is sent. When it fails, it can fire no more: its error goes
  /// to ``UnhandledErrors``. Both may run on different threads; delivery is serial, on the one that brings an
  /// event or on one that is delivering already, and costs one turn a value (see ``Subject``). Buffers
  /// nothing unless they meet, and then in a queue without a bound.
  ///
  /// ReactiveObjC: `-takeUntil:`, which drops the error of the trigger.
  @inlinable
  public func take<Trigger, TriggerFailure>(
    until trigger: some SignalConvertible<Trigger, TriggerFailure>
  ) -> Signal<Value, Failure> {
    Signal(connecting: { [source = signal, trigger = trigger.signal] sink in
      let delivery = SerialDelivery(to: sink)
      let waiting = Subscription()
      delivery.upstreams.adopt(waiting)
      trigger.trigger(by: waiting) { delivery.terminate(.finished) }
      delivery.listen(to: source, next: { delivery.send($0) })
    })
  }
}
