// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// The elements of this list, and then those of `other`.
  ///
  /// Where this list ends the other one goes on, with its own memory: there it costs nothing. A list that
  /// grows by many others, at either end, needs no stack for them, and finds each in a step or two. Whoever
  /// has the new list from its beginning has this one with it. ``flatten()`` puts the lists of a list after
  /// each other.
  ///
  /// ReactiveObjC: `-concat:`.
  @inlinable
  public func concat(_ other: LazyList) -> LazyList {
    LazyList(
      known: .after(self, then: other, unfolded: LazyList(place: { Self.unfold(self, then: other) })))
  }

  /// What the first place of two lists is. Where the first of them is made of two itself, `(a, b), c`, this
  /// goes on with `a, (b, c)`: so lists that hang together to the left hang to the right from then on, and
  /// what follows finds its place in one step.
  @inlinable
  static func unfold(_ first: LazyList, then other: LazyList) -> LazyPlace<Element> {
    var (list, others) = (first, other)
    while true {
      switch list.memo.value {
      case .end: return .same(as: others)
      case .node(let head, let rest): return .node(head, rest: rest.concat(others))
      case .same(let next): list = next
      case .after(let inner, then: let next, let unfolded):
        // What is known of the two together need not be found again.
        let isKnown = unfolded.memo.remembered != nil
        (list, others) = isKnown ? (unfolded, others) : (inner, next.concat(others))
      }
    }
  }

  /// `elements`, and then those of this list, which is not asked for any before.
  ///
  /// ReactiveObjC: `-startWith:`.
  @inlinable
  public func startWith(_ elements: Element...) -> LazyList {
    elements.reversed().reduce(self) { LazyList(known: .node(.known($1), rest: $0)) }
  }
}
