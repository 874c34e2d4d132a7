// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList: Hashable where Element: Hashable {
  /// Hashes the first element, and evaluates no other: equal lists begin with equal ones. Many lists that
  /// begin alike are slow as keys.
  ///
  /// ReactiveObjC: `-hash`.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(head) }
}
