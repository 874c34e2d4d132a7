// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList: Equatable where Element: Equatable {
  /// Whether both lists have equal elements in the same order.
  ///
  /// Evaluates both lists as far as they are equal: does not return for two infinite lists that are. Where
  /// both reach the same list, as a list and its copy do, or two lists that continue as the same third, they
  /// are equal without further evaluation, whatever its elements are.
  ///
  /// ReactiveObjC: `-isEqual:`.
  @inlinable
  public static func == (first: LazyList, second: LazyList) -> Bool {
    var (first, second) = (first, second)
    while true {
      (first, second) = (first.continuation, second.continuation)
      if first.memo === second.memo { return true }
      switch (first.popHead(), second.popHead()) {
      case (nil, nil): return true
      case (let one?, let other?): if one.value != other.value { return false }
      default: return false
      }
    }
  }

  /// The list that this one continues as, if that can be told by looking only whether lists in front of it
  /// have ended. Nothing of the list that is returned is evaluated.
  @inlinable var continuation: LazyList {
    var list = self
    while let place = list.memo.remembered {
      switch place {
      case .end, .node: return list
      case .same(let other): list = other
      case .after(_, then: _, let unfolded):
        guard case .same(let other) = unfolded.memo.value else { return unfolded }
        list = other
      }
    }
    return list
  }
}
