// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Creates a signal of the elements of an asynchronous sequence.
  ///
  /// Cold: each subscription iterates the sequence in a task of its own, which starts a moment after
  /// subscribing; if a sequence can be iterated only once, the signal can be run only once:
  /// ``SignalConvertible/share(replay:lifetime:connecting:disconnecting:)`` it. Events are sent on the thread
  /// that runs the task at that time. Each element is requested when the one before has been delivered: that
  /// is the back-pressure, and nothing is buffered. Disposing cancels the task and releases everything
  /// downstream at once; a sequence that ignores cancellation is released when it has its next element. The
  /// task is detached, as with ``task(priority:executorPreference:_:)``: it inherits no task-local values. It
  /// lets other tasks run after every 256 elements, as a sequence whose elements are at hand never suspends.
  ///
  /// - Parameters:
  ///   - elements: the sequence; the signal ends as it does, with its failure. Its iterator need not be
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
        var sent: UInt8 = 0
        for try await element in elements {
          observer.send(element)
          // Checked right after the element, so that no further one is taken from the sequence.
          if observer.isEnded { return }
          sent &+= 1
          // The next element may be at hand, and the one after it, and so on.
          if sent == 0 { await Task.yield() }
        }
        observer.complete()
      } catch {
        observer.fail(error)
      }
    }
  }
}
