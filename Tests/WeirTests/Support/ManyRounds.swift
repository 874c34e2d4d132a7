// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// A hundred thousand: enough to overflow any stack, and to see memory grow. Fewer in the sanitizers' builds,
/// where each round is many times dearer and each frame larger.
let manyRounds = weir_atomics_are_hooked() ? 10_000 : 100_000
