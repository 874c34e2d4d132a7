// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sequence {
  /// Sends the elements of each value, one after the other.
  ///
  /// They are read and sent on the sending thread, before the source continues. When the subscription ends,
  /// even during the delivery of an element or on another thread, no further one is read: the sequences may
  /// be infinite, or have side effects. Terminal events pass through. Retains the iterator of one sequence;
  /// buffers nothing.
  ///
  /// ReactiveObjC: `-flattenMap:` with `-[RACSequence signal]`.
  @inlinable @inline(__always)
  public func joined() -> Signal<Value.Element, Failure> {
    lift { (sink: Sink<Value.Element, Failure>) in
      // Gated: a sequence may end the run while it makes an element.
      let next = sink.next
      return sink.upstream(
        next: { elements in
          if sink.isEnded { return }
          for element in elements {
            next(element)
            // Checked right after the element, so that no further one is read.
            if sink.isEnded { return }
          }
        },
        terminate: sink.terminate)
    }
  }
}
