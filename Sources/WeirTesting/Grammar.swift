// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
public import Weir

private let inside: UInt64 = 1
private let ended: UInt64 = 2

/// Watches one subscription for the rules every signal keeps: one event at a time, never nested, nothing after a terminal
/// event, nothing on the disposing thread after `dispose()` has returned.
///
/// Its check costs a few atomic operations, so it can ride along in stress tests. A handler that keeps plain state beside
/// it gives ThreadSanitizer something to see.
public final class Grammar<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: words are atomic; the rest is set before use.
  private let state: UnsafeMutablePointer<UInt64>
  /// The thread that has disposed the subscription through ``dispose(_:)``.
  private let disposer: UnsafeMutablePointer<UInt64>
  private let broken = Counter()
  private let next: @Sendable (Value) -> Void
  private let terminated: @Sendable (Completion<Failure>) -> Void

  /// A checker that passes events on.
  ///
  /// - Parameters:
  ///   - next: called with each value, inside the check.
  ///   - terminated: called with the terminal event, inside the check.
  public init(
    next: @escaping @Sendable (Value) -> Void = { _ in },
    terminated: @escaping @Sendable (Completion<Failure>) -> Void = { _ in }
  ) {
    state = .allocate(capacity: 1)
    state.initialize(to: 0)
    disposer = .allocate(capacity: 1)
    disposer.initialize(to: 0)
    self.next = next
    self.terminated = terminated
  }
  deinit {
    state.deallocate()
    disposer.deallocate()
  }

  /// How often a rule was broken.
  public var violations: Int { broken.value }

  /// Subscribes the checker to a signal.
  public func subscribe(to signal: some SignalConvertible<Value, Failure>) -> Subscription {
    signal.subscribe(
      next: { [self] value in check(after: 0) { next(value) } },
      failed: { [self] error in check(after: ended) { terminated(.failed(error)) } },
      completed: { [self] in check(after: ended) { terminated(.finished) } })
  }

  /// Disposes the subscription; from then on nothing may come on the calling thread.
  public func dispose(_ subscription: Subscription) {
    subscription.dispose()
    weir_store_release_u64(disposer, UInt64(pthread_self()))
  }

  private func check(after flag: UInt64, _ body: () -> Void) {
    if weir_or_acq_rel_u64(state, inside) != 0 { broken.add() }
    if weir_load_acquire_u64(disposer) == UInt64(pthread_self()) { broken.add() }
    body()
    weir_or_acq_rel_u64(state, flag)
    weir_and_acq_rel_u64(state, ~inside)
  }
}
