// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The values that wait for a partner, oldest first. Plain arrays: removing the first of n values costs n,
/// which is small as long as neither source runs ahead.
@usableFromInline
struct WaitingPair<Left: Sendable, Right: Sendable>: Sendable {
  @usableFromInline var left: [Left] = []
  @usableFromInline var right: [Right] = []
  @usableFromInline var leftHasEnded = false
  @usableFromInline var rightHasEnded = false
  @usableFromInline var hasCompleted = false

  @inlinable
  init() {}

  /// True once, as soon as no further pair can come.
  @inlinable
  mutating func completesNow() -> Bool {
    if hasCompleted { return false }
    hasCompleted = leftHasEnded && left.isEmpty || rightHasEnded && right.isEmpty
    return hasCompleted
  }
}

extension MutexSubject {
  /// Calls `next` with the result of `transform` for the first values of both, then for the second ones, and
  /// so on. Completes when one source has completed and none of its values is waiting.
  @inlinable
  public func zip<Other: MutexSubject, Output>(
    with other: Other, _ transform: @escaping @Sendable (Value, Other.Value) -> Output,
    next: @escaping @Sendable (Output) -> Void, completed: @escaping @Sendable () -> Void = {}
  ) -> MutexDisposal {
    let state = Locked(WaitingPair<Value, Other.Value>())
    let left = subscribe { value in
      state.withLock { waiting in
        if waiting.pointee.right.isEmpty { return waiting.pointee.left.append(value) }
        next(transform(value, waiting.pointee.right.removeFirst()))
        if waiting.pointee.completesNow() { completed() }
      }
    } completed: {
      state.withLock { waiting in
        waiting.pointee.leftHasEnded = true
        if waiting.pointee.completesNow() { completed() }
      }
    }
    let right = other.subscribe { value in
      state.withLock { waiting in
        if waiting.pointee.left.isEmpty { return waiting.pointee.right.append(value) }
        next(transform(waiting.pointee.left.removeFirst(), value))
        if waiting.pointee.completesNow() { completed() }
      }
    } completed: {
      state.withLock { waiting in
        waiting.pointee.rightHasEnded = true
        if waiting.pointee.completesNow() { completed() }
      }
    }
    return {
      left.dispose()
      right.dispose()
    }
  }
}
