// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList: Equatable where Element: Equatable {
  /// Whether both have equal elements in the same order.
  ///
  /// Evaluates both as far as they are equal: two infinite ones that are, for ever. Where a list and its
  /// copy, or two lists that go on as the same third, come to what they have in common, they are equal
  /// without a further look.
  ///
  /// ReactiveObjC: `-isEqual:`.
  @inlinable
  public static func == (first: LazyList, second: LazyList) -> Bool {
    var (first, second) = (first, second)
    while first.memo !== second.memo {
      switch (first.popHead(), second.popHead()) {
      case (nil, nil): return true
      case (let one?, let other?): if one.value != other.value { return false }
      default: return false
      }
    }
    return true
  }
}
