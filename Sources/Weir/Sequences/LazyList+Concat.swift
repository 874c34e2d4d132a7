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
  /// what follows finds its place in one step. What it has found on its way is made known to the lists that
  /// it has gone through, `(a, b)`, for others that they are a part of: the inner ones first, so that each
  /// finds what is inside it known, and needs no stack.
  @inlinable
  static func unfold(_ first: LazyList, then other: LazyList) -> LazyPlace<Element> {
    var list = first
    // The lists to come before `other`, the next one last, each with what is not known yet.
    var others: [(unfolded: LazyList, next: LazyList)] = []
    while true {
      switch list.memo.value {
      case .same(let another): list = another
      case .after(let inner, then: let next, let unfolded):
        if unfolded.memo.remembered != nil {
          list = unfolded
        } else {
          others.append((unfolded, next))
          list = inner
        }
      case .end:
        guard let (unfolded, next) = others.popLast() else { return .same(as: other) }
        _ = unfolded.memo.value
        list = next
      case .node(let head, let rest):
        for (unfolded, _) in others.reversed() { _ = unfolded.memo.value }
        return .node(head, rest: rest.concat(others.reduce(other) { $1.next.concat($0) }))
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
