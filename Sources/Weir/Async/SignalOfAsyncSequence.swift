// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// A signal of the elements of an asynchronous sequence.
  ///
  /// Cold: each subscription iterates the sequence in a task of its own, which begins a moment after
  /// subscribing; where a sequence can be iterated only once, so can the signal:
  /// ``SignalConvertible/share(replay:lifetime:connecting:disconnecting:)`` it. The events come on the thread
  /// that runs the task then. One element is asked for when the one before has been delivered: that is the
  /// back-pressure, and nothing is buffered. Disposing cancels the task and releases all that is downstream
  /// at once; a sequence that does not heed cancellation is let go of when it has its next element. The task
  /// is a detached one, as that of ``task(priority:executorPreference:_:)``: no task-local value crosses.
  ///
  /// - Parameters:
  ///   - elements: sends its elements, and ends as it does, with its failure. Its iterator need not be
  ///     `Sendable`.
  ///   - priority: of the task; nil for the default one, `.medium`.
  ///   - executor: where the task prefers to run; nil for the pool of all tasks. See
  ///     ``SchedulerTaskExecutor``.
  ///
  /// ReactiveObjC has no such source.
  @inlinable
  public init<Elements: AsyncSequence & Sendable>(
    _ elements: Elements, priority: TaskPriority? = nil,
    executorPreference executor: (any TaskExecutor)? = nil
  ) where Elements.Element == Value, Elements.Failure == Failure {
    self = .running(priority, executor) { observer in
      do throws(Failure) {
        for try await element in elements {
          observer.send(element)
          // Asked right after the element, so that no further one is taken from the sequence.
          if observer.isEnded { return }
        }
        observer.complete()
      } catch {
        observer.fail(error)
      }
    }
  }
}
