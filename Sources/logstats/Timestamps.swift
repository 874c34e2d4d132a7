// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
  /// Whole seconds since 1970 from `21/Nov/2026:12:00:00 +0000`, ISO 8601, or a number of (milli)seconds.
  var timestamp: Int? {
    let isISO = holds("-", at: 4) && holds("-", at: 7) && holds("T", at: 10)
    guard isISO || holds("/", at: 2) && holds("/", at: 6) && holds(":", at: 11) && holds(" ", at: 20) else {
      return decimal.map { Int($0 < 1e11 ? $0 : $0 / 1e3) }
    }
    guard count >= 20, let day = number(isISO ? 8 : 0, 2),
      let month = isISO ? number(5, 2) : months.firstIndex(of: extracting(3..<6).string),
      let year = number(isISO ? 0 : 7, 4), let hour = number(isISO ? 11 : 12, 2),
      let minute = number(isISO ? 14 : 15, 2), let second = number(isISO ? 17 : 18, 2),
      1...12 ~= month, 1...lastDay(of: month, in: year) ~= day, hour < 24, minute < 60, second < 61
    else { return nil }
    var zone = isISO ? 19 : 21
    if isISO, holds(".", at: zone) { repeat { zone += 1 } while zone < count && self[zone] &- 48 < 10 }
    let (clock, isWest) = (extracting(min(zone + 1, count)...), holds("-", at: zone))
    guard clock.isEmpty ? holds("Z", at: zone) : clock.count <= 5 && (isWest || holds("+", at: zone)),
      let offset = clock.isEmpty ? 0 : clock.integer ?? Int(clock.string.filter { $0 != ":" })
    else { return nil }
    // Counted in years that begin in March and so end with their leap day.
    let (y, m) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let days = y * 365 + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 719_469
    let hhmm = clock.count == 2 ? offset * 100 : offset  // ISO 8601 may leave out the minutes.
    guard hhmm / 100 < 15, hhmm % 100 < 60 else { return nil }
    let east = (isWest ? -60 : 60) * (hhmm / 100 * 60 + hhmm % 100)
    return days * 86_400 + hour * 3600 + minute * 60 + second - east
  }
  private func number(_ start: Int, _ length: Int) -> Int? { extracting(start..<start + length).integer }
}

private func lastDay(of month: Int, in year: Int) -> Int {
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
}

private let months = ["", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
