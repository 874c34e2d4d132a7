// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// A signal that sends the elements of a sequence, on the subscribing thread, and completes.
  ///
  /// It stops between two elements when the subscription ends, so the sequence may be infinite.
  ///
  /// ReactiveObjC: `-[RACSequence signal]`.
  @inlinable @inline(__always)
  public init<Elements: Sequence & Sendable>(_ elements: Elements) where Elements.Element == Value {
    self.init(
      .synchronous,
      connecting: { sink in
        for element in elements {
          if sink.isEnded { return }
          sink.direct(element)
        }
        if !sink.isEnded { sink.terminate(.finished) }
      })
  }
}

extension Signal where Value: FixedWidthInteger & Sendable, Value.Stride: SignedInteger {
  /// A signal that counts through a range, on the subscribing thread, and completes.
  @inlinable @inline(__always)
  public static func range(_ range: Range<Value>) -> Signal { Signal(range) }
}
