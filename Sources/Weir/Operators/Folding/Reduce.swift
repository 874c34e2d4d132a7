// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Combines all values into one result, sends it when the signal completes, and completes; sends `initial`
  /// if there were no values.
  ///
  /// Each subscription starts from `initial`. If `combine` throws, the signal fails with that error and its
  /// source is stopped. A failure is forwarded, and no value is sent. Sends on the thread on which the signal
  /// completed. Retains one result; buffers nothing.
  ///
  /// ReactiveObjC: `-aggregateWithStart:reduce:`.
  @inlinable @inline(__always)
  public func reduce<Result: Sendable>(
    _ initial: Result, _ combine: @escaping @Sendable (Result, Value) throws(Failure) -> Result
  ) -> Signal<Result, Failure> {
    reduce(into: initial) { (result, value) throws(Failure) in result = try combine(result, value) }
  }

  /// Gathers all values in one result that is changed in place, sends it when the signal completes, and
  /// completes. The rest is as with ``reduce(_:_:)``. ReactiveObjC has no such operator.
  ///
  /// - Parameters:
  ///   - initial: what each subscription starts from.
  ///   - gather: adds a value to the result.
  @inlinable @inline(__always)
  public func reduce<Result: Sendable>(
    into initial: Result,
    _ gather: @escaping @Sendable (inout Result, Value) throws(Failure) -> Void
  ) -> Signal<Result, Failure> {
    liftInPlace { (sink: Sink<Result, Failure>) in sink.gathering(in: initial, gather) }
  }

  /// Gathers all values in a result that is made for each subscription, sends it when the signal completes,
  /// and completes.
  ///
  /// For results that subscriptions must not share, such as objects. The rest is as with ``reduce(_:_:)``.
  ///
  /// - Parameters:
  ///   - start: makes the result; called once per subscription, on the subscribing thread, before the signal
  ///     is run. If that ends the run, the signal is not run.
  ///   - gather: adds a value to the result.
  ///
  /// ReactiveObjC: `-aggregateWithStartFactory:reduce:`.
  @inlinable @inline(__always)
  public func reduce<Result>(
    making start: @escaping @Sendable () -> Result,
    _ gather: @escaping @Sendable (inout Result, Value) throws(Failure) -> Void
  ) -> Signal<Result, Failure> {
    let signal = self.signal
    return Signal<Result, Failure>(signal.timingInPlace) { sink, _ in
      let gathering = sink.gathering(in: start(), gather)
      if !sink.isEnded { signal.attach(gathering) }
    }
  }

  /// Combines all values and their positions, counted from 0, into one result, sends it when the signal
  /// completes, and completes. The rest is as with ``reduce(_:_:)``.
  ///
  /// - Parameters:
  ///   - initial: what each subscription starts from.
  ///   - combine: returns the new result from the previous one, the value and its position.
  ///
  /// ReactiveObjC: `-aggregateWithStart:reduceWithIndex:`.
  @inlinable @inline(__always)
  public func reduceIndexed<Result: Sendable>(
    _ initial: Result,
    _ combine: @escaping @Sendable (Result, Value, _ index: Int) throws(Failure) -> Result
  ) -> Signal<Result, Failure> {
    enumerated().reduce(initial) { (result, item) throws(Failure) in
      try combine(result, item.element, item.offset)
    }
  }
}

extension Sink {
  /// The sink of an operator that gathers all values in one result, and sends that at the end.
  @inlinable @inline(__always)
  func gathering<Input>(
    in initial: Value, _ gather: @escaping @Sendable (inout Value, Input) throws(Failure) -> Void
  ) -> Sink<Input, Failure> {
    let own = FoldFrame(initial, in: self)
    return upstream(
      own, ending: upstreamEnding,
      step: { value, frame in
        let own: FoldFrame<Value, Failure> = frame.own()
        do throws(Failure) { try gather(&own.state, value) } catch { own.fail(error) }
      },
      terminate: { completion in
        if case .completed = completion { sendOnly(own.state) } else { terminate(completion) }
      })
  }
}
