// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What the reports need from one line of an access log.
struct Request: Sendable {
  let time: Int
  let client: String
  let route: String
  let status: Int
  let bytes: Int
  let milliseconds: Double?
}

/// A line that is not a request: its input, its number, and the reason.
typealias Reject = (input: String, line: Int, reason: Malformed)
/// Why a line is not a request.
enum Malformed: String, Error {
  case tooLong = "longer than 65536 bytes"
  case tooFewFields = "fewer than seven fields"
  case cutOff = "a quote, bracket or JSON object is never closed"
  case badTime = "no time in a known spelling"
  case badStatus = "no status from 100 to 599"
  case badBytes = "size is neither a number nor -"
}
