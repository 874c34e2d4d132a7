// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// The elements of this list, and then those of `other`.
  ///
  /// Where this list ends the other one goes on, with its own memory: there it costs nothing. ``flatten()``
  /// puts many lists after each other.
  ///
  /// ReactiveObjC: `-concat:`.
  @inlinable
  public func concat(_ other: LazyList) -> LazyList {
    .advancing(self) { list in list.popHead().map { .element($0) } ?? .rest(other) }
  }

  /// `elements`, and then those of this list, which is not asked for any before.
  ///
  /// ReactiveObjC: `-startWith:`.
  @inlinable
  public func startWith(_ elements: Element...) -> LazyList {
    elements.reversed().reduce(self) { LazyList(known: .node(.known($1), rest: $0)) }
  }
}
