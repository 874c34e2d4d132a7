// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Which values a ``ReplaySubject`` keeps for later subscribers.
///
/// An integer literal is a capacity: `ReplaySubject<Int, Never>(capacity: 16)`. For a variable, write
/// `.last(count)`. Values that exceed the capacity, or are older than the age, are dropped when the next
/// value is sent; values that have grown too old are not replayed, even if none was sent since.
///
/// ReactiveObjC: the number of `+replaySubjectWithCapacity:`; it has no age.
public struct ReplayCapacity: Sendable, ExpressibleByIntegerLiteral {
  /// How long values are kept.
  @usableFromInline
  struct Age: Sendable {
    @usableFromInline let limit: Duration
    /// The time since the capacity was made.
    @usableFromInline let now: @Sendable () -> Duration
  }

  @usableFromInline let count: Int
  @usableFromInline let age: Age?

  /// The last `count` values.
  ///
  /// - Precondition: `count` is not negative.
  ///
  /// ReactiveObjC: the number of `+replaySubjectWithCapacity:`.
  public static func last(_ count: Int) -> ReplayCapacity {
    require(count >= 0, "weir: ReplayCapacity.last(\(count)): a capacity must not be negative")
    return ReplayCapacity(count: count, age: nil)
  }

  /// All values, for as long as the subject lives. Memory grows with each, in rings of up to 1,024 values,
  /// without copying.
  ///
  /// ReactiveObjC: `RACReplaySubjectUnlimitedCapacity`.
  public static var unbounded: ReplayCapacity { last(.max) }

  /// The values that are younger than `age`, and of those the last `count`.
  ///
  /// Values that have grown too old since the last one was sent are dropped only with the next one. Until
  /// then they take memory, and each new subscriber walks past them: after a burst of `n` values, in time
  /// proportional to `n`. A `count` bounds both.
  ///
  /// - Parameters:
  ///   - age: how long a value is kept. A value of exactly that age is dropped.
  ///   - count: how many at most; without it, as many as are young enough.
  ///   - scheduler: its clock tells the time when a value is sent and when somebody subscribes. Nothing is
  ///     run on it.
  /// - Precondition: `age` is positive and `count` is not negative.
  ///
  /// ReactiveObjC has no such capacity.
  public static func within(
    _ age: Duration, last count: Int = .max, on scheduler: some TimedScheduler
  ) -> ReplayCapacity {
    within(age, last: count, by: scheduler.clock)
  }

  /// The same as ``within(_:last:on:)``, by the `ContinuousClock`. ReactiveObjC has no such capacity.
  public static func within(_ age: Duration, last count: Int = .max) -> ReplayCapacity {
    within(age, last: count, by: ContinuousClock())
  }

  private static func within<Time: Clock<Duration>>(
    _ age: Duration, last count: Int, by clock: Time
  ) -> ReplayCapacity {
    require(age > .zero, "weir: ReplayCapacity.within(\(age)): an age must be positive")
    let start = clock.now
    return ReplayCapacity(
      count: last(count).count, age: Age(limit: age, now: { start.duration(to: clock.now) }))
  }

  /// The last `count` values, as ``last(_:)``.
  public init(integerLiteral count: Int) { self = .last(count) }

  private init(count: Int, age: Age?) {
    self.count = count
    self.age = age
  }
}
