// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `cold-chain/N` and `hand-loop/N`: a range through N operators into a counter, and the loop one would have
/// written instead.
extension ColdChain {
  static var benchmarks: [Benchmark] {
    [
      benchmark("cold-chain/3", .weir, weirChain3, checksum: checksum3),
      benchmark("hand-loop/3", .limit, handLoop3, checksum: checksum3),
      benchmark("cold-chain/10", .weir, weirChain10, checksum: checksum10),
      benchmark("hand-loop/10", .limit, handLoop10, checksum: checksum10),
    ]
  }
}
