// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList: Hashable where Element: Hashable {
  /// Hashes the first element, and evaluates no other: equal lists start with equal elements. Many lists with
  /// the same first element are slow as keys.
  ///
  /// ReactiveObjC: `-hash`.
  @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(head) }
}
