// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The number of values by time, in steps of about a tenth: eight from one power of two to the next.
package struct Histogram: Sendable {
  private var counts: [Int] = []
  private var fastest = Int.max
  private var slowest = 0

  package init() {}

  /// Adds one time.
  package mutating func add(_ time: Int) {
    let step = Self.step(of: max(1, time))
    makeRoom(for: step + 1)
    counts[step] += 1
    fastest = min(fastest, time)
    slowest = max(slowest, time)
  }

  package static func + (left: Histogram, right: Histogram) -> Histogram {
    var sum = left
    sum.makeRoom(for: right.counts.count)
    for (step, count) in right.counts.enumerated() { sum.counts[step] += count }
    sum.fastest = min(left.fastest, right.fastest)
    sum.slowest = max(left.slowest, right.slowest)
    return sum
  }

  private mutating func makeRoom(for steps: Int) {
    if steps > counts.count { counts += repeatElement(0, count: steps - counts.count) }
  }

  /// A result as the benchmarks print it, with pairs of an upper bound and the number of values from the
  /// bound before up to this one. Quartiles are rounded up to a bound.
  package func json(scenario: String, implementation: Implementation) -> String {
    let pairs = counts.indices.filter { counts[$0] > 0 }.map { "[\(Self.bound(of: $0)), \(counts[$0])]" }
    return """
      {"scenario": "\(scenario)", "implementation": "\(implementation.name)", "ns_min": \(fastest), \
      "ns_median": \(percentile(50)), "ns_q1": \(percentile(25)), "ns_q3": \(percentile(75)), \
      "allocations": null, "bytes": null, "failed": 0, "operations": \(total), \
      "histogram": [\(pairs.joined(separator: ", "))]}
      """
  }

  package var total: Int { counts.reduce(0, +) }

  /// The bound below which this percentage of the values is; the longest time, if that is less.
  package func percentile(_ percentage: Double) -> Int {
    var below = 0
    let step = counts.firstIndex {
      below += $0
      return Double(below) >= Double(total) * percentage / 100
    }
    return min(slowest, step.map(Self.bound) ?? 0)
  }

  /// The step of a positive time: the three bits after the leading one divide the range between two powers of
  /// two.
  private static func step(of time: Int) -> Int {
    let power = Int.bitWidth - 1 - time.leadingZeroBitCount
    return power < 3 ? time : (power - 2) * 8 + (time >> (power - 3)) & 7
  }

  /// The shortest time above the step.
  private static func bound(of step: Int) -> Int {
    let next = step + 1
    return next < 8 ? next : (8 + next & 7) << (next / 8 - 1)
  }
}
