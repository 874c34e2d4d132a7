// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How many values an operator may buffer, and what happens to one more.
///
/// An operator that pairs or postpones values has to buffer them: ``SignalConvertible/zip(with:waiting:)``
/// those that have no partner yet, ``FlattenStrategy/concat(waiting:)`` those whose turn has not come,
/// ``SignalConvertible/observe(on:_:waiting:failures:)`` those that the scheduler has not reached. Each uses
/// a ring buffer that grows in powers of two up to the bound, and is released with the subscription.
///
/// ReactiveObjC has none: its buffers are bounded only by memory.
@frozen
public struct Backlog<Failure: Error>: Sendable {
  @usableFromInline let bound: Int
  @usableFromInline let overflow: Overflow<Failure>
  @usableFromInline let drops: DropCounter?

  @inlinable
  init(bound: Int, overflow: Overflow<Failure>, drops: DropCounter? = nil) {
    self.bound = bound
    self.overflow = overflow
    self.drops = drops
  }

  @inlinable var canDropOldest: Bool { if case .dropOldest = overflow { true } else { false } }

  /// Buffers at most `count` values.
  ///
  /// With 0, a flatMap with a limit accepts only values for which a place is free, and every value is one too
  /// many for ``SignalConvertible/delay(_:on:waiting:)`` and
  /// ``SignalConvertible/collect(within:on:waiting:)``.
  /// ``SignalConvertible/observe(on:_:waiting:failures:)``, ``SignalConvertible/values(waiting:)`` and
  /// ``SignalConvertible/zip(with:waiting:)`` need at least 1: with 0, they stop the process when they are
  /// subscribed. A number above 2³⁰ counts as 2³⁰ for ``SignalConvertible/observe(on:_:waiting:failures:)``
  /// and ``SignalConvertible/values(waiting:)``.
  ///
  /// - Parameters:
  ///   - count: the number of values; see the operator for what it counts, and for its memory.
  ///   - overflow: what happens to a value that arrives when so many are buffered.
  ///   - drops: counts the values that are dropped because of that.
  /// - Precondition: `count` is not negative.
  @inlinable
  public static func bounded(
    _ count: Int, onOverflow overflow: Overflow<Failure>, countingIn drops: DropCounter? = nil
  ) -> Backlog {
    require(count >= 0, "weir: bounded(\(count)): the bound must not be negative")
    return Backlog(bound: count, overflow: overflow, drops: drops)
  }

  /// Buffers as many values as memory holds; where they are taken on another thread, by
  /// ``SignalConvertible/observe(on:_:waiting:failures:)`` and ``SignalConvertible/values(waiting:)``, at
  /// most 2³⁰, and one more stops the process. Use it where something else bounds their number.
  @inlinable public static var unbounded: Backlog { Backlog(bound: .max, overflow: .trap) }

  /// The default: 1,048,576 values, and ``Overflow/trap``. That is 16 megabytes of pairs of integers: more
  /// than a healthy program buffers, and small enough to catch a runaway queue before memory runs out. It
  /// counts values, not bytes: where a value holds kilobytes, an array or a buffer, a million of them are no
  /// bound, so set a smaller one.
  @inlinable public static var standard: Backlog { Backlog(bound: 1_048_576, overflow: .trap) }
}

/// What happens to a value that arrives at a full ``Backlog``. ReactiveObjC has none.
@frozen
public enum Overflow<Failure: Error>: Sendable {
  /// Stops the process with a message that names the operator, the bound and the remedy, and the run, if it
  /// is ``SignalConvertible/named(_:)``. The default, since every other policy loses values or needs an error
  /// that only you can choose.
  case trap
  /// Fails the signal with this error. Buffered values are dropped.
  case fail(Failure)
  /// Drops the value that has just arrived. In ``SignalConvertible/zip(with:waiting:)`` the partners shift.
  case dropNewest
  /// Drops the value that was buffered first, and buffers the new one: with a bound of 1 the latest is kept.
  /// In ``SignalConvertible/zip(with:waiting:)`` the partners shift; there, all buffered values are moved up,
  /// which takes time in proportion to their number.
  case dropOldest
}

extension Overflow: Equatable where Failure: Equatable {}

extension Backlog {
  /// Handles a value that finds the backlog full. Returns true if it may be buffered after all.
  ///
  /// - Parameters:
  ///   - name: the operator, for the message of ``Overflow/trap``.
  ///   - run: its run, which may have a name of its own.
  ///   - actualBound: how many values can be buffered, if memory allows fewer than was asked for.
  ///   - dropOldest: drops the value that was buffered first; false if none is buffered any more.
  ///   - fail: ends the run.
  @inlinable
  func makeRoom(
    in name: StaticString, of run: Subscription, actualBound: Int? = nil, dropOldest: () -> Bool,
    fail: (Failure) -> Void
  ) -> Bool {
    switch overflow {
    case .dropOldest:
      if dropOldest() { drops?.count(1) }
      return true
    case .dropNewest: drops?.count(1)
    case .fail(let error): fail(error)
    case .trap: overflow.trap(in: name, of: run, bound: actualBound ?? bound)
    }
    return false
  }
}

extension Overflow {
  /// Stops the process. The message has the name of the run, if it was given one, so that people find the
  /// place.
  @usableFromInline
  func trap(in name: StaticString, of run: Subscription, bound: Int) -> Never {
    let name = name.description
    let place = run.name.map { " of \"\($0)\"" } ?? ""
    let which =
      run.name == nil ? "; to learn which \(name) it is, put `named(_:)` \(Self.sideOfName(of: name)) it" : ""
    guard bound > 0 else {
      fatalError(
        """
        weir: \(name)\(place): no value may be buffered (the bound is 0); give it another `waiting:`, or slow the source \
        down\(which)
        """)
    }
    fatalError(
      """
      weir: \(name)\(place): \(bound) values are buffered, which is the bound; give it another `waiting:`, or \
      \(Self.remedy(for: name))\(which)
      """)
  }

  /// What holds the values up, most often.
  private static func remedy(for name: String) -> String {
    switch name {
    case "observe(on:)", "values()": "slow the source down, or find out what keeps the receiver busy"
    case "flatMap":
      "slow the source down, or find the signal that does not end, such as a request without a timeout"
    case "zip": "find out why the other signal sends less"
    default: "slow the source down"
    }
  }

  /// Where a run is named: the operator is the first of a run, or the last one.
  private static func sideOfName(of name: String) -> String {
    switch name {
    case "observe(on:)", "values()", "flatMap": "before"
    default: "behind"
    }
  }
}
