// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

struct MemoryTests {
  @Test("a leak of the smallest block in each round exceeds what a test of constant memory allows")
  func leak() async {
    await #expect(processExitsWith: .success) {
      let pointers = Box<[UnsafeMutableRawPointer?]>([])
      pointers.value.reserveCapacity(roundsToGrow)
      #expect(allocatedGrowth { free(malloc(1)) } < spareMemory)
      #expect(allocatedGrowth { pointers.value.append(malloc(24)) } > 3 * spareMemory)
    }
  }
}
