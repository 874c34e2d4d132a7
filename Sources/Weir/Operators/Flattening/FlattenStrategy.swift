// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Which of the signals of a ``SignalConvertible/flatMap(_:_:)`` run, and when.
///
/// "Nothing waits" is said of values whose signals have not begun. Whatever the strategy, what the signals
/// send is sent on serially, on the thread that brings it or on one that is delivering already, and what
/// meets another value, on a second thread or because the subscriber causes it, waits in a queue without a
/// bound but memory.
///
/// A value may come inside of a delivery of the operator itself, because the subscriber has it sent. With a
/// limit, its signal begins when that delivery is over: so it can be stopped, also if it never stops sending
/// by itself, but it has missed what a hot source sent before. With ``first`` that is so if the subscriber
/// has ended the signal before; else the value is dropped. With ``race`` the source has ended by then. With
/// ``merge`` and ``latest`` the signal begins at once, and misses nothing; but all it sends at once waits, in
/// memory without a bound, and one that never stops sending fills that.
///
/// Unless something else is said, the whole completes when the source and all signals that ran or waited have
/// completed, and the first failure of any of them disposes the others and is sent on. A signal that lets go
/// without a terminal event counts as one that never ends, as ``SignalConvertible/never()`` does: it keeps
/// its place, so what waits for that waits until the run ends; and with such a one the whole ends without an
/// event, when the source and all others have ended. Nothing else is kept for it.
///
/// ReactiveObjC has no such type, but operators: see each of these.
@frozen
public struct FlattenStrategy<Failure: Error>: Sendable {
  @frozen @usableFromInline
  enum Kind: Sendable {
    case merge
    case limited(Int, Backlog<Failure>)
    case ordered(Int, Backlog<Failure>)
    case latest
    case race
  }
  @usableFromInline let kind: Kind
  @inlinable init(_ kind: Kind) { self.kind = kind }

  /// All run beside each other, and are sent on as they come. Nothing waits. ReactiveObjC: `-flatten`.
  @inlinable public static var merge: FlattenStrategy { FlattenStrategy(.merge) }

  /// At most `limit` run beside each other; the values for further ones wait, and get their turn in order.
  ///
  /// - Parameters:
  ///   - limit: how many run at a time.
  ///   - backlog: how many values may wait: 1,048,576 unless told, in at most twice
  ///     `MemoryLayout<Value?>.stride` bytes for each value of the bound. Values that reach the operator
  ///     while another thread is just starting a signal wait outside it.
  /// - Precondition: `limit` is positive.
  ///
  /// ReactiveObjC: `-flatten:`, whose queue has no bound, and where 0 means no limit: that is ``merge`` here.
  @inlinable
  public static func merge(limit: Int, waiting backlog: Backlog<Failure> = .standard) -> FlattenStrategy {
    precondition(limit > 0, "weir: merge(limit: \(limit)): at least one signal must be allowed to run")
    return FlattenStrategy(.limited(limit, backlog))
  }

  /// One after the other, in order; the values for further ones wait, as with ``merge(limit:waiting:)``.
  ///
  /// - Parameter backlog: how many values may wait: 1,048,576 unless told; memory as there.
  ///
  /// ReactiveObjC: `-concat`.
  @inlinable
  public static func concat(waiting backlog: Backlog<Failure>) -> FlattenStrategy {
    merge(limit: 1, waiting: backlog)
  }

  /// One after the other; 1,048,576 values may wait. See ``concat(waiting:)``. ReactiveObjC: `-concat`.
  @inlinable public static var concat: FlattenStrategy { concat(waiting: .standard) }

  /// At most `limit` run beside each other, and what they send is sent on in the order of the source: all of
  /// the first signal, then all of the second. For requests that go out together, and whose responses are
  /// wanted in order.
  ///
  /// The values of the oldest signal are sent on as they come. What the others send meanwhile waits until
  /// those before them have completed, without a bound but memory. A signal that has completed keeps its
  /// place until it has been sent on: so no more than `limit` wait. A failure does not wait for its turn, but
  /// comes behind values that have theirs and are being sent. A signal of one plain value of up to eight
  /// bytes, ``SignalConvertible/just(_:)-m9b7``, runs without a subscription of its own.
  ///
  /// - Parameters:
  ///   - limit: how many run at a time, those included whose values wait.
  ///   - backlog: how many values of the source may wait for a place: 1,048,576 unless told; memory as with
  ///     ``merge(limit:waiting:)``.
  /// - Precondition: `limit` is positive.
  ///
  /// ReactiveObjC has no such operator; elsewhere it is `concatMapEager` or `flatMapSequential`.
  @inlinable
  public static func ordered(limit: Int, waiting backlog: Backlog<Failure> = .standard) -> FlattenStrategy {
    precondition(limit > 0, "weir: ordered(limit: \(limit)): at least one signal must be allowed to run")
    return FlattenStrategy(.ordered(limit, backlog))
  }

  /// Only the newest: a value ends the signal of the one before it. Nothing waits. Completes when the source
  /// and the newest signal have completed. ReactiveObjC: `-switchToLatest`.
  @inlinable public static var latest: FlattenStrategy { FlattenStrategy(.latest) }

  /// Only the first, until it has completed: values that come meanwhile are dropped. ReactiveObjC has no such
  /// operator.
  @inlinable public static var first: FlattenStrategy {
    merge(limit: 1, waiting: .bounded(0, onOverflow: .dropNewest))
  }

  /// All run until one of them sends an event; that one goes on alone, and the source is ended too. Nothing
  /// waits. Completes and fails as that one does, or as the source does, if that ends before: with a failure,
  /// or without having sent a value. ReactiveObjC has no such operator.
  @inlinable public static var race: FlattenStrategy { FlattenStrategy(.race) }
}
