// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Runs `body` with zeroed words on a cache line of their own.
func withWords<Result>(_ count: Int, _ body: (UnsafeMutablePointer<UInt64>) throws -> Result) rethrows
  -> Result
{
  let block = weir_block_allocate(8 * count)
  defer { weir_block_free(block, 8 * count) }
  return try body(block.assumingMemoryBound(to: UInt64.self))
}
