// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension InstantProtocol where Duration == Swift.Duration {
  /// The instant `duration` after this one.
  @inlinable
  func later(by duration: Duration) -> Self { advanced(by: duration.bounded) }
}

extension Duration {
  /// The smallest positive multiple of `interval` that is longer than this duration.
  @usableFromInline
  func next(every interval: Duration) -> Duration {
    // Exactly: rounding errors of an interval that is no whole number of nanoseconds would add up.
    let interval = interval.bounded
    let passed = max(0, attoseconds)
    return Duration(attoseconds: passed - passed % interval.attoseconds).adding(interval)
  }

  /// The sum, or on overflow the longest or shortest duration: virtual time may get as far as that.
  @inlinable @inline(__always)
  package func adding(_ duration: Duration) -> Duration {
    let (sum, overflows) = attoseconds.addingReportingOverflow(duration.attoseconds)
    return Duration(attoseconds: overflows ? (sum < 0 ? .max : .min) : sum)
  }

  /// The duration, limited to a trillion years ahead or back, which can be added to an instant. So the
  /// longest duration may stand for never.
  @usableFromInline
  var bounded: Duration {
    let trillionYears = Duration(attoseconds: 1 << 125)
    return min(max(self, .zero - trillionYears), trillionYears)
  }

  /// The duration in whole nanoseconds, at least 0 and at most `UInt64.max`.
  var nanosecondsRoundedDown: UInt64 { UInt64(clamping: attoseconds / 1_000_000_000) }

  /// The same, rounded up.
  var nanosecondsRoundedUp: UInt64 {
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return UInt64(clamping: rest > 0 ? whole + 1 : whole)
  }
}
