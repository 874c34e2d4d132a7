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
      if first.memo === second.memo { return true }
      // Both at once, so that neither goes on beyond a list at which the other one has yet to arrive.
      let (one, other) = (first.continuation, second.continuation)
      if one != nil || other != nil {
        (first, second) = (one ?? first, other ?? second)
        continue
      }
      // Their first places, which are needed now, may turn out to be those of another list.
      _ = (first.memo.value, second.memo.value)
      if first.continuation != nil || second.continuation != nil { continue }
      switch (first.popHead(), second.popHead()) {
      case (nil, nil): return true
      case (let one?, let other?): if one.value != other.value { return false }
      default: return false
      }
    }
  }

  /// The list that this one continues as, if what comes before that has no elements.
  @inlinable var continuation: LazyList? {
    switch memo.remembered {
    case .same(let other): return other
    case .after(_, then: _, let unfolded):
      guard case .same(let other) = unfolded.memo.value else { return nil }
      return other
    case .end, .node, nil: return nil
    }
  }
}
