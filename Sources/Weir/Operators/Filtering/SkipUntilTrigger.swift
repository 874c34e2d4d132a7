// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Drops values until `trigger` sends a value or completes, and forwards the values from then on: exactly
  /// those that ``take(until:)`` does not.
  ///
  /// The trigger is subscribed first, and disposed when it has fired; if subscribing it ends the run, this
  /// signal is not run. If the trigger fails, or lets go without a terminal event, it can fire no more: an
  /// error goes to ``UnhandledErrors``, and no value is forwarded. Terminal events of this signal pass at any
  /// time, and end the trigger, too. Values are sent on the thread on which the source sends; the trigger may
  /// fire on any thread, and takes effect from the next value on. Costs one atomic load per value; buffers
  /// nothing. ReactiveObjC has no such operator.
  @inlinable
  public func skip<Trigger, TriggerFailure>(
    until trigger: some SignalConvertible<Trigger, TriggerFailure>
  ) -> Signal<Value, Failure> {
    let signal = self.signal
    return Signal<Value, Failure>(signal.timing) { [trigger = trigger.signal] sink, _ in
      let (step, frame) = sink.entry
      let latch = Latch()
      let waiting = Subscription()
      sink.subscription.adopt(waiting)
      trigger.trigger(by: waiting) { latch.open() }
      if sink.isEnded { return }
      // Ends the trigger also when the source lets go without a terminal event.
      let end = ScopedDisposable(waiting)
      let terminate: @Sendable (Completion<Failure>) -> Void = { completion in
        let run = sink.subscription
        if run.isDisposed { return }
        end.dispose()
        // This has run the clean-up of the trigger, which may have ended the run.
        run.pass(completion, to: sink.terminate)
      }
      signal.attach(
        sink.upstream(
          RelayFrame(latch, before: frame, fail: Frame.keeping(terminate)), ending: sink.upstreamEnding,
          step: { value, frame in
            let own: RelayFrame<Latch, Failure> = frame.own()
            if own.state.isOpen { step(value, own.following) }
          },
          terminate: terminate))
    }
  }
}

/// A flag that one thread sets for another. A thread that finds it open sees all that was done before it was
/// opened.
@usableFromInline
final class Latch: @unchecked Sendable {  // the word is atomic
  private var word: UInt64 = 0

  @inlinable init() {}

  @inlinable @inline(__always) var isOpen: Bool { AtomicWord(property: 0, of: self).loadAcquire() != 0 }
  @usableFromInline func open() { AtomicWord(property: 0, of: self).storeRelease(1) }
}
