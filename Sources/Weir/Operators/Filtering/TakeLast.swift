// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the last `count` values, in order, when the signal completes, and completes. A failure drops them
  /// and is forwarded.
  ///
  /// Values are sent on the thread on which the signal completed. Buffers `count` values: so a collection
  /// that ``scan(into:_:)`` has sent is still held when the next value changes it, and is copied for each. If
  /// only the last result is wanted, use ``reduce(into:_:)``.
  ///
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: `-takeLast:`.
  @inlinable @inline(__always)
  public func take(last count: Int) -> Signal<Value, Failure> {
    require(count >= 0, "weir: take(last: \(count)): the count must not be negative")
    return liftInPlace { sink in
      let (next, terminate) = (sink.next, sink.terminate)
      let own = FoldFrame(FIFO<Value>(), in: sink)
      return sink.upstream(
        own, ending: sink.upstreamEnding,
        step: { value, frame in
          let own: FoldFrame<FIFO<Value>, Failure> = frame.own()
          own.state.append(value)
          if own.state.count > count { _ = own.state.popFirst() }
        },
        terminate: { completion in
          if case .completed = completion {
            while !sink.isEnded, let value = own.state.popFirst() { next(value) }
            if sink.isEnded { return }
          }
          terminate(completion)
        })
    }
  }
}
