// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An error that carries a number, to tell one from another.
struct Oops: Error, Equatable {
  var code = 0
}
