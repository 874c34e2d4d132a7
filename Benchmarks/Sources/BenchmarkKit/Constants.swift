// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// The numbers with which operator chains compute. They are known only at run time, so the compiler cannot
/// fold them.
@frozen @usableFromInline package struct Constants {
  @usableFromInline package let factor: Int
  @usableFromInline package let offset: Int
  @usableFromInline package let mask: Int
  @usableFromInline package let rejected: Int

  /// - Parameter rejected: the filters reject values with this remainder modulo 8; 8 for none.
  package init(rejecting rejected: Int = 5) {
    factor = Int(bench_opaque_int(3))
    offset = Int(bench_opaque_int(7))
    mask = Int(bench_opaque_int(7))
    self.rejected = Int(bench_opaque_int(Int64(rejected)))
  }
}
