// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import Weir
import WeirOracle

@Suite struct OracleTests {
  private static let trials = Trials { program in Oracle().disagreement(on: program).map { "\($0)" } }

  @Test("random programs do the same by Weir and by the model, event by event, and release the same")
  func randomPrograms() {
    let seed = setting("WEIR_ORACLE_SEED").flatMap { UInt64($0) } ?? .random(in: 1..<1 << 32)
    let scale = setting("WEIR_ORACLE_SCALE").flatMap { Int($0) } ?? 1
    if let report = Self.trials.run(3_000 * scale, seed: seed) { Issue.record("\(report)") }
  }
}

private func setting(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
