// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What becomes of the value at which ``SignalConvertible/take(while:boundary:)`` ends.
@frozen
public enum TakeBoundary: Sendable {
  /// It is not sent.
  case excluded
  /// It is sent as the last one.
  case included
}

extension SignalConvertible {
  /// Passes values on while `predicate` is true, and completes at the first for which it is not.
  ///
  /// The source is stopped at that moment, also a synchronous one. If `predicate` throws, the signal fails with that error.
  /// Terminal events before that pass through. Runs where the source sends; buffers nothing.
  ///
  /// ReactiveObjC: `-takeWhileBlock:`, which excludes the boundary.
  @inlinable @inline(__always)
  public func take(
    while predicate: @escaping @Sendable (Value) throws(Failure) -> Bool,
    boundary: TakeBoundary = .excluded
  ) -> Signal<Value, Failure> {
    lift { sink in
      let (next, terminate) = (sink.next, sink.terminate)
      let isTaking = SubscriptionState(true)
      return sink.upstream(
        ending: .early,
        next: { value in
          guard isTaking.value else { return }
          do throws(Failure) {
            if try predicate(value) { return next(value) }
            isTaking.value = false
            if boundary == .included { sink.sendOnly(value) } else { terminate(.finished) }
          } catch {
            isTaking.value = false
            terminate(.failed(error))
          }
        },
        terminate: { completion in if isTaking.value { terminate(completion) } })
    }
  }

  /// Passes values on until `predicate` is true for one, and completes there. The rest is as with
  /// ``take(while:boundary:)``.
  ///
  /// ReactiveObjC: `-takeUntilBlock:`, which excludes the boundary.
  @inlinable @inline(__always)
  public func take(
    until predicate: @escaping @Sendable (Value) throws(Failure) -> Bool,
    boundary: TakeBoundary = .excluded
  ) -> Signal<Value, Failure> {
    take(while: { (value) throws(Failure) in try !predicate(value) }, boundary: boundary)
  }
}
