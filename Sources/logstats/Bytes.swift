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
  /// What is neither white space at an end, nor the mark that some programs begin a UTF-8 file with.
  var content: Range<Int> {
    let isMarked = holds("\u{EF}", at: 0) && holds("\u{BB}", at: 1) && holds("\u{BF}", at: 2)
    var (start, end) = (isMarked ? 3 : 0, count)
    while start < end, self[start] <= UInt8(ascii: " ") { start += 1 }
    while start < end, self[end - 1] <= UInt8(ascii: " ") { end -= 1 }
    return start..<end
  }
  func holds(_ byte: Unicode.Scalar, at i: Int) -> Bool { indices.contains(i) && self[i] == byte.value }
  func holds(text: String, at i: Int) -> Bool {
    i + text.utf8.count <= count && zip(i..., text.utf8).allSatisfy { self[$0] == $1 }
  }
  func firstIndex(of byte: Unicode.Scalar, from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      // memchr is several times faster than a loop; its bounds are those of the span.
      guard start < count, let base = bytes.baseAddress else { return nil }
      return memchr(base + start, Int32(byte.value), count - start).map { UnsafeRawPointer($0) - base }
    }
  }

  /// The first quote from `start` on that is not escaped by a backslash.
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

/// How a line encodes text.
enum Notation { case plain, json }

extension Span<UInt8> {
  /// Calls `body` with the text of these bytes: unescaped, if they are JSON.
  func read<Result>(_ notation: Notation, _ body: (Span<UInt8>) -> Result) -> Result {
    guard notation == .json, firstIndex(of: "\\", from: 0) != nil else { return body(self) }
    let text = unescaped
    return body(text.span)
  }

  /// In UTF-16, since `\u` escapes are UTF-16 units, in pairs for characters beyond 65,535.
  private var unescaped: [UInt8] {
    let letters: [UInt16: UInt16] = [0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9]  // b, f, n, r, t
    let text = string
    var (units, rest) = ([UInt16](), text.utf16[...])
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let escaped = rest.popFirst() else {
        units.append(unit)
        continue
      }
      let digits = rest.prefix(4)
      if escaped == 0x75, digits.count == 4, let code = UInt16(Substring(digits), radix: 16) {
        units.append(code)
        rest = rest.dropFirst(4)
      } else {
        units.append(letters[escaped] ?? escaped)
      }
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
