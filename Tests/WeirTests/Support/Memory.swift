// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CTestSupport

/// What the allocator and Weir's pools may keep. A leak of the smallest block in each of these rounds comes
/// to four times as much: glibc takes 32 bytes for it. To a sanitizer it has the 24 that were asked for.
let spareMemory = 64 << 10
let roundsToGrow = 10_000

/// By how many bytes allocated memory grows while `body` runs for the last nine tenths of `count` times. Only
/// for a process of its own, where nothing else allocates.
func allocatedGrowth(over count: Int = roundsToGrow, _ body: () -> Void) -> Int {
  for _ in 0..<count / 10 { body() }
  let before = test_allocated_bytes()
  for _ in count / 10..<count { body() }
  return test_allocated_bytes() - before
}
