// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Turns a line into a request: JSON if it starts with a brace, else common or combined format.
struct RequestParser {
  static let longestLine = 65_536
  private var names = [(hash: Int, name: String)](repeating: (0, "-"), count: 1 << 15)
  /// Nil for a line of white space, which is nothing rather than malformed.
  mutating func parse(_ line: Span<UInt8>) throws(Malformed) -> Request? {
    guard line.count <= Self.longestLine else { throw .tooLong }
    let line = line.extracting(line.content)
    if line.isEmpty { return nil }
    let isJSON = line.holds("{", at: 0)
    let fields = isJSON ? try Fields(json: line) : try Fields(common: line)
    let notation = isJSON ? Notation.json : .plain
    guard let time = line.extracting(fields[.time]).read(notation, { $0.timestamp }) else { throw .badTime }
    guard let status = line.extracting(fields[.status]).integer, 100...599 ~= status else { throw .badStatus }
    let size = line.extracting(fields[.bytes])
    let hasNoSize = size.isEmpty || size.count == 1 && size.holds("-", at: 0)
    guard let bytes = hasNoSize ? 0 : size.integer else { throw .badBytes }
    // A whole number is Apache's %D, in microseconds; nginx writes seconds with a fraction, and JSON has
    // seconds.
    let duration = line.extracting(fields[.duration])
    let unit = isJSON || duration.firstIndex(of: ".", from: 0) != nil ? 1e3 : 1e-3
    let client = line.extracting(fields[.client]).read(notation) { name($0) }
    let route = line.extracting(fields[.request]).read(notation) { name($0.extracting(path(in: $0))) }
    return Request(
      time: time, client: client, route: route, status: status, bytes: bytes,
      milliseconds: duration.decimal.map { $0 * unit })
  }

  /// The first 512 bytes as a string, usually without allocating if they have occurred before: `names` is a
  /// cache of fixed size. A name that was evicted from it costs time again, but does not change a count.
  private mutating func name(_ spelling: Span<UInt8>) -> String {
    let bytes = spelling.extracting(first: min(spelling.count, 512))
    var hasher = Hasher()  // 64 bits and keyed at random: no log can make two spellings look equal
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    let place = hash & (names.count - 1)
    if names[place].hash != hash { names[place] = (hash, bytes.isEmpty ? "-" : bytes.string) }
    return names[place].name
  }

  /// The path in `GET /path?query HTTP/1.1`, `GET /path?query` or `/path?query`; in the last form it may
  /// contain spaces. Anything else, as scanners send it, is returned as a whole.
  private func path(in request: Span<UInt8>) -> Range<Int> {
    var (start, end) = (0, request.count)
    if !request.holds("/", at: 0) {
      guard let space = request.firstIndex(of: " ", from: 0) else { return 0..<end }
      start = space + 1
      let next = request.firstIndex(of: " ", from: start)
      guard request.holds("/", at: start) || next.map({ request.holds(text: "HTTP/", at: $0 + 1) }) == true
      else { return 0..<end }
      end = next ?? end
    }
    return start..<(request.extracting(first: end).firstIndex(of: "?", from: start) ?? end)
  }
}
