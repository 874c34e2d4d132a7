// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// Each element together with the one before it; `initial` stands before the first.
  ///
  /// Asking for a pair evaluates both elements; the pair retains both.
  ///
  /// ReactiveObjC: `-combinePreviousWithStart:reduce:`, with ``map(_:)``.
  @inlinable
  public func combinePrevious(_ initial: Element) -> LazyList<(previous: Element, current: Element)> {
    .advancing((list: self, previous: LazyHead.known(initial))) { run in
      guard let current = run.list.popHead() else { return .end }
      defer { run.previous = current }
      return .element(.computed { [previous = run.previous] in (previous.value, current.value) })
    }
  }
}
