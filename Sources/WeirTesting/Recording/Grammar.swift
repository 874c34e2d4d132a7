// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
public import Weir

// State: `turn` is [ended: 1 | inside: 1]. `current` and `thread` identify the event that is inside or, after
// the end, the terminal event; they are for reports, and written by the thread that has changed `turn` from
// 0.
//
// `current` is 0 while they identify none: `inside` is set before they are written, and a value resets
// `current` before it clears `inside`. Numbers of events are never reused. So a thread that reads the same
// number in `current` before and after it reads `thread` has the thread of that event: that of another event
// would have been written after a zero in `current`.

private let inside: UInt64 = 1
private let ended: UInt64 = 2

/// Checks one subscription for the rules that every signal keeps: one event at a time, never nested, nothing
/// after a terminal event, nothing on the disposing thread after `dispose()` has returned.
///
/// ```swift
/// let grammar = Grammar<Int, Never>()
/// let subscription = grammar.subscribe(to: signal)
/// // … threads send, and one of them disposes: grammar.dispose(subscription)
/// #expect(grammar.problem == nil)
/// ```
///
/// The check costs a few atomic operations for an event, so it can be part of stress tests. A handler that
/// also writes to non-atomic state gives ThreadSanitizer something to find. Use a new checker for each
/// subscription, and read its results when nothing is sent any more.
///
/// ReactiveObjC has none.
public final class Grammar<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: words are atomic; violations are under the lock; the rest is set before use.
  private let words: UnsafeMutablePointer<UInt64>
  private let lock = Lock()
  private var found: [GrammarViolation] = []
  private let broken = Counter()
  private let events = Counter()
  private let next: @Sendable (Value) -> Void
  private let terminated: @Sendable (Completion<Failure>) -> Void

  private var turn: UnsafeMutablePointer<UInt64> { words }
  private var current: UnsafeMutablePointer<UInt64> { words + 1 }
  private var thread: UnsafeMutablePointer<UInt64> { words + 2 }
  /// The thread that has disposed the subscription through ``dispose(_:)``.
  private var disposer: UnsafeMutablePointer<UInt64> { words + 3 }

  /// A checker that forwards events.
  ///
  /// - Parameters:
  ///   - next: called with each value, inside the check.
  ///   - terminated: called with the terminal event, inside the check.
  public init(
    next: @escaping @Sendable (Value) -> Void = { _ in },
    terminated: @escaping @Sendable (Completion<Failure>) -> Void = { _ in }
  ) {
    words = .allocate(capacity: 4)
    words.initialize(repeating: 0, count: 4)
    self.next = next
    self.terminated = terminated
  }
  deinit { words.deallocate() }

  /// How often a rule was broken.
  public var violations: Int { broken.value }

  /// The first violations, ten at most: which rule, by which event, on which thread, and during or after
  /// which other event.
  public var firstViolations: [GrammarViolation] { lock.withLock { found } }

  /// The first violations in words; nil if there are none.
  public var problem: Problem? {
    let first = firstViolations
    if first.isEmpty { return nil }
    let lines = first.map { "  \($0)" }
    return Problem((["rules of signals were broken: \(violations)"] + lines).joined(separator: "\n"))
  }

  /// Subscribes the checker to a signal.
  ///
  /// - Returns: the subscription; it continues if this is discarded.
  @discardableResult
  public func subscribe(to signal: some SignalConvertible<Value, Failure>) -> Subscription {
    signal.subscribe(
      next: { [self] value in check(.value) { next(value) } },
      failed: { [self] error in check(.failure) { terminated(.failed(error)) } },
      completed: { [self] in check(.completion) { terminated(.completed) } })
  }

  /// Disposes the subscription; from then on nothing may come on the calling thread.
  public func dispose(_ subscription: Subscription) {
    subscription.dispose()
    weir_store_release_u64(disposer, weir_thread())
  }

  private func check(_ kind: GrammarViolation.Kind, _ body: () -> Void) {
    let here = GrammarViolation.Place(event: events.add() + 1, thread: weir_thread())
    let before = weir_or_acq_rel_u64(turn, inside)
    if before != 0 { report(kind, at: here, before) }
    if weir_load_acquire_u64(disposer) == here.thread { add(.init(.afterDisposal, kind, here, nil)) }
    if before == 0 {
      weir_store_release_u64(thread, here.thread)
      weir_store_release_u64(current, UInt64(here.event))
    }
    body()
    if kind != .value { weir_or_acq_rel_u64(turn, ended) }
    if before == 0, kind == .value { weir_store_release_u64(current, 0) }
    if before & inside == 0 { weir_and_acq_rel_u64(turn, ~inside) }
  }

  private func report(_ kind: GrammarViolation.Kind, at here: GrammarViolation.Place, _ before: UInt64) {
    let event = weir_load_acquire_u64(current)
    let place = GrammarViolation.Place(event: Int(event), thread: weir_load_acquire_u64(thread))
    let other = event != 0 && weir_load_acquire_u64(current) == event ? place : nil
    // An event that is being delivered on this very thread is always known.
    let met: GrammarViolation.Rule = other?.thread == here.thread ? .nested : .overlapping
    add(.init(before & ended == 0 ? met : .afterEnd, kind, here, other))
  }

  private func add(_ violation: GrammarViolation) {
    broken.add()
    lock.withLock { if found.count < 10 { found.append(violation) } }
  }
}
