// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// A list without elements.
  ///
  /// ReactiveObjC: `+empty`.
  @inlinable public init() { self.init(known: .end) }

  /// The elements of a collection as it is now: later changes to the variable that holds it have no effect.
  ///
  /// Nothing is copied at first; each element is read from the collection when it is reached. The collection
  /// is retained until somebody has asked what follows the last element. A string yields its characters, a
  /// dictionary pairs of keys and values; a lazy collection computes again for each list that is made of it.
  ///
  /// ReactiveObjC: `rac_sequence`.
  @inlinable
  public init<Elements: Collection & Sendable>(_ elements: Elements)
  where Elements.Element == Element, Elements.Index: Sendable {
    self = .advancing(elements.startIndex) { index in
      if index == elements.endIndex { return .end }
      defer { elements.formIndex(after: &index) }
      return .element(.known(elements[index]))
    }
  }

  /// A list whose first element is made by one closure, and the rest by another, each called once, when its
  /// result is asked for.
  ///
  /// ```swift
  /// func numbers(from start: Int) -> LazyList<Int> {
  ///   LazyList(head: { start }, tail: { numbers(from: start + 1) })
  /// }
  /// ```
  ///
  /// `tail` is called when somebody asks whether there is a second element. Such a recursion needs no stack
  /// for the elements that are passed over: each call returns before the next one is made.
  ///
  /// ReactiveObjC: `+sequenceWithHeadBlock:tailBlock:`.
  @inlinable
  public init(
    head: @escaping @Sendable () -> Element, tail: @escaping @Sendable () -> LazyList
  ) {
    self.init(known: .node(.computed(head), rest: .deferred(tail)))
  }

  /// A list that `make` returns when somebody asks whether there is an element. Called once.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public static func deferred(_ make: @escaping @Sendable () -> LazyList) -> LazyList {
    LazyList(place: { .same(as: make()) })
  }

  /// A list of one element.
  ///
  /// ReactiveObjC: `+return:`.
  @inlinable
  public static func just(_ element: Element) -> LazyList { LazyList().startWith(element) }

  /// A list whose elements are made from a state, one after the other, as a loop does.
  ///
  /// ```swift
  /// LazyList.generate(1, while: { $0 < 100 }, next: { $0 * 2 }, result: { $0 })
  /// ```
  ///
  /// Finding out whether there is an element calls `condition`, which may always be true; for all but the
  /// first element, `next` is called before that. The element itself is made by `result` when it is asked
  /// for. ReactiveObjC has none.
  ///
  /// - Parameters:
  ///   - initial: the first state.
  ///   - condition: whether there is an element for a state.
  ///   - next: the state that follows another.
  ///   - result: the element for a state.
  @inlinable
  public static func generate<State: Sendable>(
    _ initial: State,
    while condition: @escaping @Sendable (State) -> Bool,
    next: @escaping @Sendable (State) -> State,
    result: @escaping @Sendable (State) -> Element
  ) -> LazyList {
    advancing((state: initial, isFirst: true)) { run in
      if !run.isFirst { run.state = next(run.state) }
      run.isFirst = false
      guard condition(run.state) else { return .end }
      return .element(.computed { [state = run.state] in result(state) })
    }
  }
}

extension LazyList: ExpressibleByArrayLiteral {
  /// The elements of the literal.
  @inlinable public init(arrayLiteral elements: Element...) { self.init(elements) }
}
