// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Atomic state
//
// Guarantees: any number of threads change a state of several parts, one whole change after the other, and
// nobody waits. Each change is a pure function of the state; it returns what the caller then does, outside of
// the change.
//
// The state is an immutable value in a PinnedCell. A change copies it, modifies the copy, and publishes the
// copy by one compare-exchange of the cell's word: that exchange is the decision. If it fails, the function
// is called again, with the newer state.
//
// Invariants:
//  1. The function runs no user code, and its result is dropped if the exchange fails.
//  2. A replaced state is released when the last thread that reads it has left: at once, unless one of them
//     was stalled.
//
// Orderings: those of the cell.

/// A state that is only ever replaced as a whole.
final class AtomicState<State>: @unchecked Sendable {  // all state is behind the cell's pin protocol
  private let words: UnsafeMutablePointer<UInt64>
  private let cell: PinnedCell<State>

  private static var wordCount: Int { 1 + PinnedCell<State>.wordCount }

  init(_ first: State) {
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    cell = PinnedCell(current: words, words: words + 1)
    cell.publishFirst(first)
  }

  /// Makes a state with blocks for `spareBlocks` changes at the same time, which then allocate nothing.
  convenience init(_ first: State, spareBlocks: Int) {
    self.init(first)
    for block in (0..<spareBlocks).map({ _ in cell.make(first, sequence: 0) }) { cell.recycle(block) }
  }

  deinit {
    cell.destroy()
    weir_block_free(words, 8 * Self.wordCount)
  }

  /// Changes the state.
  ///
  /// - Parameter decide: changes its argument, and returns what the caller is to do. It may be called several
  ///   times; only the last call counts.
  func change<Outcome>(_ decide: (inout State) -> Outcome) -> Outcome { cell.update(decide) }
}
