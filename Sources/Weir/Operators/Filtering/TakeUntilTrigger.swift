// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards events until `trigger` sends a value or completes, and then completes.
  ///
  /// The trigger is subscribed first; if it fires at once, this signal is not run at all. When it fires, it
  /// is disposed, then this signal is, and then the completion is sent. If the trigger fails, it can fire no
  /// more: its error goes to ``UnhandledErrors``. If it lets go without a terminal event, this signal goes
  /// on, and its completion passes. The signals may run on different threads; delivery is serial, on the
  /// thread that sends an event or on one that is already delivering, and costs one turn per value (see
  /// ``Subject``). Buffers only what arrives during a delivery, in an unbounded queue.
  ///
  /// ReactiveObjC: `-takeUntil:`, which drops the error of the trigger.
  @inlinable
  public func take<Trigger, TriggerFailure>(
    until trigger: some SignalConvertible<Trigger, TriggerFailure>
  ) -> Signal<Value, Failure> {
    Signal(attaching: { [source = signal, trigger = trigger.signal] sink, _ in
      let delivery = SerialDelivery(to: consume sink)
      let waiting = Subscription()
      delivery.upstreams.adopt(waiting)
      trigger.trigger(by: waiting) { delivery.terminate(.completed) }
      delivery.listen(to: source, next: { delivery.send($0) })
    })
  }
}
