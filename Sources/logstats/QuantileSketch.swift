// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// Quantiles within 1 % of the true value in fixed memory: DDSketch (Masson, Rim, Lee 2019).
/// Bucket `i` counts values in `(gamma^(i-1), gamma^i]`. The 2,048 buckets span 17 decades from one millionth
/// up; smaller values collapse into the lowest bucket, which reads as 0, larger ones into the highest.
struct QuantileSketch {
  private static let (gamma, scale) = (1.01 / 0.99, 1 / log(1.01 / 0.99))
  private static let lowest = (log(1e-6) * scale).rounded(.up)
  private var buckets = [Int](repeating: 0, count: 2048)
  private var count = 0
  mutating func observe(_ value: Double?) {
    guard let value else { return }
    let bucket = value > 1e-6 ? (log(value) * Self.scale).rounded(.up) - Self.lowest : 0
    buckets[min(Int(bucket), buckets.count - 1)] += 1
    count += 1
  }
  /// The value of rank `fraction * (count - 1)`, nil before the first value.
  func quantile(_ fraction: Double) -> Double? {
    var below = Int(fraction * Double(count - 1))
    for (bucket, size) in buckets.enumerated() where size > 0 {
      below -= size
      if below < 0 { return bucket == 0 ? 0 : pow(Self.gamma, Double(bucket) + Self.lowest) * 0.99 }
    }
    return nil
  }
}
