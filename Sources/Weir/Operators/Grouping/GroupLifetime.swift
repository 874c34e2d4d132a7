// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Decides when a group of ``SignalConvertible/group(by:lifetime:)`` ends before its source does.
///
/// Rx has the duration of `GroupByUntil`; ReactiveObjC has none.
public struct GroupLifetime<Key: Sendable, Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline let end: GroupEnd<Key, Value, Failure>

  @usableFromInline
  init(_ end: GroupEnd<Key, Value, Failure>) { self.end = end }

  /// The group ends when a signal that belongs to it sends a value or completes.
  ///
  /// ```swift
  /// .until { session in session.filter(\.isLogout) }
  /// ```
  ///
  /// That signal is subscribed right before the group is announced, and disposed when the group has ended. If
  /// it is made from the group, the value that makes it fire is still sent: it is the group's last one,
  /// whatever is queued behind it. If it fires while it is being subscribed, as that of a property does, the
  /// group ends with its first value. If the signal fails, it can fire no more: its error goes to
  /// ``UnhandledErrors``, and the group lasts as long as the source, as it does if the signal lets go without
  /// a terminal event.
  ///
  /// Each open group has a subscription of its own. So a signal that is not made from the group should send
  /// seldom, or be shared: a chain of operators on the source runs once for each open group, at each value.
  ///
  /// - Parameter trigger: returns that signal. Called once per group, where its first value is delivered.
  @inlinable
  public static func until(
    _ trigger: @escaping @Sendable (GroupedSignal<Key, Value, Failure>) -> some SignalConvertible
  ) -> GroupLifetime {
    GroupLifetime(
      .trigger { group, waiting, end in
        let trigger = trigger(group).signal
        // The closure may have disposed the run.
        if !waiting.isDisposed { trigger.trigger(by: waiting, end) }
      })
  }

  /// The same, so that the failure of a signal that does not say how it fails is `Never`:
  /// `.until { _ in Signal.just(()) }`.
  @inlinable
  @_disfavoredOverload @_documentation(visibility: internal)
  public static func until<Output>(
    _ trigger: @escaping @Sendable (GroupedSignal<Key, Value, Failure>) -> Signal<Output, Never>
  ) -> GroupLifetime {
    until { trigger($0) as Signal }
  }

  /// The group ends when it has had no value for some time.
  ///
  /// Only values of the group count: it also ends while a signal that was started for one of them still runs.
  /// A ``SignalConvertible/flatMap(_:_:)`` with a limit inside the group holds for this group only: the next
  /// group of the key has a limit of its own, so that more signals of the key may run than the limit says, or
  /// two at a time with ``FlattenStrategy/concat``. The article on recipes has a lifetime that waits for the
  /// signals, in "One at a time for each key, with keys that come and go". What is made of a group and of a
  /// signal that lasts, such as that of a property, may outlive the group: see "Follow a setting" there.
  ///
  /// The group completes on the scheduler or, if a value is being delivered then, after that, on the
  /// delivering thread. The time counts from the arrival of a value, not from when its subscribers are done
  /// with it, nor from when the end of another group is over for which it has to wait. A value that waits in
  /// the source has not arrived: subscribers that take longer than `quiet` over one value end its group,
  /// unless there is an ``SignalConvertible/observe(on:_:waiting:failures:)`` before them.
  ///
  /// Uses one timer for each open group, which is not reset for each value; a value costs one reading of the
  /// clock. If the scheduler is shut down, groups last as long as the source.
  ///
  /// - Parameters:
  ///   - quiet: how long after its last value the group ends.
  ///   - scheduler: measures the time.
  @inlinable @inline(__always)
  public static func untilIdle(for quiet: Duration, on scheduler: some TimedScheduler) -> GroupLifetime {
    GroupLifetime(.idle(for: quiet.bounded, on: TimerTarget(scheduler)))
  }
}

/// What ends a group before its source.
@frozen @usableFromInline
enum GroupEnd<Key: Sendable, Value: Sendable, Failure: Error>: Sendable {
  /// Observes the lifetime of a group, in a subscription, and calls the closure once when it is over.
  case trigger(
    @Sendable (GroupedSignal<Key, Value, Failure>, Subscription, @escaping @Sendable () -> Void) -> Void)
  case idle(for: Duration, on: TimerTarget)
}
