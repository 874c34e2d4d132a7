// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// The first elements of this list and `other` as a pair, then the second ones, and so on, to the end of
  /// the shorter list.
  ///
  /// Asking for a pair evaluates both elements. Finding out whether there is a pair asks this list first, and
  /// the other one only if this one has an element.
  ///
  /// ReactiveObjC: `-zipWith:`, and `+zip:` and `+zip:reduce:` with more of it and ``map(_:)``.
  @inlinable
  public func zip<Other>(with other: LazyList<Other>) -> LazyList<(Element, Other)> {
    .advancing((self, other)) { lists in
      guard let first = lists.0.popHead(), let second = lists.1.popHead() else { return .end }
      return .element(.computed { (first.value, second.value) })
    }
  }
}
