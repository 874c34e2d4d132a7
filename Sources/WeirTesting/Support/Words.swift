// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Zeroed words on cache lines of their own, for parts that keep their state in words of their owner.
package final class Words: @unchecked Sendable {  // constant; the words are accessed atomically
  package let words: UnsafeMutablePointer<UInt64>
  private let count: Int

  package init(_ count: Int) {
    self.count = count
    words = weir_block_allocate(8 * count).assumingMemoryBound(to: UInt64.self)
  }
  deinit { weir_block_free(words, 8 * count) }
}
