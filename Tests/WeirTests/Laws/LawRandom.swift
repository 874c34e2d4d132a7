// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// The numbers that laws are tried with: the same for the same seed, on every machine.
struct LawRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The seed of the whole run: `WEIR_LAW_SEED`, or another one each time.
  static let seed: UInt64 =
    getenv("WEIR_LAW_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 1..<1 << 32)
}
