/// Gives equal spellings the same `String` without allocating. A direct-mapped cache and so of fixed size:
/// a spelling that lost its place is stored anew, which costs time, never a count.
struct Interner {
  private var places = [(hash: Int, string: String)](repeating: (0, "-"), count: 1 << 15)

  /// Cuts spellings at 512 bytes, so that no log can fill the memory with them.
  mutating func string(_ spelling: Span<UInt8>) -> String {
    let bytes = spelling.extracting(first: min(spelling.count, 512))
    var hasher = Hasher()  // 64 bits and keyed at random: no log can make two spellings look equal
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    let place = hash & (places.count - 1)
    if places[place].hash != hash { places[place] = (hash, bytes.isEmpty ? "-" : bytes.string) }
    return places[place].string
  }
}
