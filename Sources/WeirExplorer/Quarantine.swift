// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc

/// Holds blocks that were freed in a run. With AddressSanitizer, plain accesses to them are reported as well.
final class Quarantine {
  private typealias Mark = @convention(c) (UnsafeRawPointer, Int) -> Void

  private var blocks: [(base: UnsafeRawPointer, size: Int)] = []
  private let forbid = Quarantine.function("__asan_poison_memory_region")
  private let allow = Quarantine.function("__asan_unpoison_memory_region")

  private static func function(_ name: String) -> Mark? {
    dlsym(nil, name).map { unsafeBitCast($0, to: Mark.self) }
  }

  func keep(_ block: UnsafeRawPointer, _ size: Int) {
    blocks.append((block, size))
    forbid?(block, size)
  }

  func contains(_ address: UnsafeRawPointer) -> Bool {
    blocks.contains { address >= $0.base && address < $0.base + $0.size }
  }

  func release() {
    for (base, size) in blocks {
      allow?(base, size)
      weir_block_free(UnsafeMutableRawPointer(mutating: base), size)
    }
    blocks.removeAll(keepingCapacity: true)
  }
}
