// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// All but the first `count` elements, which are not evaluated.
  ///
  /// They are passed over in a loop, when somebody asks whether there is an element after them, and released
  /// as by ``filter(_:)``. From there on the result is this list itself, at no further cost. ReactiveObjC:
  /// `-skip:`.
  ///
  /// - Precondition: `count` is not negative.
  @inlinable
  public func skip(first count: Int) -> LazyList {
    require(count >= 0, "weir: skip(first: \(count)): the count must not be negative")
    return .advancing((list: self, left: count)) { run in
      if run.left == 0 { return .rest(run.list) }
      run.left -= 1
      return run.list.popHead() == nil ? .end : .nothing
    }
  }

  /// The elements from the first one for which `predicate` is false. It is not called for any after that one.
  ///
  /// Elements are evaluated, in a loop, until it is false for one. The rest is as with ``skip(first:)``.
  ///
  /// ReactiveObjC: `-skipWhileBlock:`.
  @inlinable
  public func skip(while predicate: @escaping @Sendable (Element) -> Bool) -> LazyList {
    .advancing(self) { list in
      guard let node = list.node else { return .end }
      guard predicate(node.head.value) else { return .rest(list) }
      list = node.rest
      return .nothing
    }
  }

  /// The elements from the first one for which `predicate` is true. The rest is as with ``skip(while:)``.
  ///
  /// ReactiveObjC: `-skipUntilBlock:`.
  @inlinable
  public func skip(until predicate: @escaping @Sendable (Element) -> Bool) -> LazyList {
    skip(while: { !predicate($0) })
  }
}
