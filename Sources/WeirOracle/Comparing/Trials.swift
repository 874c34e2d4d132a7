// Part of Weir. SPDX-License-Identifier: Apache-2.0
import WeirTesting

/// Tries random programs, and reduces the first that fails.
package struct Trials {
  /// Returns what is wrong with a program; nil if nothing is.
  package typealias Check = (Program) -> String?

  private let shape: Program.Shape
  private let check: Check

  package init(_ shape: Program.Shape = .anything, _ check: @escaping Check) {
    self.shape = shape
    self.check = check
  }

  /// Tries `count` programs made from the seed. Returns a report on the first that fails, reduced; nil if
  /// none does.
  package func run(_ count: Int, seed: UInt64) -> String? {
    var random = SplitMix64(seed: seed)
    for _ in 0..<count {
      let bytes = (0..<Int.random(in: shape.lengths, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if let report = report(on: bytes) { return report + "\nfound with WEIR_ORACLE_SEED=\(seed)" }
    }
    return nil
  }

  /// A report on the program of these bytes, reduced while it still fails; nil if it does not fail.
  package func report(on bytes: [UInt8]) -> String? {
    guard let found = failure(of: bytes) else { return nil }
    let smallest = smaller(found)
    return smallest.problem + "\nrepeat with WEIR_ORACLE_REPLAY=\(hexadecimal(smallest.bytes))"
  }

  /// Bytes, and what was wrong with their program; stored, since with threads it may not happen again.
  private typealias Failure = (bytes: [UInt8], problem: String)

  private func failure(of bytes: [UInt8]) -> Failure? {
    check(Program(decoding: bytes, shape)).map { (bytes, $0) }
  }

  /// Greedy: leaves out pieces, then lowers bytes, as long as the program still fails.
  private func smaller(_ found: Failure) -> Failure {
    var best = found
    var tries = 4_000
    func improve(_ candidate: [UInt8]) -> Bool {
      tries -= 1
      guard tries > 0, let better = failure(of: candidate) else { return false }
      best = better
      return true
    }
    var hasImproved = true
    while hasImproved {
      hasImproved = false
      var size = max(1, best.bytes.count / 2)
      while size > 0 {
        var start = 0
        while start + size <= best.bytes.count {
          if improve(Array(best.bytes[..<start] + best.bytes[(start + size)...])) {
            hasImproved = true
          } else {
            start += 1
          }
        }
        size /= 2
      }
      for index in best.bytes.indices {
        let byte = best.bytes[index]
        for value in [0, byte / 2, max(byte, 1) - 1] where value < best.bytes[index] {
          var candidate = best.bytes
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

/// The bytes that hexadecimal digits stand for; nil if the text has other characters.
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
