// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList: Equatable where Element: Equatable {
  /// Whether both lists have equal elements in the same order.
  ///
  /// Evaluates both lists as far as they are equal: does not return for two infinite lists that are. Where
  /// both reach the same list, as a list and its copy do, or two lists that continue as the same third, they
  /// are equal without further evaluation.
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
