// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Calls `action` once per subscription, on the subscribing thread, before the signal is run. Of several,
  /// the last one written runs first.
  ///
  /// Events pass through, and cost nothing. Buffers nothing.
  ///
  /// ReactiveObjC: `-initially:`.
  @inlinable @inline(__always)
  public func initially(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
    lift { sink in
      action()
      return sink
    }
  }
}
