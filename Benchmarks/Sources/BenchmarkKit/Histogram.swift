// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// How many values took how long, in steps of about a tenth: eight from one power of two to the next.
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

  /// A line as the benchmarks print them, with pairs of a bound and how many times are below it and not below
  /// the one before. Quartiles are the bounds above them.
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

  /// The bound that so many of a hundred are below, or the longest time, if that is less.
  package func percentile(_ percentage: Double) -> Int {
    var below = 0
    let step = counts.firstIndex {
      below += $0
      return Double(below) >= Double(total) * percentage / 100
    }
    return min(slowest, step.map(Self.bound) ?? 0)
  }

  /// Of a positive time: three bits after the first one say where it stands between two powers of two.
  private static func step(of time: Int) -> Int {
    let power = Int.bitWidth - 1 - time.leadingZeroBitCount
    return power < 3 ? time : (power - 2) * 8 + (time >> (power - 3)) & 7
  }

  /// The least time that is beyond the step.
  private static func bound(of step: Int) -> Int {
    let next = step + 1
    return next < 8 ? next : (8 + next & 7) << (next / 8 - 1)
  }
}
