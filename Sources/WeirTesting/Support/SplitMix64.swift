// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Random numbers that are the same for the same seed, on every machine (Steele, Lea and Flood, 2014): for
/// tests of laws, races and histories, the explorer and the oracle.
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

  /// As long as `bound` is small, which it is here, all numbers are equally likely.
  package mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
