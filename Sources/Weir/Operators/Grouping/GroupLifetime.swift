// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// When a group of ``SignalConvertible/group(by:lifetime:)`` ends, before its source does.
///
/// Rx has the duration of `GroupByUntil`; ReactiveObjC has none.
public struct GroupLifetime<Key: Sendable, Value: Sendable, Failure: Error>: Sendable {
  /// Runs what tells the end of a group, by a subscription, and calls the closure once when it has come.
  @usableFromInline let watch:
    @Sendable (GroupedSignal<Key, Value, Failure>, Subscription, @escaping @Sendable () -> Void) -> Void

  @usableFromInline
  init(
    watch:
      @escaping @Sendable (
        GroupedSignal<Key, Value, Failure>, Subscription, @escaping @Sendable () -> Void
      ) -> Void
  ) {
    self.watch = watch
  }

  /// Until a signal that belongs to the group sends a value or completes.
  ///
  /// ```swift
  /// .until { session in session.filter(\.isLogout) }
  /// ```
  ///
  /// That signal is subscribed right before the group is announced, and disposed when the group has ended.
  /// Made from the group, it ends it after the value that it has let pass: that is the group's last one,
  /// whatever waits behind it. When it fails, it can fire no more: its error goes to ``UnhandledErrors``,
  /// and the group lasts as long as the source, as it does if the signal lets go without a terminal event.
  ///
  /// - Parameter trigger: returns that signal. Called once a group, where its first value is delivered.
  public static func until(
    _ trigger: @escaping @Sendable (GroupedSignal<Key, Value, Failure>) -> some SignalConvertible
  ) -> GroupLifetime {
    GroupLifetime { group, waiting, end in
      let trigger = trigger(group).signal
      // The closure may have disposed the run.
      if !waiting.isDisposed { trigger.trigger(by: waiting, end) }
    }
  }

  /// The same, so that the failure of a signal that does not say how it fails is `Never`:
  /// `.until { _ in Signal.just(()) }`.
  @_disfavoredOverload @_documentation(visibility: internal)
  public static func until<Output>(
    _ trigger: @escaping @Sendable (GroupedSignal<Key, Value, Failure>) -> Signal<Output, Never>
  ) -> GroupLifetime {
    until { trigger($0) as Signal }
  }

  /// Until no value has come to the group for some time.
  ///
  /// The group completes on the scheduler or, if a value is being delivered then, behind that. A value counts
  /// from when it comes to the group, not from when its subscribers are done with it. Keeps one timer for
  /// each open group, which is not set anew for each value. If the scheduler is shut down, groups last as
  /// long as the source.
  ///
  /// - Parameters:
  ///   - quiet: how long no value must come, counted from the last one.
  ///   - scheduler: where the time passes.
  public static func untilIdle(for quiet: Duration, on scheduler: some TimedScheduler) -> GroupLifetime {
    until { $0.mapReplace(()).debounce(quiet, on: scheduler) }
  }
}
