// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// One row of the output; figures per event, pair or element, whichever the scenario counts.
struct Result {
  let scenario: String
  let implementation: Implementation
  let fastest: Double
  let median: Double
  let allocations: Double
  /// Asked for, before the allocator rounds up.
  let bytes: Double

  /// Names consist of letters, digits, dashes and slashes, so nothing needs escaping.
  var json: String {
    let isCounted = bench_allocations_are_counted()
    return """
      {"scenario": "\(scenario)", "implementation": "\(implementation.name)", \
      "ns_min": \(rounded(fastest, digits: 3)), "ns_median": \(rounded(median, digits: 3)), \
      "allocations": \(isCounted ? rounded(allocations, digits: 4) : "null"), \
      "bytes": \(isCounted ? rounded(bytes, digits: 1) : "null")}
      """
  }

  private func rounded(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return String((value * scale).rounded() / scale)
  }
}
