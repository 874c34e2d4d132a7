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
