// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing

/// A hundred thousand: enough to overflow any stack. Fewer in the sanitizers' builds, where each round takes
/// many times longer and each frame is larger.
let manyRounds = weir_atomics_are_hooked() ? 10_000 : 100_000

/// For tests that try many cases one after the other. A stack of 256 KiB overflows if each round takes 27
/// bytes of it.
let roundsOfEach = 10_000

extension Trait where Self == ConditionTrait {
  /// For tests of a number in the millions, which take a sanitizer ten seconds each, and show it nothing that
  /// the first thousands do not.
  static var millionsOfValues: Self {
    .disabled(if: weir_atomics_are_hooked(), "millions of values are for a plain build")
  }
}
