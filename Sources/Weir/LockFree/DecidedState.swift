// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Decided state
//
// Guarantees: a state of several parts is changed by any number of threads, one whole change after the other,
// and nobody waits. Each change is a pure function of the state; what it returns is what the caller then
// does, outside.
//
// The state is an immutable copy in a PinnedCell. A change copies it, changes the copy, and publishes that by
// one compare-exchange of the cell's word: that exchange is the decision. If it fails, the function is asked
// again, about the newer state.
//
// Invariants:
//  1. The function runs no user code, and what it made is dropped if the exchange fails.
//  2. A state that was replaced is released when the last thread that is reading it has left: at once, unless
//     one of them was stalled.
//
// Orderings: those of the cell.

/// A state that is only ever replaced as a whole.
final class DecidedState<State>: @unchecked Sendable {  // all state is behind the cell's pin protocol
  private let words: UnsafeMutablePointer<UInt64>
  private let cell: PinnedCell<State>

  private static var wordCount: Int { 1 + PinnedCell<State>.wordCount }

  init(_ first: State) {
    words = weir_block_allocate(8 * Self.wordCount).assumingMemoryBound(to: UInt64.self)
    cell = PinnedCell(current: words, words: words + 1)
    cell.publishFirst(first)
  }

  /// The same with room for so many changes at the same time, for which nothing is allocated later.
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
  /// - Parameter decide: changes its argument, and returns what is to be done. It may be called several
  ///   times; the last call counts.
  func change<Outcome>(_ decide: (inout State) -> Outcome) -> Outcome { cell.update(decide) }
}
