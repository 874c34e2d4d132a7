// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import WeirOracle
import WeirTesting

extension Stress {
  @Suite struct OracleStress {
    init() { perturb() }

    @Test("random programs run by three threads keep all rules and release everything")
    func anything() { expectSound(.anything, programs: 40 * scale) }

    @Test(
      "where it is decidable, each observer receives what the model delivers for some order of the events")
    func explained() {
      guard let explained = expectSound(.eachSourceOnce, programs: 160 * scale) else { return }
      #expect(explained > 50 * scale, "too few observers could have seen several orders")
    }

    /// Tries random programs, or the one that `WEIR_ORACLE_REPLAY` names.
    ///
    /// - Returns: of random programs, how many observers were explained that had a choice of several orders.
    @discardableResult
    private func expectSound(_ shape: Program.Shape, programs: Int) -> Int? {
      let explained = Counter()
      // Threads do not repeat themselves, so each program runs several times.
      func problem(of program: Program, runs: Int) -> String? {
        for _ in 0..<runs {
          let run = ThreadedRun(program)
          if let problem = run.problem() { return problem }
          explained.add(run.explained)
        }
        return nil
      }
      if let digits = setting("WEIR_ORACLE_REPLAY") {
        guard let given = bytes(fromHexadecimal: digits) else {
          Issue.record("WEIR_ORACLE_REPLAY=\(digits): give the hexadecimal digits of a report")
          return nil
        }
        let program = Program(decoding: given, shape)
        print(program)
        if let problem = problem(of: program, runs: 1_000 * scale) { Issue.record("\(problem)") }
        return nil
      }
      let trials = Trials(shape) { problem(of: $0, runs: 5) }
      let seed = setting("WEIR_ORACLE_SEED").flatMap { UInt64($0) } ?? 1
      if let report = trials.run(programs, seed: seed) { Issue.record("\(report)") }
      return explained.value
    }

    private func setting(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
  }
}
