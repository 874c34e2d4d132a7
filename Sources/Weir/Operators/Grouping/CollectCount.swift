// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Gathers values in arrays of `count`, and sends each when it is full; when the signal completes, also the last, shorter one.
  ///
  /// A failure drops the values of the array that is not full, and passes. No array is empty. Arrays are sent where the source
  /// sends their last value, the shorter one where it completed. Buffers up to `count` values. ReactiveObjC has no such operator;
  /// by time it has `-bufferWithTime:onScheduler:`.
  ///
  /// - Precondition: `count` is positive.
  @inlinable @inline(__always)
  public func collect(count: Int) -> Signal<[Value], Failure> {
    precondition(count > 0, "weir: collect(count: \(count)): the count must be positive")
    return lift { (sink: Sink<[Value], Failure>) in
      let (next, terminate) = (sink.next, sink.terminate)
      let batch = SubscriptionState<[Value]>([])
      return sink.upstream(
        next: { value in
          // One allocation for an array, unless it is a large one that may never be filled.
          if batch.value.isEmpty { batch.value.reserveCapacity(Swift.min(count, 1_024)) }
          batch.value.append(value)
          guard batch.value.count == count else { return }
          let full = batch.value
          batch.value = []
          next(full)
        },
        terminate: { completion in
          if case .finished = completion, !batch.value.isEmpty { return sink.sendOnly(batch.value) }
          terminate(completion)
        })
    }
  }
}
