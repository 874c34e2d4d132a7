// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// The elements for which `isIncluded` is true.
  ///
  /// Whether there is an element decides `isIncluded`: elements are evaluated, in a loop, until it is true
  /// for one. What is passed over is released every 1,024 elements, unless somebody else has it.
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
