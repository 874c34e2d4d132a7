// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How long the history of ``SignalConvertible/share(replay:lifetime:connecting:disconnecting:)`` lives.
///
/// RxSwift: `SubjectLifetimeScope`; ReactiveObjC has none.
public enum ShareLifetime: Sendable {
  /// As long as the run: when nobody is left, or the source has ended, the run and its history are thrown
  /// away, and the next subscriber starts a new one.
  case whileConnected
  /// As long as the shared signal: when nobody is left, the source is disposed and the history stays; the
  /// next subscriber gets it, and runs the source again into the same history. When the source has ended, the
  /// shared signal has ended for good.
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

  /// When `count` subscribers are there at the same time. Those before wait, and get nothing but the history.
  /// Once it is subscribed, the source stays so until the last one leaves; after that it takes `count` again.
  ///
  /// - Precondition: `count` is positive.
  public static func atSubscribers(_ count: Int) -> ConnectPolicy {
    precondition(count > 0, "weir: share(connecting: .atSubscribers(\(count))): the count must be positive")
    return ConnectPolicy(minimum: count)
  }
}

/// When a shared signal that nobody listens to any more disposes its source.
///
/// ReactiveObjC has none: `-autoconnect` disposes it when the last subscriber leaves.
public struct DisconnectPolicy: Sendable {
  /// Has the scheduler run something when the grace period is over; nil if there is none.
  let grace: Grace?
  typealias Grace = @Sendable (any ScheduledWork) -> any Disposable

  /// When the last subscriber leaves, in its `dispose()`.
  public static let atOnce = DisconnectPolicy(grace: nil)

  /// Not as long as the shared signal is there: the source runs on without subscribers, and those who come
  /// join the run, with its history. When the shared signal and its last subscriber are gone, whichever of
  /// them goes last disposes the source.
  ///
  /// An error of the source that comes while nobody listens is kept or reported as with ``after(_:on:)``.
  ///
  /// ```swift
  /// prices.share(replay: .last(3), lifetime: .forever, disconnecting: .never)
  /// ```
  ///
  /// ReactiveSwift: `replayLazily(upTo:)`; ReactiveObjC has none: `-replayLazily` never disposes its source.
  public static let never = DisconnectPolicy(grace: { _ in Subscription() })

  /// When nobody has come for `grace` after the last subscriber left. Who comes before joins the run, with
  /// its history, and the timer is taken back. An error of the source that comes meanwhile has nobody to go
  /// to: with ``ShareLifetime/whileConnected`` it is thrown away with the history, and so it is reported to
  /// ``UnhandledErrors``; with ``ShareLifetime/forever`` it is kept for those who come.
  ///
  /// The source is disposed on `scheduler`; the source and the history are kept meanwhile. If the shared
  /// signal itself is released, nobody can come any more, and the source is disposed at once, or deep inside
  /// of other releases, when the innermost of them is over; if the scheduler is shut down, then.
  ///
  /// - Parameters:
  ///   - grace: how long to wait.
  ///   - scheduler: where the time passes.
  public static func after(_ grace: Duration, on scheduler: some TimedScheduler) -> DisconnectPolicy {
    DisconnectPolicy(grace: { work in
      scheduler.enqueue(work, at: scheduler.clock.now.later(by: grace), tolerance: .zero)
    })
  }
}
