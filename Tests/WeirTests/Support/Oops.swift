// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// An error that carries a number, to tell one from another.
struct Oops: Error, Hashable {
  var code = 0
}
