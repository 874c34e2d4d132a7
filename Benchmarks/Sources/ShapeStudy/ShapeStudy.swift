// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// The evidence behind the shape of Weir's operators: the same chains in Weir and in the alternatives.
@main
struct ShapeStudy {
  static func main() {
    BenchmarkProgram.run(ColdScenarios.benchmarks + HotScenarios.benchmarks + SubscribeScenarios.benchmarks)
  }
}
