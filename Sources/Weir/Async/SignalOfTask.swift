// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// A signal of what an asynchronous function returns: one value, and then the end.
  ///
  /// ```swift
  /// orders.flatMap(.merge(limit: 8)) { order in .task { try await database.store(order) } }
  /// ```
  ///
  /// That is an asynchronous `map`, of which at most eight are under way; with
  /// ``FlattenStrategy/ordered(limit:waiting:)`` its results come in the order of the values, with
  /// ``FlattenStrategy/concat`` it is one after the other, with ``FlattenStrategy/latest`` only the newest.
  ///
  /// Cold: each subscription is a task of its own, which begins a moment after subscribing. The events come
  /// on the thread that runs the task then. Disposing cancels the task and releases all that is downstream at
  /// once; `operation` is released when it returns, and what it returns or throws then is dropped. Buffers
  /// nothing. A task, and what it takes to cancel it, are a few microseconds.
  ///
  /// The task is a detached one: no task-local value crosses into it, and no priority. It may begin inside
  /// whatever has made room for it, such as the end of the task before, whose context is not this one's.
  /// Carry the context in the value, or set it inside: `.task { await Trace.$id.withValue(order.id) { … } }`.
  ///
  /// - Parameters:
  ///   - priority: of the task; nil for the default one, `.medium`.
  ///   - executor: where the task prefers to run; nil for the pool of all tasks. See
  ///     ``SchedulerTaskExecutor``.
  ///   - operation: what to do. What it throws is what the signal fails with.
  ///
  /// ReactiveObjC has no such method; it stands for `+startLazilyWithScheduler:block:` around a call that
  /// blocks.
  public static func task(
    priority: TaskPriority? = nil, executorPreference executor: (any TaskExecutor)? = nil,
    _ operation: @escaping @Sendable () async throws(Failure) -> Value
  ) -> Signal {
    running(priority, executor) { observer in
      do throws(Failure) {
        observer.send(try await operation())
        observer.complete()
      } catch {
        observer.fail(error)
      }
    }
  }

  /// Has a task of its own send events for each subscription, until that ends.
  @usableFromInline
  static func running(
    _ priority: TaskPriority?, _ executor: (any TaskExecutor)?,
    _ body: @escaping @Sendable (Observer<Value, Failure>) async -> Void
  ) -> Signal {
    // The observer lets go of what is downstream when the subscription ends, however long the task keeps it.
    .create { observer in
      // Detached: who subscribes here may be a task that has nothing to do with this one.
      let task = Task.detached(executorPreference: executor, priority: priority) {
        if !observer.isEnded { await body(observer) }
      }
      return ActionDisposable { task.cancel() }
    }
  }
}
