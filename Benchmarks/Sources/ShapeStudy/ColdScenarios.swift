// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `cold-chain/N` and `cold-scan-take`: one element of a range through the operators into a counter.
enum ColdScenarios {
  static var benchmarks: [Benchmark] {
    row("cold-chain/3", WeirShape.cold3, AnsweringShape.cold3, ConcreteShape.cold3, handLoop3, checksum3)
      + row(
        "cold-chain/10", WeirShape.cold10, AnsweringShape.cold10, ConcreteShape.cold10, handLoop10, checksum10
      )
      + row(
        "cold-scan-take", WeirShape.coldScanTake, AnsweringShape.coldScanTake, ConcreteShape.coldScanTake,
        handLoopScanTake, checksumOfScan)
  }

  private typealias Body = (_ count: Int, _ constants: Constants, _ cell: Cell) -> Void

  private static func row(
    _ scenario: String, _ weir: @escaping Body, _ answering: @escaping Body, _ concrete: @escaping Body,
    _ handLoop: @escaping Body, _ checksum: @escaping (_ count: Int, _ constants: Constants) -> Int
  ) -> [Benchmark] {
    [
      ColdChain.benchmark(scenario, .weir, weir, checksum: checksum),
      ColdChain.benchmark(scenario, .answeringClosures, answering, checksum: checksum),
      ColdChain.benchmark(scenario, .concreteTypes, concrete, checksum: checksum),
      ColdChain.benchmark(scenario, .handLoop, handLoop, checksum: checksum),
    ]
  }
}

@inline(never)
func handLoopScanTake(_ count: Int, _ constants: Constants, _ cell: Cell) {
  let factor = constants.factor
  var sum = 0
  var left = count
  for value in 0..<Int.max {
    sum = sum &+ value &* factor
    left -= 1
    cell.add(sum)
    if left == 0 { break }
  }
}

/// The sum of the first `count` running sums, from the values themselves: value `v` is in `count - v` of
/// them.
func checksumOfScan(_ count: Int, _ constants: Constants) -> Int {
  (0..<count).reduce(0) { $0 &+ $1 &* constants.factor &* (count &- $1) }
}
