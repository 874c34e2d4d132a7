// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CProbeSupport

/// A family of operations whose costs are counted.
protocol Probe: RawRepresentable<String>, CaseIterable {
  /// Sets up, and calls the function whose work is counted inside `CountedHeap.watch`. Never inlined, and
  /// named differently from that function.
  func run(_ cell: Cell, _ count: Int)
  /// The number that must be in the cell afterwards.
  func expected(_ count: Int) -> Int
}

extension Probe {
  static var names: [String] { allCases.map(\.rawValue) }
}

/// A counter in raw memory, which costs no exclusivity check and no reference count.
typealias Cell = UnsafeMutablePointer<Int>

/// The sum of the numbers below `count`.
func sum(_ count: Int) -> Int { count * (count - 1) / 2 }

/// The heap allocations of the functions whose work is counted.
enum CountedHeap {
  nonisolated(unsafe) private static var allocations: Int64 = 0  // the probes run on one thread
  nonisolated(unsafe) private static var bytes: Int64 = 0

  static func reset() { (allocations, bytes) = (0, 0) }

  static func watch<Result>(_ body: () -> Result) -> Result {
    let (allocationsBefore, bytesBefore) = (bench_allocation_count(), bench_allocated_bytes())
    let result = body()
    allocations += bench_allocation_count() - allocationsBefore
    bytes += bench_allocated_bytes() - bytesBefore
    return result
  }

  static var json: String { #"{"allocations": \#(allocations), "bytes": \#(bytes)}"# }
}
