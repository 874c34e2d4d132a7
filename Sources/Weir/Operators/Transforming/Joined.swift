// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sequence {
  /// Sends the elements of each value, one after the other.
  ///
  /// They are taken and sent where the source sends, before it goes on. When the subscription ends, also from
  /// inside such an element or on another thread, no further one is taken: the sequences may be infinite, or
  /// have effects. Terminal events pass through. Keeps the iterator of one sequence; buffers nothing.
  ///
  /// ReactiveObjC: `-flattenMap:` with `-[RACSequence signal]`.
  @inlinable @inline(__always)
  public func joined() -> Signal<Value.Element, Failure> {
    lift { (sink: Sink<Value.Element, Failure>) in
      // Gated: a sequence may end the run as it makes an element.
      let next = sink.next
      return sink.upstream(
        next: { elements in
          if sink.isEnded { return }
          for element in elements {
            next(element)
            // Asked right after the element, so that no further one is taken.
            if sink.isEnded { return }
          }
        },
        terminate: sink.terminate)
    }
  }
}
