// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends whether `predicate` is true for any value: true at the first such value, false when the signal
  /// completes without one; then completes.
  ///
  /// The source is stopped at that value. If `predicate` throws, the signal fails with that error. A failure
  /// is forwarded, unlike in ReactiveObjC, where it counts as false. Runs on the sending thread; buffers
  /// nothing.
  ///
  /// ReactiveObjC: `-any:`.
  @inlinable @inline(__always)
  public func any(where predicate: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal<
    Bool, Failure
  > {
    lift { (sink: Sink<Bool, Failure>) in
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
            guard try predicate(value) else { return }
            own.left = 0
            step(true, own.following)
            own.completeIfClosed()
          } catch {
            own.fail(error)
          }
        },
        terminate: { completion in
          if own.left > 0, case .completed = completion {
            own.left = 0
            sink.sendOnly(false)
          } else {
            own.end(with: completion)
          }
        })
    }
  }

  /// Sends whether `predicate` is true for all values: false at the first for which it is not, true when the
  /// signal completes; then completes. The rest is as with ``any(where:)``.
  ///
  /// ReactiveObjC: `-all:`.
  @inlinable @inline(__always)
  public func all(where predicate: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal<
    Bool, Failure
  > {
    any(where: { (value) throws(Failure) in try !predicate(value) }).map { !$0 }
  }
}
