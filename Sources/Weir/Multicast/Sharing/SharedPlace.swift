// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A subscriber's place in a run of a shared signal. Disposal makes the subscriber leave, once.
///
/// An ``ActionDisposable`` would take two allocations: itself, and the context of its closure.
final class SharedPlace: Disposable, @unchecked Sendable {  // the word is atomic, the rest constant
  private var leftWord: UInt64 = 0
  private let core: SharingCore
  private let generation: UInt64

  init(in core: SharingCore, _ generation: UInt64) {
    self.core = core
    self.generation = generation
  }

  private var hasLeft: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  var isDisposed: Bool { hasLeft.isClaimed }

  func dispose() { if hasLeft.claim() { core.leave(generation) } }
}
