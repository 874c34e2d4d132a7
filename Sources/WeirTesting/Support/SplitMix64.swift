// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Generates random numbers that are the same for the same seed, on every machine (Steele, Lea and Flood,
/// 2014); the tests of laws, races and histories, the explorer and the oracle use it.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 up to `bound`, exclusive. As long as `bound` is small, as it is here, all are equally
  /// likely.
  package mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
