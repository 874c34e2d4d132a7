// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Gathers values in arrays of `count`, and sends each when it is full; when the signal completes, also the
  /// last, shorter one.
  ///
  /// A failure drops the values of the array that is not full, and is forwarded; a source that lets go
  /// without a terminal event drops them, too. No array is empty. Arrays are sent on the thread that sends
  /// their last value, the shorter one on the thread on which the source completed. Buffers up to `count`
  /// values. ReactiveObjC has no such operator, only `-bufferWithTime:onScheduler:`, by time.
  ///
  /// - Precondition: `count` is positive.
  @inlinable @inline(__always)
  public func collect(count: Int) -> Signal<[Value], Failure> {
    require(count > 0, "weir: collect(count: \(count)): the count must be positive")
    return liftInPlace { (sink: Sink<[Value], Failure>) in
      let (step, frame) = sink.entry
      let own = RelayFrame<[Value], Failure>([], before: frame, fail: sink.fail)
      return sink.upstream(
        own, ending: sink.upstreamEnding,
        step: { value, frame in
          let own: RelayFrame<[Value], Failure> = frame.own()
          // One allocation per array, unless it is a large one that may never be filled.
          if own.state.isEmpty { own.state.reserveCapacity(Swift.min(count, 1_024)) }
          own.state.append(value)
          guard own.state.count == count else { return }
          let full = own.state
          own.state = []
          step(full, own.following)
        },
        terminate: { completion in
          if case .completed = completion, !own.state.isEmpty { return sink.sendOnly(own.state) }
          sink.terminate(completion)
        })
    }
  }
}
