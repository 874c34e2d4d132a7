// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Error {
  /// Whether this is `Never`, which is known at compile time. Checked with arrays, since the optimiser of
  /// Swift 6.3 decides the question only for these: it evaluates `Self.self == Never.self` at run time,
  /// unless it is true, and a chain with a branch in it is not one function.
  @inlinable
  static var isImpossible: Bool {
    @inline(__always) get { [Self].self is [Never].Type }
  }
}
