// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// The results of combining each element with the result before it; `initial` itself is not an element.
  ///
  /// A result is computed when somebody asks whether there is one, not later: otherwise each result would
  /// wait for the one before it, a recursion as deep as the list is long. To get the position of each
  /// element, too, ``zip(with:)`` a list of numbers first.
  ///
  /// ReactiveObjC: `-scanWithStart:reduce:`, and with ``zip(with:)`` `-scanWithStart:reduceWithIndex:`.
  @inlinable
  public func scan<Result: Sendable>(
    _ initial: Result, _ combine: @escaping @Sendable (Result, Element) -> Result
  ) -> LazyList<Result> {
    .advancing((list: self, result: initial)) { run in
      guard let head = run.list.popHead() else { return .end }
      run.result = combine(run.result, head.value)
      return .element(.known(run.result))
    }
  }
}
