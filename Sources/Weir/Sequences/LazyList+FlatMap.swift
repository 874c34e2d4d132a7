// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// The elements of the lists that `transform` makes of the elements, one list after the other.
  ///
  /// `transform` makes a list once the lists before it have ended. The elements of that list are evaluated
  /// when they are asked for; any number of empty lists is passed over in a loop.
  ///
  /// A closure that returns an array, such as an array literal, selects the `flatMap` of the standard
  /// library, which evaluates everything at once; return `LazyList(…)`, or use ``map(_:)`` and ``joined()``.
  ///
  /// ReactiveObjC: `-flattenMap:`, and `-bind:` with ``take(while:boundary:)`` for the early stop.
  @inlinable
  public func flatMap<Output>(
    _ transform: @escaping @Sendable (Element) -> LazyList<Output>
  ) -> LazyList<Output> {
    .advancing((lists: self, current: LazyList<Output>())) { run in
      if let head = run.current.popHead() { return .element(head) }
      guard let next = run.lists.popHead() else { return .end }
      run.current = transform(next.value)
      return .nothing
    }
  }

  /// The elements of the lists in this list, one after the other. The rest is as with ``flatMap(_:)``.
  ///
  /// ReactiveObjC: `-flatten`; with a list literal, `+concat:`.
  @inlinable
  public func flatten<Inner>() -> LazyList<Inner> where Element == LazyList<Inner> { flatMap { $0 } }

  /// The elements of the collections in this list, one after the other. The rest is as with ``flatMap(_:)``.
  ///
  /// ReactiveObjC: `-flattenMap:` with `rac_sequence`.
  @inlinable
  public func joined() -> LazyList<Element.Element>
  where Element: Collection, Element.Index: Sendable, Element.Element: Sendable {
    flatMap { LazyList<Element.Element>($0) }
  }
}
