// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a place of a ``LazyList`` turns out to be when somebody asks.
@usableFromInline
enum LazyPlace<Element: Sendable>: Sendable {
  case end
  case node(LazyHead<Element>, rest: LazyList<Element>)
  /// What another list is. So a list that is found to go on as another one shares its places, and what makes
  /// many such steps is a loop.
  case same(as: LazyList<Element>)
  /// The elements of one list, and then those of another: the same as `unfolded`, which is evaluated by
  /// itself. It says so before anybody asks, and so what is put together of many lists is unfolded in a loop.
  case after(LazyList<Element>, then: LazyList<Element>, unfolded: LazyList<Element>)
}

/// An element of a ``LazyList``, which may not be evaluated yet.
@usableFromInline
enum LazyHead<Element: Sendable>: Sendable {
  case known(Element)
  case memo(Memo<Element>)

  @inlinable
  static func computed(_ closure: @escaping @Sendable () -> Element) -> LazyHead { .memo(Memo(closure)) }

  /// The element, evaluated now if it is not known.
  @inlinable var value: Element {
    switch self {
    case .known(let element): element
    case .memo(let memo): memo.value
    }
  }

  /// The element, if it is known.
  @inlinable var remembered: Element? {
    switch self {
    case .known(let element): element
    case .memo(let memo): memo.remembered
    }
  }
}

/// What an operator finds when it goes one step ahead.
@usableFromInline
enum LazyAdvance<Element: Sendable>: Sendable {
  /// The next element; what follows is found in the next step.
  case element(LazyHead<Element>)
  /// Nothing yet.
  case nothing
  case end
  /// All that follows.
  case rest(LazyList<Element>)
}

extension LazyList {
  /// The one loop of all operators but ``concat(_:)``: a list whose elements `advance` finds, from a state
  /// that it moves ahead.
  ///
  /// After so many steps that have found nothing the place is given up for another one: what was passed over
  /// is released then, because the closure of the place that was given up goes, and with it the state that it
  /// began with.
  @inlinable
  static func advancing<State: Sendable>(
    _ state: State, _ advance: @escaping @Sendable (inout State) -> LazyAdvance<Element>
  ) -> LazyList {
    LazyList(place: {
      var state = state
      for _ in 0..<1024 {
        switch advance(&state) {
        case .element(let head): return .node(head, rest: advancing(state, advance))
        case .nothing: continue
        case .end: return .end
        case .rest(let list): return .same(as: list)
        }
      }
      return .same(as: advancing(state, advance))
    })
  }

  /// The first element, perhaps not evaluated, and the rest; nil if there is none.
  @inlinable var node: (head: LazyHead<Element>, rest: LazyList)? {
    var list = self
    while true {
      switch list.memo.value {
      case .end: return nil
      case .node(let head, let rest): return (head, rest)
      case .same(let other): list = other
      case .after(_, then: _, let unfolded): list = unfolded
      }
    }
  }

  /// Takes the first element off the list, without evaluating it.
  @inlinable
  mutating func popHead() -> LazyHead<Element>? {
    guard let node else { return nil }
    self = node.rest
    return node.head
  }
}
