// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension MutexSubject {
  /// With each value, calls `next` with the result of `transform` for it and the newest value of `other`;
  /// drops values that arrive before `other` has sent one. Completes when this subject has.
  @inlinable
  public func withLatest<Other: MutexSubject, Output>(
    from other: Other, _ transform: @escaping @Sendable (Value, Other.Value) -> Output,
    next: @escaping @Sendable (Output) -> Void, completed: @escaping @Sendable () -> Void = {}
  ) -> MutexDisposal {
    let newest = Locked(Other.Value?.none)
    let otherSubscription = other.subscribe { value in newest.withLock { $0.pointee = value } }
    let subscription = subscribe { value in
      newest.withLock { newest in
        if let other = newest.pointee { next(transform(value, other)) }
      }
    } completed: {
      newest.withLock { _ in
        otherSubscription.dispose()
        completed()
      }
    }
    return {
      subscription.dispose()
      otherSubscription.dispose()
    }
  }
}
