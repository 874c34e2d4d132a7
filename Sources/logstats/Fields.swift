// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The places of a request's fields in a line, in the order of the common format; empty for missing fields.
struct Fields {
  enum Name: Int { case client, identity, user, time, request, status, bytes, duration }
  private var ranges = InlineArray<8, Range<Int>>(repeating: 0..<0)
  subscript(_ name: Name) -> Range<Int> { ranges[name.rawValue] }

  /// `client identity user [time] "request" status bytes`, then others; the last may be the request time.
  init(common line: Span<UInt8>) throws(Malformed) {
    var (position, index) = (0, 0)
    while position < line.count {
      let isQuoted = line.holds("\"", at: position)
      let isMarked = isQuoted || line.holds("[", at: position)
      let start = isMarked ? position + 1 : position
      let mark: Unicode.Scalar = isMarked ? "]" : " "
      let close = isQuoted ? line.closingQuote(from: start) : line.firstIndex(of: mark, from: start)
      guard let end = close ?? (isMarked ? nil : line.count) else { throw .cutOff }
      ranges[min(index, 7)] = index > 6 && isMarked ? 0..<0 : start..<end
      (position, index) = (end + (isMarked ? 2 : 1), index + 1)
    }
    guard index > 6 else { throw .tooFewFields }
  }

  /// Any JSON object, nested ones included, with the names that nginx and Apache recipes and Caddy use.
  init(json line: Span<UInt8>) throws(Malformed) {
    guard line.holds("}", at: line.count - 1) else { throw .cutOff }
    var position = 0
    while let key = line.firstIndex(of: "\"", from: position) {
      guard let keyEnd = line.closingQuote(from: key + 1) else { throw .cutOff }
      position = keyEnd + 1
      while line.holds(":", at: position) || line.holds(" ", at: position) { position += 1 }
      let isQuoted = line.holds("\"", at: position)
      let start = isQuoted ? position + 1 : position
      while !isQuoted, !",}]{[ ".utf8.contains(line[position]) { position += 1 }
      guard let end = isQuoted ? line.closingQuote(from: start) : position else { throw .cutOff }
      position = isQuoted ? end + 1 : end
      let name = Self.names[line.extracting(key + 1..<keyEnd).string]
      // A null counts as missing; no other word starts with an n.
      let isThere = start < end && (isQuoted || !line.holds("n", at: start))
      if let name, isThere { ranges[name.rawValue] = start..<end }
    }
  }
  private static let names: [String: Name] = [
    "remote_addr": .client, "client_ip": .client, "remote_ip": .client, "client": .client, "ip": .client,
    "time": .time, "time_iso8601": .time, "time_local": .time, "timestamp": .time, "@timestamp": .time,
    "ts": .time, "msec": .time, "request": .request, "request_uri": .request, "uri": .request,
    "path": .request, "url": .request, "status": .status, "body_bytes_sent": .bytes, "bytes_sent": .bytes,
    "bytes": .bytes, "size": .bytes, "request_time": .duration, "duration": .duration,
  ]
}
