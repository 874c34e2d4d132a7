// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal where Value: Sendable {
  /// Has `scheduler` run `body` once, now, and returns a signal that replays all its events to each
  /// subscriber.
  ///
  /// The closure gets an ``Observer``, as that of ``create(_:)`` does, and runs whether or not there are
  /// subscribers. A subscriber that leaves stops neither the closure nor what it has started: there is
  /// nothing to dispose. Events are delivered where the closure sends them, on `scheduler` as long as it does
  /// so itself; a late subscriber gets the history, and then the end, on the subscribing thread. If the
  /// observer is released without a terminal event, or the scheduler shuts down first, subscriptions end
  /// without one, after what was sent.
  ///
  /// All values are retained as long as the observer or the returned signal is.
  ///
  /// - Parameters:
  ///   - scheduler: runs the closure, with itself as ``Schedulers/current``, unless it is one that leaves
  ///     that alone, such as `.immediate`.
  ///   - body: sends the events.
  ///
  /// ReactiveObjC: `+startEagerlyWithScheduler:block:`.
  @inlinable
  public static func startEagerly(
    on scheduler: some Scheduler, _ body: @escaping @Sendable (Observer<Value, Failure>) -> Void
  ) -> Signal {
    started(on: scheduler, body).replay()
  }

  /// Has `scheduler` run `body` once, at the first subscription, and replays all its events to each
  /// subscriber.
  ///
  /// The first subscriber is attached before the closure is scheduled. The rest is as with
  /// ``startEagerly(on:_:)``.
  ///
  /// - Parameters:
  ///   - scheduler: runs the closure, with itself as ``Schedulers/current``, unless it is one that leaves
  ///     that alone, such as `.immediate`.
  ///   - body: sends the events.
  ///
  /// ReactiveObjC: `+startLazilyWithScheduler:block:`.
  @inlinable
  public static func startLazily(
    on scheduler: some Scheduler, _ body: @escaping @Sendable (Observer<Value, Failure>) -> Void
  ) -> Signal {
    started(on: scheduler, body).replayLazily()
  }

  @inlinable
  static func started(
    on scheduler: some Scheduler, _ body: @escaping @Sendable (Observer<Value, Failure>) -> Void
  ) -> Signal {
    create { observer in
      body(observer)
      return nil
    }.subscribing(on: scheduler)
  }
}
