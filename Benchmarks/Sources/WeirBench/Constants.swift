// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CBenchSupport

/// The numbers the operator chains compute with, known only at run time so that nobody folds them.
struct Constants {
  let factor = Int(bench_opaque_int(3))
  let offset = Int(bench_opaque_int(7))
  let mask = Int(bench_opaque_int(7))
  let rejected = Int(bench_opaque_int(5))
}
