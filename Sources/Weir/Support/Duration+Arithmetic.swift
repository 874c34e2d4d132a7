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

  /// The duration times `factor`, in whole nanoseconds.
  @usableFromInline
  func times(_ factor: Double) -> Duration {
    if factor == 1 { return self }
    // Up to centuries in two parts, and not as the Int128 that a duration is: Swift converts that by
    // unspecialised code, in five thousand instructions.
    if self < .seconds(1 << 32) {
      let (seconds, rest) = components
      let nanoseconds = ((Double(seconds) * 1e9 + Double(rest) / 1e9) * factor).rounded()
      if nanoseconds < 9e18 { return .nanoseconds(Int64(nanoseconds)) }
    }
    let nanoseconds = (Double(attoseconds) / 1e9 * factor).rounded()
    // The longest durations are rounded as a Double, and must stay within an Int128.
    return Duration(attoseconds: Int128(Swift.min(nanoseconds, 1.7e29)) * 1_000_000_000)
  }
}

/// `base` to the power of `exponent`; infinite if that is too large.
@usableFromInline
func power(_ base: Double, _ exponent: Int) -> Double {
  var (result, square, left) = (1.0, base, exponent)
  while left > 0 {
    if left & 1 == 1 { result *= square }
    square *= square
    left >>= 1
  }
  return result
}
