// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// The numbers the operator chains compute with, known only at run time so that nobody folds them.
@frozen @usableFromInline package struct Constants {
  @usableFromInline package let factor: Int
  @usableFromInline package let offset: Int
  @usableFromInline package let mask: Int
  @usableFromInline package let rejected: Int

  /// - Parameter rejected: which remainder modulo 8 the filters keep out; 8 for none.
  package init(rejecting rejected: Int = 5) {
    factor = Int(bench_opaque_int(3))
    offset = Int(bench_opaque_int(7))
    mask = Int(bench_opaque_int(7))
    self.rejected = Int(bench_opaque_int(Int64(rejected)))
  }
}
