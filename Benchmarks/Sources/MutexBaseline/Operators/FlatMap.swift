// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The inner signals to which `flatMap` is subscribed.
@usableFromInline
struct RunningSignals: Sendable {
  @usableFromInline var disposals: [Int: MutexDisposal] = [:]
  @usableFromInline var begun = 0
  @usableFromInline var sourceHasEnded = false

  @inlinable
  init() {}

  /// Makes room for one more signal, which may end before `subscribe` has returned its disposal.
  @inlinable
  mutating func begin() -> Int {
    begun += 1
    disposals[begun] = {}
    return begun
  }

  @inlinable var isCompleted: Bool { sourceHasEnded && disposals.isEmpty }
}

extension MutexSubject {
  /// Turns each value into a signal, and calls `next` with the values of all these signals. Completes when
  /// the subject and all signals have completed.
  @inlinable
  public func flatMap<Output>(
    _ transform: @escaping @Sendable (Value) -> MutexSignal<Output>,
    next: @escaping @Sendable (Output) -> Void, completed: @escaping @Sendable () -> Void = {}
  ) -> MutexDisposal {
    let state = Locked(RunningSignals())
    let subscription = subscribe { value in
      // The lock is recursive: what the signal does during `subscribe`, it does inside this lock.
      state.withLock { running in
        let signal = running.pointee.begin()
        let disposal = transform(value).subscribe { output in
          state.withLock { _ in next(output) }
        } _: {
          state.withLock { running in
            running.pointee.disposals[signal] = nil
            if running.pointee.isCompleted { completed() }
          }
        }
        // The entry is already gone if the signal has ended, or if everything was disposed meanwhile.
        if running.pointee.disposals[signal] == nil {
          disposal()
        } else {
          running.pointee.disposals[signal] = disposal
        }
      }
    } completed: {
      state.withLock { running in
        running.pointee.sourceHasEnded = true
        if running.pointee.isCompleted { completed() }
      }
    }
    return {
      subscription.dispose()
      state.withLock { running in
        let disposals = running.pointee.disposals
        running.pointee.disposals = [:]
        for disposal in disposals.values { disposal() }
      }
    }
  }
}
