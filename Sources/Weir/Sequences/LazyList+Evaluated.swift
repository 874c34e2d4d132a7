// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// Evaluates all elements now, and returns the list.
  ///
  /// The result is the same list; lists that operators make of it are as lazy as any. Does not return if the
  /// list is infinite. For eager operators, use those of an array.
  ///
  /// ReactiveObjC: `eagerSequence`, from which operators make eager sequences.
  @inlinable
  public func evaluated() -> LazyList {
    for _ in self {}
    return self
  }
}
