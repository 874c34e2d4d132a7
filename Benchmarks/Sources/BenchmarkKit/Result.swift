// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// One row of the output. Times and heap are per operation: an event, pair or element, depending on the
/// scenario.
struct Result {
  let scenario: String
  let implementation: Implementation
  /// One for each repetition, in the order in which they ran.
  let times: [Double]
  /// The number of operations in all repetitions.
  let operations: Int
  /// Requested memory in all repetitions, before the allocator rounds up.
  let heap: HeapUse?
  /// The number of events in all repetitions that never arrived.
  let failed: Int

  /// Names consist of letters, digits, dashes and slashes, so nothing needs escaping. The fastest odd and the
  /// fastest even repetition show how reliable the fastest one is.
  var json: String {
    let sorted = times.sorted()
    let quartiles = [1, 2, 3].map { rounded(sorted[sorted.count * $0 / 4], digits: 3) }
    return """
      {"scenario": "\(scenario)", "implementation": "\(implementation.name)", \
      "ns_min": \(rounded(sorted[0], digits: 3)), "ns_median": \(quartiles[1]), \
      "ns_q1": \(quartiles[0]), "ns_q3": \(quartiles[2]), \
      "ns_min_odd": \(fastest(ofEverySecondFrom: 0)), "ns_min_even": \(fastest(ofEverySecondFrom: 1)), \
      "allocations": \(perOperation(heap?.allocations, digits: 4)), "bytes": \(perOperation(heap?.bytes, digits: 1)), \
      "failed": \(failed), "operations": \(operations)}
      """
  }

  /// The fastest of every second repetition; null if there is none, which is so with a single repetition.
  private func fastest(ofEverySecondFrom first: Int) -> String {
    let half = stride(from: first, to: times.count, by: 2).map { times[$0] }
    return half.min().map { rounded($0, digits: 3) } ?? "null"
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
