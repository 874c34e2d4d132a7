// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// The elements of this list, and then those of `other`.
  ///
  /// From the end of this list on, the result is `other` itself, with all that is evaluated of it, at no
  /// cost. A list to which many others are added, at either end, needs no stack for them, and reaches each in
  /// a step or two. The new list, held from its beginning, retains this one. ``flatten()`` concatenates the
  /// lists of a list.
  ///
  /// ReactiveObjC: `-concat:`.
  @inlinable
  public func concat(_ other: LazyList) -> LazyList {
    LazyList(
      known: .after(self, then: other, unfolded: LazyList(place: { Self.unfold(self, then: other) })))
  }

  /// The first place of `first` followed by `other`.
  ///
  /// Where `first` is itself made of two lists, `(a, b), c`, this continues with `a, (b, c)`: lists that are
  /// nested to the left are nested to the right from then on, and later elements are reached in one step.
  /// What is found is also stored in the lists on the way, such as `(a, b)`, as other lists may contain them:
  /// in the inner ones first, so that each finds its inner lists evaluated, and needs no stack.
  @inlinable
  static func unfold(_ first: LazyList, then other: LazyList) -> LazyPlace<Element> {
    var list = first
    // The lists still to come before `other`, the next one last, each with the place that is not evaluated
    // yet.
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

  /// `elements`, and then those of this list, of which nothing is evaluated before that.
  ///
  /// ReactiveObjC: `-startWith:`.
  @inlinable
  public func startWith(_ elements: Element...) -> LazyList {
    elements.reversed().reduce(self) { LazyList(known: .node(.known($1), rest: $0)) }
  }
}
