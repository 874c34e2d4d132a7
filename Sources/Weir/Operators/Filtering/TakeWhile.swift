// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Whether the value at which ``SignalConvertible/take(while:boundary:)`` ends is sent. ReactiveObjC has
/// none: it never sends that value.
@frozen
public enum TakeBoundary: Sendable {
  /// The value is not sent.
  case excluded
  /// The value is sent, as the last one.
  case included
}

extension SignalConvertible {
  /// Forwards values while `predicate` is true, and completes at the first for which it is false.
  ///
  /// The source is stopped at that moment, even a synchronous one. If `predicate` throws, the signal fails
  /// with that error. Terminal events before that pass through. Runs on the sending thread; buffers nothing.
  ///
  /// ReactiveObjC: `-takeWhileBlock:`, which excludes the boundary.
  @inlinable @inline(__always)
  public func take(
    while predicate: @escaping @Sendable (Value) throws(Failure) -> Bool,
    boundary: TakeBoundary = .excluded
  ) -> Signal<Value, Failure> {
    // What a step captures should be a compile-time constant: a number can be one, an enum cannot.
    let afterwards = boundary == .included ? 1 : 0
    return lift { sink in
      let (step, frame) = sink.entry
      let hint = FoldingHint.constant
      let own = EarlyEndFrame(before: frame, in: sink)
      return sink.upstream(
        own, ending: .early,
        step: { value, frame in
          _ = hint
          let own: EarlyEndFrame<Failure> = frame.own()
          if own.left == 0 { return }
          do throws(Failure) {
            if try !predicate(value) {
              if afterwards == 0 { return own.end(with: .completed) }
              own.left = 0
            }
            step(value, own.following)
            own.completeIfClosed()
          } catch {
            own.fail(error)
          }
        },
        terminate: own.end)
    }
  }

  /// Forwards values until `predicate` is true for one, and completes there. The rest is as with
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
