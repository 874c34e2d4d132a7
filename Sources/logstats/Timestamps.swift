extension Span<UInt8> {
  /// Whole seconds since 1970 from `21/Nov/2026:12:00:00 +0000`, ISO 8601, or a number of (milli)seconds.
  var timestamp: Int? {
    if let number = decimal { return Int(number < 1e11 ? number : number / 1e3) }
    guard count >= 20 else { return nil }
    let isISO = holds("-", at: 4) && holds("-", at: 7) && holds("T", at: 10)
    guard isISO || holds("/", at: 2) && holds("/", at: 6) && holds(":", at: 11) && holds(" ", at: 20),
      let year = extracting(isISO ? 0..<4 : 7..<11).integer,
      let month = isISO ? extracting(5..<7).integer : months.firstIndex(of: extracting(3..<6).string),
      let day = extracting(isISO ? 8..<10 : 0..<2).integer, 1...12 ~= month, 1...31 ~= day,
      let clock = extracting((isISO ? 11 : 12)..<(isISO ? 19 : 20)).clock
    else { return nil }
    var zone = isISO ? 19 : 21
    if isISO, holds(".", at: zone) { repeat { zone += 1 } while zone < count && self[zone] &- 48 < 10 }
    guard count - zone <= 6, let east = extracting(zone...).zone else { return nil }
    // Counted in years that begin in March and so end with their leap day.
    let (y, m) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let days = y * 365 + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 719_469
    return days * 86_400 + clock - east
  }

  /// Seconds of the day from `12:00:00`.
  private var clock: Int? {
    guard holds(":", at: 2), holds(":", at: 5), let hour = extracting(0..<2).integer, hour < 24,
      let minute = extracting(3..<5).integer, minute < 60, let second = extracting(6..<8).integer, second < 61
    else { return nil }
    return (hour * 60 + minute) * 60 + second
  }

  /// Seconds east of Greenwich from `Z`, `+0100` or `+01:00`.
  private var zone: Int? {
    if count == 1, holds("Z", at: 0) { return 0 }
    return Int(string.filter { $0 != ":" }).map { ($0 / 100 * 60 + $0 % 100) * 60 }
  }
}

private let months = ["", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
