// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Calls `action` once per subscription, on the subscribing thread, before the signal is run. Of several,
  /// the last one in the chain runs first. If `action` ends the run, the signal is not run.
  ///
  /// Events pass through, and cost nothing. Buffers nothing.
  ///
  /// ReactiveObjC: `-initially:`.
  @inlinable @inline(__always)
  public func initially(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
    let signal = self.signal
    return Signal<Value, Failure>(signal.timingOfPart) { sink, _ in
      action()
      if !sink.isEnded { signal.attach(sink) }
    }
  }
}
