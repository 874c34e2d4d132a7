// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How far a pause of ``RetryPolicy/backoff(from:multiplier:upTo:jitter:on:)`` is shortened at random, so
/// that clients that failed together do not all retry together. ReactiveObjC has none.
public struct RetryJitter: Sendable {
  private let share: Double
  private let random: @Sendable () -> Double

  /// Pauses are not shortened.
  public static let none = RetryJitter(share: 0) { 0 }
  /// Any pause between zero and the whole: spreads best.
  public static let full = share(1)
  /// Any pause between half and the whole: nobody retries at once.
  public static let equal = share(0.5)

  /// Takes up to `share` of a pause off, each amount equally likely.
  ///
  /// - Parameters:
  ///   - share: from 0, for nothing, to 1, for all of it.
  ///   - random: returns a number from 0 to 1, the part of the share that is taken off; a test returns a
  ///     fixed one. A number outside counts as the nearer bound. Called once for each pause, on the thread on
  ///     which the signal failed.
  /// - Precondition: `share` is between 0 and 1.
  public static func share(
    _ share: Double, random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) -> RetryJitter {
    require(
      (0...1).contains(share), "weir: RetryJitter.share(\(share)): the share must be between 0 and 1")
    return RetryJitter(share: share, random: random)
  }

  private init(share: Double, random: @escaping @Sendable () -> Double) {
    self.share = share
    self.random = random
  }

  /// The factor that shortens a pause.
  @usableFromInline
  func factor() -> Double { 1 - share * min(1, max(0, random())) }
}

extension RetryPolicy {
  /// The same policy, but the next attempt starts when `pause` has passed, on `scheduler`. Disposal cancels
  /// the timer. Replaces an earlier delay.
  ///
  /// - Parameters:
  ///   - pause: how long to wait. Zero or less is no time, but still goes through the scheduler.
  ///   - scheduler: measures the time. If it is shut down meanwhile, the run ends without an event, and the
  ///     failure goes to ``UnhandledErrors``.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public func delayed(by pause: Duration, on scheduler: some TimedScheduler) -> RetryPolicy {
    delayed { _, _ in Signal.timer(after: pause, on: scheduler) }
  }

  /// The same policy, but with growing pauses: `first` before the second attempt, and each of the following
  /// `multiplier` times as long as the one before it, up to `maximum`, which all later ones last. Then
  /// `jitter` shortens each one independently.
  ///
  /// ```swift
  /// let policy = RetryPolicy<ReadError>.upTo(8)
  ///   .backoff(from: .milliseconds(100), upTo: .seconds(10), on: scheduler)
  /// ```
  ///
  /// Each subscription starts with `first` again. Pauses are rounded to nanoseconds. The next attempt starts
  /// on `scheduler`. Disposal cancels the timer. Replaces an earlier delay.
  ///
  /// - Parameters:
  ///   - first: the first pause.
  ///   - multiplier: the factor by which pauses grow.
  ///   - maximum: the longest pause.
  ///   - jitter: how far pauses are shortened at random, by default down to zero: a test in virtual time
  ///     passes `.none`.
  ///   - scheduler: measures the time. If it is shut down meanwhile, the run ends without an event, and the
  ///     failure goes to ``UnhandledErrors``.
  /// - Precondition: `first` is not negative, `multiplier` at least 1, and `maximum` at least `first`.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public func backoff(
    from first: Duration, multiplier: Double = 2, upTo maximum: Duration, jitter: RetryJitter = .full,
    on scheduler: some TimedScheduler
  ) -> RetryPolicy {
    require(
      first >= .zero && multiplier >= 1 && maximum >= first,
      "weir: backoff(from: \(first), multiplier: \(multiplier), upTo: \(maximum)): the first pause must not be negative, the multiplier at least 1, the longest pause at least the first"
    )
    return delayed { _, attempt in
      // A pause of zero does not grow, even if the factor is infinite.
      let growth = first == .zero ? 1 : power(multiplier, attempt - 1)
      let pause = growth < maximum / first ? first.times(growth) : maximum
      return Signal.timer(after: pause.times(jitter.factor()), on: scheduler)
    }
  }
}
