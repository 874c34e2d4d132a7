// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Creates a signal of the result of an asynchronous function: one value, and then the completion.
  ///
  /// ```swift
  /// orders.flatMap(.merge(limit: 8)) { order in .task { try await database.store(order) } }
  /// ```
  ///
  /// This is an asynchronous `map` of which at most eight calls are under way; with
  /// ``FlattenStrategy/ordered(limit:waiting:)`` the results come in the order of the values, with
  /// ``FlattenStrategy/concat`` the calls run one after the other. With ``FlattenStrategy/latest`` a new
  /// value cancels the call before it, which may run beside the new one until it returns: to wait for that,
  /// see "The newest only, never two at a time" in <doc:Recipes>.
  ///
  /// Cold: each subscription is a task of its own, which starts a moment after subscribing. Events are sent
  /// on the thread that runs the task at that time. Disposing cancels the task and releases everything
  /// downstream at once; `operation` is released when it returns, and what it returns or throws then is
  /// dropped. If the subscription is disposed before its task starts, `operation` is never called: so a
  /// `defer` in it cannot balance what was counted outside; ``SignalConvertible/on(subscribed:disposed:)``
  /// can. Buffers nothing. Creating a task that can be cancelled takes a few microseconds.
  ///
  /// The task is detached: it inherits no task-local values and no priority. It may be started by whatever
  /// has made room for it, such as the end of the task before, whose context is not this one's. Carry the
  /// context in the value, or set it inside: `.task { await Trace.$id.withValue(order.id) { … } }`.
  ///
  /// - Parameters:
  ///   - priority: of the task; nil for the default one, `.medium`.
  ///   - executor: where the task prefers to run; nil for the pool of all tasks. See
  ///     ``SchedulerTaskExecutor``.
  ///   - operation: what to do. If it throws, the signal fails with that error.
  ///
  /// ReactiveObjC has no such method; this replaces `+startLazilyWithScheduler:block:` around a call that
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

  /// Creates a signal of which each subscription is a task of its own that sends events until it ends.
  @usableFromInline
  static func running(
    _ priority: TaskPriority?, _ executor: (any TaskExecutor)?,
    _ body: @escaping @Sendable (Observer<Value, Failure>) async -> Void
  ) -> Signal {
    // The observer releases what is downstream when the subscription ends, however long the task retains it.
    .create { observer in
      // Detached: the subscriber may be a task that has nothing to do with this one.
      let task = Task.detached(executorPreference: executor, priority: priority) {
        if !observer.isEnded { await body(observer) }
      }
      return ActionDisposable { task.cancel() }
    }
  }
}
