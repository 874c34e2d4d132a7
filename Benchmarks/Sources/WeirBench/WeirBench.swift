// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

@main
struct WeirBench {
  static func main() { BenchmarkProgram.run(Suite.benchmarks) }
}
