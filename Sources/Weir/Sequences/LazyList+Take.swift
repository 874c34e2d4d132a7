// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// The first `count` elements.
  ///
  /// Elements are evaluated when they are asked for. Nothing after the last one is evaluated, not even
  /// whether there is another. ReactiveObjC: `-take:`.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable
  public func take(first count: Int) -> LazyList {
    require(count >= 0, "weir: take(first: \(count)): the count must not be negative")
    return .advancing((list: self, left: count)) { run in
      if run.left == 0 { return .end }
      guard let head = run.list.popHead() else { return .end }
      run.left -= 1
      // What is not wanted is not retained either.
      if run.left == 0 { run.list = LazyList() }
      return .element(head)
    }
  }

  /// The elements before the first for which `predicate` is false, and that one, too, if the boundary is
  /// included.
  ///
  /// Finding out whether there is a next element calls `predicate`; after the boundary it is not called, and
  /// nothing is evaluated.
  ///
  /// ReactiveObjC: `-takeWhileBlock:`, which excludes the boundary.
  @inlinable
  public func take(
    while predicate: @escaping @Sendable (Element) -> Bool, boundary: TakeBoundary = .excluded
  ) -> LazyList {
    .advancing(self) { list in
      guard let head = list.popHead() else { return .end }
      if predicate(head.value) { return .element(head) }
      list = LazyList()
      return boundary == .included ? .element(head) : .end
    }
  }

  /// The elements before the first for which `predicate` is true. The rest is as with
  /// ``take(while:boundary:)``.
  ///
  /// ReactiveObjC: `-takeUntilBlock:`, which excludes the boundary.
  @inlinable
  public func take(
    until predicate: @escaping @Sendable (Element) -> Bool, boundary: TakeBoundary = .excluded
  ) -> LazyList {
    take(while: { !predicate($0) }, boundary: boundary)
  }
}
