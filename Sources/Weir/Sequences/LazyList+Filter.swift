// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// The elements for which `isIncluded` is true.
  ///
  /// Finding out whether there is a next element calls `isIncluded`: elements are evaluated, in a loop, until
  /// it is true for one. Elements that are passed over are released every 1,024 elements, unless something
  /// else retains them.
  ///
  /// ReactiveObjC: `-filter:`.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> LazyList {
    .advancing(self) { list in
      guard let head = list.popHead() else { return .end }
      return isIncluded(head.value) ? .element(head) : .nothing
    }
  }

  /// The elements that do not equal `element`. The rest is as with ``filter(_:)``.
  ///
  /// ReactiveObjC: `-ignore:`.
  @inlinable
  public func ignore(_ element: Element) -> LazyList where Element: Equatable { filter { $0 != element } }
}
