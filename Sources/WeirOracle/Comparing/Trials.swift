// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Tries random programs, and makes the first that fails smaller.
package struct Trials {
  /// Answers what is wrong with a program; nil if nothing is.
  package typealias Check = (Program) -> String?

  private let shape: Program.Shape
  private let check: Check

  package init(_ shape: Program.Shape = .anything, _ check: @escaping Check) {
    self.shape = shape
    self.check = check
  }

  /// A report of the smallest program found among `count` that the seed leads to; nil if nothing is wrong with any.
  package func run(_ count: Int, seed: UInt64) -> String? {
    var random = SeededRandom(seed: seed)
    for _ in 0..<count {
      let bytes = (0..<Int.random(in: 8...96, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if let report = report(on: bytes) { return report + "\nfound with WEIR_ORACLE_SEED=\(seed)" }
    }
    return nil
  }

  /// A report of these bytes, or fewer that are wrong too; nil if nothing is.
  package func report(on bytes: [UInt8]) -> String? {
    if problem(of: bytes) == nil { return nil }
    let smallest = smaller(bytes)
    guard let problem = problem(of: smallest) else { return nil }
    return problem + "\nrepeat with WEIR_ORACLE_REPLAY=\(hexadecimal(smallest))"
  }

  private func problem(of bytes: [UInt8]) -> String? { check(Program(decoding: bytes, shape)) }

  /// Greedy: leaves out pieces, then lowers bytes, for as long as something is still wrong.
  private func smaller(_ bytes: [UInt8]) -> [UInt8] {
    var best = bytes
    var tries = 4_000
    func improve(_ candidate: [UInt8]) -> Bool {
      tries -= 1
      guard tries > 0, problem(of: candidate) != nil else { return false }
      best = candidate
      return true
    }
    var hasImproved = true
    while hasImproved {
      hasImproved = false
      var size = max(1, best.count / 2)
      while size > 0 {
        var start = 0
        while start + size <= best.count {
          if improve(Array(best[..<start] + best[(start + size)...])) {
            hasImproved = true
          } else {
            start += 1
          }
        }
        size /= 2
      }
      for index in best.indices {
        for value in [0, best[index] / 2, max(best[index], 1) - 1] where value < best[index] {
          var candidate = best
          candidate[index] = value
          if improve(candidate) { hasImproved = true }
        }
      }
    }
    return best
  }
}

/// The hexadecimal digits of bytes.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

/// The bytes that hexadecimal digits stand for; nil if they are no such digits.
package func bytes(fromHexadecimal text: String) -> [UInt8]? {
  let digits = Array(text)
  if digits.count % 2 != 0 { return nil }
  var bytes: [UInt8] = []
  for index in stride(from: 0, to: digits.count, by: 2) {
    guard let byte = UInt8(String(digits[index...index + 1]), radix: 16) else { return nil }
    bytes.append(byte)
  }
  return bytes
}

/// The same numbers for the same seed, on every machine: SplitMix64.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
