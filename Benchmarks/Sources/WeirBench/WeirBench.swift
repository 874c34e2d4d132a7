// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

@main
struct WeirBench {
  static func main() {
    let sendTimes = SendTime.scenarios
    BenchmarkProgram.run(Suite.benchmarks(sendTimes)) { sendTimes.histograms }
  }
}
