// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Int {
  /// This number, rounded up to a multiple of a power of two.
  @inlinable
  func alignedUp(to alignment: Int) -> Int { (self + alignment - 1) & ~(alignment - 1) }
}
