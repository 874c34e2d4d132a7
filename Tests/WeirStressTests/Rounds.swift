// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
import Testing

/// All stress suites, one test at a time: they count the blocks of the whole process.
@Suite(.serialized) enum Stress {}

/// How long stress tests run: `WEIR_STRESS_SCALE=20 swift test --filter Stress` for a long run.
let scale = getenv("WEIR_STRESS_SCALE").flatMap { Int(String(cString: $0)) } ?? 1

/// In a build whose atomics are hooked, delays one operation in `period`, from a seed that a failure can be repeated with
/// (`WEIR_STRESS_SEED`), as far as the system's own scheduling allows.
func perturb(period: UInt32 = 64) {
  let seed = getenv("WEIR_STRESS_SEED").flatMap { UInt64(String(cString: $0)) } ?? UInt64(time(nil))
  weir_perturb(period, seed)
}

/// Expects that all blocks allocated since there were `count` of them have been freed. Tests of other suites run in the same process
/// and have some for a while: they are given a minute to finish. What leaks stays.
func expectBlocks(
  notAbove count: Int64, sourceLocation: SourceLocation = #_sourceLocation
) {
  let patience = ContinuousClock.now + .seconds(60)
  while weir_blocks_alive() > count, ContinuousClock.now < patience { weir_yield() }
  #expect(weir_blocks_alive() <= count, sourceLocation: sourceLocation)
}
