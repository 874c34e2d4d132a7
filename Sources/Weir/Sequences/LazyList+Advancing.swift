// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a place of a ``LazyList`` turns out to be when it is evaluated.
@usableFromInline
enum LazyPlace<Element: Sendable>: Sendable {
  case end
  case node(LazyHead<Element>, rest: LazyList<Element>)
  /// The same as another list. A list that turns out to continue as another one thus shares the places of
  /// that one, and many such steps in a row are a loop.
  case same(as: LazyList<Element>)
  /// The elements of one list, and then those of another: the same as `unfolded`, which has a memo of its
  /// own. This case is known without evaluation, so a concatenation of many lists is unfolded in a loop.
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

/// What one step of an operator finds.
@usableFromInline
enum LazyAdvance<Element: Sendable>: Sendable {
  /// The next element; the next step finds what follows it.
  case element(LazyHead<Element>)
  /// No element so far.
  case nothing
  case end
  /// All that follows, as a list.
  case rest(LazyList<Element>)
}

extension LazyList {
  /// A list whose elements `advance` finds, moving a state ahead: the one loop of all operators but
  /// ``concat(_:)``.
  ///
  /// After 1,024 steps without an element, the place continues as a new one. That releases the elements
  /// passed over, because the closure of the old place is released, and with it the state from which it
  /// started.
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

  /// The first element, which may not be evaluated yet, and the rest; nil if there is none.
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
