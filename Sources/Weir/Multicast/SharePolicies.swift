// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How long the history of ``SignalConvertible/share(replay:lifetime:connecting:disconnecting:)`` lives.
///
/// RxSwift: `SubjectLifetimeScope`; ReactiveObjC has none.
public enum ShareLifetime: Sendable {
  /// As long as the run: when no subscriber is left, or the source has ended, the run and its history are
  /// thrown away, and the next subscriber starts a new one.
  case whileConnected
  /// As long as the shared signal: when no subscriber is left, the source is disposed and the history stays;
  /// the next subscriber gets it, and runs the source again into the same history. When the source has ended,
  /// the shared signal has ended for good.
  case forever
}

/// When a shared signal subscribes to its source, which it does on the thread of the subscriber that
/// completes the number.
///
/// ReactiveObjC has none: `-autoconnect` connects with the first subscriber.
public struct ConnectPolicy: Sendable {
  let minimum: Int

  /// With the first subscriber.
  public static let atFirstSubscriber = ConnectPolicy(minimum: 1)

  /// When there are `count` subscribers at the same time. Earlier ones wait, and get nothing but the history.
  /// Once the source is subscribed, it stays so until the last subscriber leaves; after that it takes `count`
  /// again.
  ///
  /// - Precondition: `count` is positive.
  public static func atSubscribers(_ count: Int) -> ConnectPolicy {
    require(count > 0, "weir: share(connecting: .atSubscribers(\(count))): the count must be positive")
    return ConnectPolicy(minimum: count)
  }
}

/// When a shared signal without subscribers disposes its source.
///
/// ReactiveObjC has none: `-autoconnect` disposes it when the last subscriber leaves.
public struct DisconnectPolicy: Sendable {
  /// Schedules work for when the grace period is over; nil if there is none.
  let grace: Grace?
  typealias Grace = @Sendable (any ScheduledWork) -> any Disposable

  /// When the last subscriber leaves, in its `dispose()`.
  public static let atOnce = DisconnectPolicy(grace: nil)

  /// Not as long as the shared signal exists: the source runs on without subscribers, and later subscribers
  /// join the run, with its history. When the shared signal and its last subscriber are gone, the source is
  /// disposed by whichever goes last.
  ///
  /// An error of the source that comes while there are no subscribers is retained or reported as with
  /// ``after(_:on:)``.
  ///
  /// ```swift
  /// prices.share(replay: .last(3), lifetime: .forever, disconnecting: .never)
  /// ```
  ///
  /// ReactiveSwift: `replayLazily(upTo:)`; ReactiveObjC has none: `-replayLazily` never disposes its source.
  public static let never = DisconnectPolicy(grace: { _ in Subscription() })

  /// When no subscriber has come for `grace` after the last one left. One that comes before joins the run,
  /// with its history, and the timer is cancelled. An error of the source that comes meanwhile has no
  /// receiver: with ``ShareLifetime/whileConnected`` it is thrown away with the history, and so it is
  /// reported to ``UnhandledErrors``; with ``ShareLifetime/forever`` it is retained for later subscribers.
  ///
  /// The source is disposed on `scheduler`; until then, the source and the history are retained. If the
  /// shared signal itself is released, no subscriber can come any more, and the source is disposed at once
  /// or, deep inside other releases, when the innermost of them is over; if the scheduler is shut down, the
  /// source runs until the grace period is over, and is then disposed on a thread that runs tasks.
  ///
  /// - Parameters:
  ///   - grace: how long to wait.
  ///   - scheduler: measures the time.
  public static func after(_ grace: Duration, on scheduler: some TimedScheduler) -> DisconnectPolicy {
    DisconnectPolicy(grace: { work in
      scheduler.enqueue(work, at: scheduler.clock.now.later(by: grace), tolerance: .zero)
    })
  }
}
