// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A closure called once, or cancelled, whichever is first; it is released then.
@usableFromInline
final class ScheduledClosure: ScheduledWork, Disposable, @unchecked Sendable {
  // Unchecked: `action` belongs to the claimer of the flag.
  private var claimWord: UInt64 = 0
  @exclusivity(unchecked) private var action: (@Sendable () -> Void)?

  @usableFromInline
  init(_ action: consuming @escaping @Sendable () -> Void) { self.action = consume action }

  private var flag: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  @usableFromInline var isDisposed: Bool { flag.isClaimed }
  @usableFromInline
  func run() { if flag.claim() { action.take()?() } }
  @usableFromInline
  func dispose() { if flag.claim() { action = nil } }
  @usableFromInline
  func abandon() { dispose() }
}
