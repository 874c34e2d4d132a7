// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import WeirOracle
import WeirTesting

extension Stress {
  @Suite struct OracleStress {
    init() { perturb() }

    @Test("random programs whose steps three threads take: rules kept, everything released")
    func anything() { expectSound(.anything, programs: 40 * scale) }

    @Test(
      "where it can be known: what each observer gets is what the model gets for some order of the events")
    func explained() {
      let explained = expectSound(.eachSourceOnce, programs: 80 * scale)
      #expect(explained > 50 * scale, "too few observers could have seen several orders")
    }

    /// Answers how many observers were explained that had a choice of several orders.
    @discardableResult
    private func expectSound(_ shape: Program.Shape, programs: Int) -> Int {
      let seed = getenv("WEIR_ORACLE_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
      let explained = Counter()
      // Threads do not repeat themselves, so each program runs several times.
      let trials = Trials(shape) { program in
        for _ in 0..<5 {
          let run = ThreadedRun(program)
          if let problem = run.problem() { return problem }
          explained.add(run.explained)
        }
        return nil
      }
      if let report = trials.run(programs, seed: seed) { Issue.record("\(report)") }
      return explained.value
    }
  }
}
