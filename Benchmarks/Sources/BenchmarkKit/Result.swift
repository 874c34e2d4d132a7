// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// One row of the output; times and heap per event, pair or element, whichever the scenario counts.
struct Result {
  let scenario: String
  let implementation: Implementation
  /// One for each repetition, the fastest first.
  let times: [Double]
  /// Of all repetitions together.
  let operations: Int
  /// Asked for, before the allocator rounds up.
  let heap: HeapUse?
  /// Events of all repetitions together that never came.
  let failed: Int

  /// Names consist of letters, digits, dashes and slashes, so nothing needs escaping.
  var json: String {
    """
    {"scenario": "\(scenario)", "implementation": "\(implementation.name)", \
    "ns_min": \(rounded(times[0], digits: 3)), "ns_median": \(quartile(2)), \
    "ns_q1": \(quartile(1)), "ns_q3": \(quartile(3)), \
    "allocations": \(perOperation(heap?.allocations, digits: 4)), "bytes": \(perOperation(heap?.bytes, digits: 1)), \
    "failed": \(failed), "operations": \(operations)}
    """
  }

  private func quartile(_ quarters: Int) -> String {
    rounded(times[(times.count * quarters / 4)], digits: 3)
  }

  private func perOperation(_ count: Int64?, digits: Int) -> String {
    guard let count, bench_allocations_are_counted() else { return "null" }
    return rounded(Double(count) / Double(operations), digits: digits)
  }

  private func rounded(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return String((value * scale).rounded() / scale)
  }
}
