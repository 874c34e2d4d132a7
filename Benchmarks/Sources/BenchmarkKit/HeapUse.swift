// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// What the calling thread has requested from the heap.
package struct HeapUse: Sendable {
  package var allocations: Int64 = 0
  package var bytes: Int64 = 0

  package init() {}

  package static var ofThisThread: HeapUse {
    var use = HeapUse()
    use.allocations = bench_allocation_count()
    use.bytes = bench_allocated_bytes()
    return use
  }

  package static func + (left: HeapUse, right: HeapUse) -> HeapUse {
    var sum = left
    sum.allocations += right.allocations
    sum.bytes += right.bytes
    return sum
  }

  package static func - (left: HeapUse, right: HeapUse) -> HeapUse {
    var difference = left
    difference.allocations -= right.allocations
    difference.bytes -= right.bytes
    return difference
  }
}
