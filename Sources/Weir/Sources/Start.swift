// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal where Value: Sendable {
  /// Has `scheduler` run `body` now, once, and returns a signal that replays all events of that to whoever
  /// subscribes.
  ///
  /// The closure gets an ``Observer``, as that of ``create(_:)`` does, and is run whether anybody listens or
  /// not. No subscriber that leaves stops it or what it has begun: there is nothing to dispose. Its events
  /// come where it sends them, on `scheduler` as long as it does so itself; who comes late gets the history,
  /// and then the end, on its own thread. If the observer is released without a terminal event, or the
  /// scheduler shuts down first, there are no further events.
  ///
  /// All values are kept as long as the observer or the answer is.
  ///
  /// - Parameters:
  ///   - scheduler: runs the closure, with itself as ``Schedulers/current``.
  ///   - body: sends the events.
  ///
  /// ReactiveObjC: `+startEagerlyWithScheduler:block:`.
  public static func startEagerly(
    on scheduler: some Scheduler, _ body: @escaping @Sendable (Observer<Value, Failure>) -> Void
  ) -> Signal {
    started(on: scheduler, body).replay()
  }

  /// Has `scheduler` run `body` with the first subscription, once, and replays all events of that to whoever
  /// subscribes.
  ///
  /// The first subscriber is attached before the closure is scheduled. The rest is as with
  /// ``startEagerly(on:_:)``.
  ///
  /// - Parameters:
  ///   - scheduler: runs the closure, with itself as ``Schedulers/current``.
  ///   - body: sends the events.
  ///
  /// ReactiveObjC: `+startLazilyWithScheduler:block:`.
  public static func startLazily(
    on scheduler: some Scheduler, _ body: @escaping @Sendable (Observer<Value, Failure>) -> Void
  ) -> Signal {
    started(on: scheduler, body).replayLazily()
  }

  private static func started(
    on scheduler: some Scheduler, _ body: @escaping @Sendable (Observer<Value, Failure>) -> Void
  ) -> Signal {
    create { observer in
      body(observer)
      return nil
    }.subscribing(on: scheduler)
  }
}
