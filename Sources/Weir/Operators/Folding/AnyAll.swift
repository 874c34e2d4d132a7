// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends whether `predicate` is true for any value: true at the first, false when the signal completes without one; then
  /// completes.
  ///
  /// The source is stopped at the first. If `predicate` throws, the signal fails with that error. A failure passes, unlike in
  /// ReactiveObjC, where it counts as false. Buffers nothing.
  ///
  /// ReactiveObjC: `-any:`.
  @inlinable @inline(__always)
  public func any(where predicate: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal<
    Bool, Failure
  > {
    lift { (sink: Sink<Bool, Failure>) in
      let terminate = sink.terminate
      let isOpen = SubscriptionState(true)
      return sink.upstream(
        ending: .early,
        next: { value in
          guard isOpen.value else { return }
          do throws(Failure) {
            guard try predicate(value) else { return }
            isOpen.value = false
            sink.sendOnly(true)
          } catch {
            isOpen.value = false
            terminate(.failed(error))
          }
        },
        terminate: { completion in
          guard isOpen.value else { return }
          if case .finished = completion { sink.sendOnly(false) } else { terminate(completion) }
        })
    }
  }

  /// Sends whether `predicate` is true for all values: false at the first for which it is not, true when the signal completes;
  /// then completes. The rest is as with ``any(where:)``.
  ///
  /// ReactiveObjC: `-all:`.
  @inlinable @inline(__always)
  public func all(where predicate: @escaping @Sendable (Value) throws(Failure) -> Bool) -> Signal<
    Bool, Failure
  > {
    any(where: { (value) throws(Failure) in try !predicate(value) }).map { !$0 }
  }

  /// Sends whether any value equals `element`. The rest is as with ``any(where:)``.
  ///
  /// ReactiveObjC: `-any:` with a comparison.
  @inlinable @inline(__always)
  public func contains(_ element: Value) -> Signal<Bool, Failure>
  where Value: Equatable & Sendable {
    any(where: { $0 == element })
  }
}
