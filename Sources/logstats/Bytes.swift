// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// What the parsers need from a line of bytes.
extension Span<UInt8> {
  var string: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
  /// One to fifteen digits and nothing else.
  var integer: Int? {
    var value = 0
    for index in indices {
      guard case let digit = self[index] &- UInt8(ascii: "0"), digit < 10, index < 15 else { return nil }
      value = value * 10 + Int(digit)
    }
    return isEmpty ? nil : value
  }
  /// A number from 0 to 10^15, with or without a fraction.
  var decimal: Double? { integer.map(Double.init) ?? Double(string).flatMap { 0...1e15 ~= $0 ? $0 : nil } }
  func holds(_ byte: Unicode.Scalar, at i: Int) -> Bool { indices.contains(i) && self[i] == byte.value }
  func firstIndex(of byte: Unicode.Scalar, from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      // memchr is several times faster than a loop; its bounds are those of the span.
      guard start < count, let base = bytes.baseAddress else { return nil }
      return memchr(base + start, Int32(byte.value), count - start).map { UnsafeRawPointer($0) - base }
    }
  }

  /// The first quote from `start` on that no backslash escapes.
  func closingQuote(from start: Int) -> Int? {
    var position = start
    while let quote = firstIndex(of: "\"", from: position) {
      let slashes = (start..<quote).reversed().prefix { holds("\\", at: $0) }
      if slashes.count.isMultiple(of: 2) { return quote }
      position = quote + 1
    }
    return nil
  }
}
