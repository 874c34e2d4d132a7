// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// A signal that sends one value and completes, on the subscribing thread.
  ///
  /// ReactiveObjC: `+return:`.
  @inlinable @inline(__always)
  public static func just(_ value: Value) -> Signal where Value: Sendable {
    Signal(.immediate, connecting: { $0.sendOnly(value) })
  }

  /// A signal that completes at once, on the subscribing thread.
  ///
  /// ReactiveObjC: `+empty`.
  @inlinable @inline(__always)
  public static func empty() -> Signal {
    Signal(.immediate, connecting: { sink in sink.terminate(.finished) })
  }

  /// A signal that sends nothing and does not end. It retains nothing of its subscribers.
  ///
  /// ReactiveObjC: `+never`.
  @inlinable @inline(__always)
  public static func never() -> Signal {
    Signal(connecting: { _ in })
  }

  /// A signal that fails at once, on the subscribing thread.
  ///
  /// ReactiveObjC: `+error:`.
  @inlinable @inline(__always)
  public static func fail(_ error: Failure) -> Signal {
    Signal(.immediate, connecting: { sink in sink.terminate(.failed(error)) })
  }
}

extension Signal where Value: BitwiseCopyable {
  /// A signal that sends one plain value and completes, on the subscribing thread. A value of up to eight
  /// bytes is stored in the signal itself, which then allocates nothing.
  ///
  /// A separate function, since in the other one the compiler does not know early enough which values are
  /// plain.
  ///
  /// ReactiveObjC: `+return:`.
  @inlinable @inline(__always)
  public static func just(_ value: Value) -> Signal where Value: Sendable {
    MemoryLayout<Value>.size <= 8
      ? Signal(holding: value) : Signal(.immediate, connecting: { $0.sendOnly(value) })
  }
}
