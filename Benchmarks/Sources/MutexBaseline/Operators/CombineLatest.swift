// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The newest values of two sources.
@usableFromInline
struct LatestPair<Left: Sendable, Right: Sendable>: Sendable {
  @usableFromInline var left: Left?
  @usableFromInline var right: Right?
  @usableFromInline var running = 2

  @inlinable
  init() {}
}

extension MutexSubject {
  /// Whenever either source sends and both have sent a value, calls `next` with the result of `transform` for
  /// their newest values. Completes when both have.
  @inlinable
  public func combineLatest<Other: MutexSubject, Output>(
    with other: Other, _ transform: @escaping @Sendable (Value, Other.Value) -> Output,
    next: @escaping @Sendable (Output) -> Void, completed: @escaping @Sendable () -> Void = {}
  ) -> MutexDisposal {
    let state = Locked(LatestPair<Value, Other.Value>())
    let endOne: @Sendable () -> Void = {
      state.withLock { latest in
        latest.pointee.running -= 1
        if latest.pointee.running == 0 { completed() }
      }
    }
    let left = subscribe(
      next: { value in
        state.withLock { latest in
          latest.pointee.left = value
          if let right = latest.pointee.right { next(transform(value, right)) }
        }
      }, completed: endOne)
    let right = other.subscribe(
      next: { value in
        state.withLock { latest in
          latest.pointee.right = value
          if let left = latest.pointee.left { next(transform(left, value)) }
        }
      }, completed: endOne)
    return {
      left.dispose()
      right.dispose()
    }
  }
}
