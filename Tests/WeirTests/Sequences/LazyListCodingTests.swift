// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Weir

/// Encoding and decoding of lists.
struct LazyListCodingTests {
  @Test("a list is encoded as an array, and is evaluated when it is decoded")
  func roundTrip() throws {
    let data = try JSONEncoder().encode(LazyList(1...3).map { $0 * 2 })
    #expect(String(decoding: data, as: UTF8.self) == "[2,4,6]")
    let decoded = try JSONDecoder().decode(LazyList<Int>.self, from: data)
    #expect(decoded.description == "[2, 4, 6]")
    #expect(decoded == [2, 4, 6])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LazyList<Int>.self, from: Data("{}".utf8))
    }
  }
}
