// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// Drops each element that `areEqual` finds equal to the last one that stayed. The first element always
  /// stays.
  ///
  /// Finding out whether there is a next element calls `areEqual`: elements are evaluated, in a loop, until
  /// one differs. Finding the first one evaluates nothing.
  ///
  /// ReactiveObjC: `-distinctUntilChanged`, with a comparison of one's own.
  @inlinable
  public func distinctUntilChanged(
    comparing areEqual: @escaping @Sendable (_ previous: Element, _ current: Element) -> Bool
  ) -> LazyList {
    .advancing((list: self, previous: LazyHead<Element>?.none)) { run in
      guard let head = run.list.popHead() else { return .end }
      if let previous = run.previous, areEqual(previous.value, head.value) { return .nothing }
      run.previous = head
      return .element(head)
    }
  }

  /// Drops each element whose `key` equals that of the last one that stayed. `key` is called for both
  /// elements of a comparison. The rest is as with ``distinctUntilChanged(comparing:)``.
  ///
  /// ReactiveObjC: `-distinctUntilChanged`, by a key.
  @inlinable
  public func distinctUntilKeyChanged<Key: Equatable & SendableMetatype>(
    _ key: @escaping @Sendable (Element) -> Key
  ) -> LazyList {
    distinctUntilChanged(comparing: { key($0) == key($1) })
  }

  /// Drops each element that equals the last one that stayed. The rest is as with
  /// ``distinctUntilChanged(comparing:)``.
  ///
  /// ReactiveObjC: `-distinctUntilChanged`.
  @inlinable
  public func distinctUntilChanged() -> LazyList where Element: Equatable {
    distinctUntilChanged(comparing: { $0 == $1 })
  }
}
