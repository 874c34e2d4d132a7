// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends `values` after the completion of the signal, and then completes.
  ///
  /// They are sent on the thread on which the signal completed; a failure is forwarded without them.
  /// Downstream may end the run between two of them. A value of the signal costs nothing; buffers nothing
  /// beyond `values`. ReactiveObjC: `-concat:` with a signal of these values.
  @inlinable @inline(__always)
  public func append(_ values: Value...) -> Signal<Value, Failure> where Value: Sendable {
    lift { sink in
      let (next, terminate) = (sink.next, sink.terminate)
      return sink.upstream(terminate: { completion in
        if case .completed = completion {
          for value in values {
            if sink.isEnded { return }
            next(value)
          }
          if sink.isEnded { return }
        }
        terminate(completion)
      })
    }
  }
}
