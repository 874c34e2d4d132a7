// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BenchmarkKit

@Suite("Results of the repetitions of a run")
struct HarnessTests {
  @Test("The fastest odd and the fastest even repetition are reported; a single repetition has no even one")
  func halves() {
    let several = json([3, 9, 2, 4, 8])
    #expect(several.contains(#""ns_min": 2.0, "ns_median": 4.0, "ns_q1": 3.0, "ns_q3": 8.0, "#))
    #expect(several.contains(#""ns_min_odd": 2.0, "ns_min_even": 4.0, "#))
    #expect(json([3]).contains(#""ns_min_odd": 3.0, "ns_min_even": null, "#))
  }

  private func json(_ times: [Double]) -> String {
    Result(scenario: "emit/1", implementation: .weir, times: times, operations: 1, heap: nil, failed: 0).json
  }

  @Test("State that runs before the first repetition left behind is reset")
  func forgets() {
    var runs = 0
    let benchmark = Benchmark(scenario: "emit/1", implementation: .weir, forget: { runs = 0 }) {
      { operations in
        runs += 1
        return Sample(operations: operations, nanoseconds: Int64(operations), heap: nil)
      }
    }
    _ = Harness(repetitions: 3, nanosecondsPerRepetition: 1_000).run([benchmark]) { _ in }
    #expect(runs == 3)
  }
}
