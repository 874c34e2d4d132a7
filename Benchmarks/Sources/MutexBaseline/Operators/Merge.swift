// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension MutexSubject {
  /// Calls `next` with all values of `sources`. Completes when all of them have.
  @inlinable
  public static func merge(
    _ sources: [Self], next: @escaping @Sendable (Value) -> Void,
    completed: @escaping @Sendable () -> Void = {}
  ) -> MutexDisposal {
    let running = Locked(sources.count)
    let subscriptions = sources.map { source in
      source.subscribe { value in
        running.withLock { _ in next(value) }
      } completed: {
        running.withLock { running in
          running.pointee -= 1
          if running.pointee == 0 { completed() }
        }
      }
    }
    return { for subscription in subscriptions { subscription.dispose() } }
  }
}
