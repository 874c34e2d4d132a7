// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// A signal that sends the elements of a sequence, on the subscribing thread, and completes.
  ///
  /// It stops when the subscription ends, without asking for another element: the sequence may be infinite,
  /// or have side effects. Buffers nothing.
  ///
  /// ReactiveObjC: `-[RACSequence signal]`, which sends on a scheduler of its own: see ``init(_:on:)``.
  @inlinable @inline(__always)
  public init<Elements: Sequence & Sendable>(_ elements: Elements) where Elements.Element == Value {
    self.init(
      .immediate,
      attaching: { sink, _ in
        if sink.isEnded { return }
        sink.sendingMade { next in
          for element in elements {
            next(element)
            // Checked right after the element, so that no further one is taken from the sequence.
            if sink.isEnded { return }
          }
          sink.terminate(.completed)
        }
      })
  }
}

// Of the protocol for the reason that JustEmptyNeverFail.swift names.
extension SignalConvertible {
  /// A signal that counts through a range, such as `0..<3` or `1...3`, on the subscribing thread, and
  /// completes. It stops when the subscription ends. Buffers nothing.
  ///
  /// ReactiveObjC has no such source.
  @inlinable @inline(__always)
  public static func range<Output: FixedWidthInteger & Sendable, OutputFailure>(
    _ range: some RandomAccessCollection<Output> & RangeExpression<Output> & Sendable
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> { Signal(range) }
}

extension Sink {
  /// As ``sending(_:)``, for values that user code makes, which may have ended the run. (Operators behind ask
  /// by themselves.)
  @inlinable @inline(__always)
  func sendingMade(_ body: (_ next: (Value) -> Void) -> Void) {
    guard case .closure(let next) = route, gate == .missing else { return sending(body) }
    body { if !subscription.isDisposed { next($0) } }
  }
}
