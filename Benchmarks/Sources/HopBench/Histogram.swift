// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// How many values took how long, in steps of about a tenth: eight from one power of two to the next.
struct Histogram {
  private var counts: [Int] = []
  private var repetition = 0
  private var fastest = Int.max

  /// Adds the times of a repetition. Those of shorter ones, which only find out how many operations fill a repetition, are forgotten.
  mutating func add(_ times: [Int]) {
    if times.count != repetition { self = Histogram() }
    repetition = times.count
    for time in times {
      let step = Self.step(of: max(1, time))
      makeRoom(for: step + 1)
      counts[step] += 1
      fastest = min(fastest, time)
    }
  }

  static func + (left: Histogram, right: Histogram) -> Histogram {
    var sum = left
    sum.makeRoom(for: right.counts.count)
    for (step, count) in right.counts.enumerated() { sum.counts[step] += count }
    sum.fastest = min(left.fastest, right.fastest)
    return sum
  }

  private mutating func makeRoom(for steps: Int) {
    if steps > counts.count { counts += repeatElement(0, count: steps - counts.count) }
  }

  /// A line as the benchmarks print them, with pairs of a bound and how many times are below it and not below the one before. The median is
  /// the bound above it.
  func json(scenario: String, implementation: Implementation) -> String {
    let steps = counts.indices.filter { counts[$0] > 0 }
    let total = counts.reduce(0, +)
    var (below, median) = (0, 0)
    for step in steps where below * 2 < total {
      below += counts[step]
      median = Self.bound(of: step)
    }
    let pairs = steps.map { "[\(Self.bound(of: $0)), \(counts[$0])]" }
    return """
      {"scenario": "\(scenario)", "implementation": "\(implementation.name)", "ns_min": \(fastest), \
      "ns_median": \(median), "allocations": null, "bytes": null, "histogram": [\(pairs.joined(separator: ", "))]}
      """
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
