// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Arithmetic of times in nanoseconds.
enum TimerTime {
  /// The roundest number, in binary, from `time` to `time + tolerance`: for two such ranges that overlap
  /// much, it is often the same.
  static func coalesced(_ time: UInt64, within tolerance: UInt64) -> UInt64 {
    let (last, overflows) = time.addingReportingOverflow(tolerance)
    if overflows || tolerance == 0 || time == 0 { return time }
    let differing = (time - 1) ^ last
    return last & (~0 << UInt64(UInt64.bitWidth - 1 - differing.leadingZeroBitCount))
  }

  /// How long a thread parks at most. The clock of timers goes on while the machine sleeps, and that of
  /// parked threads does not: so after an hour of sleep a thread is late by this much, and not by the rest of
  /// its wait.
  private static let longestWait: UInt64 = 60_000_000_000

  /// How long a thread that has to be awake at `time` parks.
  static func wait(until time: UInt64, from now: UInt64) -> Int64 {
    time <= now ? 0 : Int64(min(time - now, longestWait))
  }
}
