// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// A signal that calls `factory` for the signal to run, once per subscription, on the subscribing thread.
  ///
  /// Forwards the events of that signal where it sends them, and ends when it does. Buffers nothing.
  /// `factory` does not throw, so that the failure type is that of the signal it returns: return
  /// ``SignalConvertible/fail(_:)``, or see ``using(resource:signal:)``.
  ///
  /// ReactiveObjC: `+defer:`.
  @inlinable @inline(__always)
  public static func deferred(
    _ factory: @escaping @Sendable () -> Signal<Value, Failure>
  ) -> Signal {
    Signal(
      .sequence,
      attaching: { sink, _ in
        let signal = factory()
        if let sequence = sink.sequence { return sequence.put(signal) }
        // The signal may be deferred as well, and so on.
        if !sink.isEnded { sink.goOn(as: signal, in: nil) }
      })
  }
}
