// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Which of the signals of a ``SignalConvertible/flatMap(_:_:)`` run, and when.
///
/// "Nothing waits" below means that no value waits for its signal to start. Whatever the strategy, the values
/// of the signals are forwarded serially, on the thread that sends one or on one that is already delivering,
/// and a value that arrives during the delivery of another, on a second thread or because the subscriber
/// causes it, waits in a queue that is bounded only by memory.
///
/// When the subscriber itself makes the source send, the new value reaches the operator while an earlier one
/// is still being delivered. Then:
///
/// - With ``merge`` and ``latest`` the closure is called and the signal subscribed at once, so that it misses
///   nothing. What it sends before that delivery is over is queued, without a bound but memory: a signal that
///   never stops sending fills that, and cannot be stopped.
/// - With ``merge(limit:waiting:)``, ``concat`` and ``ordered(limit:waiting:)`` the value gets its place, if
///   one is free. Usually the signal starts when that delivery is over. Then it can be stopped even if it
///   never stops sending; but it misses what a hot source has sent until then. If another thread sends an
///   event meanwhile, or is starting a signal, that thread starts it at once.
/// - With ``first`` it is the same if the subscriber has ended the running signal before; otherwise the value
///   is dropped.
/// - With ``race`` it does not happen: the source has ended by the time that anything is delivered.
///
/// Unless stated otherwise, the result completes when the source and all signals that ran or waited have
/// completed, and the first failure of any of them disposes the others and is forwarded. A signal that lets
/// go without a terminal event counts as one that never ends, like ``SignalConvertible/never()``: it keeps
/// its place, so values that wait for that place wait until the run ends; and with such a signal the result
/// ends without an event, when the source and all others have ended. Nothing else is retained for it.
///
/// ReactiveObjC has no such type, but operators: see each strategy.
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

  /// All signals run at the same time, and their values are forwarded as they arrive. Nothing waits.
  /// ReactiveObjC: `-flatten`.
  @inlinable public static var merge: FlattenStrategy { FlattenStrategy(.merge) }

  /// At most `limit` signals run at the same time; the values for further ones wait, and get their turn in
  /// order.
  ///
  /// - Parameters:
  ///   - limit: how many run at a time.
  ///   - backlog: how many values may wait: 1,048,576 by default, in at most twice
  ///     `MemoryLayout<Value?>.stride` bytes for each value of the bound, but at least four strides; half as
  ///     much again while it grows. Values that arrive while another thread is starting a signal wait outside
  ///     this bound.
  /// - Precondition: `limit` is positive.
  ///
  /// ReactiveObjC: `-flatten:`, whose queue has no bound, and where 0 means no limit: that is ``merge`` here.
  @inlinable
  public static func merge(limit: Int, waiting backlog: Backlog<Failure> = .standard) -> FlattenStrategy {
    require(limit > 0, "weir: merge(limit: \(limit)): at least one signal must be allowed to run")
    return FlattenStrategy(.limited(limit, backlog))
  }

  /// The signals run one after the other, in order; the values for further ones wait, as with
  /// ``merge(limit:waiting:)``.
  ///
  /// - Parameter backlog: how many values may wait: 1,048,576 by default; memory as there.
  ///
  /// ReactiveObjC: `-concat`.
  @inlinable
  public static func concat(waiting backlog: Backlog<Failure>) -> FlattenStrategy {
    merge(limit: 1, waiting: backlog)
  }

  /// The signals run one after the other; 1,048,576 values may wait. See ``concat(waiting:)``. ReactiveObjC:
  /// `-concat`.
  @inlinable public static var concat: FlattenStrategy { concat(waiting: .standard) }

  /// At most `limit` signals run at the same time, and their values are forwarded in the order of the source:
  /// all of the first signal, then all of the second. For requests that are sent together, and whose
  /// responses are wanted in order.
  ///
  /// The values of the oldest signal are forwarded as they arrive. Those that the others send meanwhile are
  /// buffered until the signals before them have completed, bounded only by memory. A signal that has
  /// completed keeps its place until its values have been forwarded: so the values of no more than `limit`
  /// signals are buffered. A failure does not wait for its turn, but is sent after values that are already
  /// being forwarded. A signal of one plain value of up to eight bytes, ``SignalConvertible/just(_:)-m9b7``,
  /// runs without a subscription of its own.
  ///
  /// - Parameters:
  ///   - limit: how many run at a time, including those whose values are buffered.
  ///   - backlog: how many values of the source may wait for a place: 1,048,576 by default; memory as with
  ///     ``merge(limit:waiting:)``.
  /// - Precondition: `limit` is positive.
  ///
  /// ReactiveObjC has no such operator; elsewhere it is `concatMapEager` or `flatMapSequential`.
  @inlinable
  public static func ordered(limit: Int, waiting backlog: Backlog<Failure> = .standard) -> FlattenStrategy {
    require(limit > 0, "weir: ordered(limit: \(limit)): at least one signal must be allowed to run")
    return FlattenStrategy(.ordered(limit, backlog))
  }

  /// Only the newest signal runs: each value disposes the signal of the one before it. Nothing waits.
  /// Completes when the source and the newest signal have completed. ReactiveObjC: `-switchToLatest`.
  @inlinable public static var latest: FlattenStrategy { FlattenStrategy(.latest) }

  /// Only the first signal runs, until it has completed: values that arrive meanwhile are dropped. If it lets
  /// go without a terminal event, all later values are. ReactiveObjC has no such operator.
  @inlinable public static var first: FlattenStrategy {
    merge(limit: 1, waiting: .bounded(0, onOverflow: .dropNewest))
  }

  /// All signals run until one of them sends an event; that one continues alone, and the source is disposed,
  /// too. Nothing waits. Completes and fails as that signal does, or as the source does, if that ends before:
  /// with a failure, or without having sent a value. ReactiveObjC has no such operator.
  @inlinable public static var race: FlattenStrategy { FlattenStrategy(.race) }
}
