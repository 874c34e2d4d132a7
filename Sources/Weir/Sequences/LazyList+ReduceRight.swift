// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// Folds the list from the right: `combine` gets the first element, and a closure that returns the result
  /// of the rest.
  ///
  /// ```swift
  /// let isThereALargeOne = numbers.reduceRight(false) { number, rest in number > 100 || rest() }
  /// ```
  ///
  /// The rest is folded once, when that closure is first called; if it is not called, nothing of the rest is
  /// evaluated, and the list may be infinite. The closure may also be stored and called later, as the tail of
  /// a list for example. Each call from inside `combine` needs stack for the next one: to fold most of a long
  /// list, use `reduce`, the fold from the left.
  ///
  /// - Parameters:
  ///   - initial: the result of an empty list, and so of the end.
  ///   - combine: the result of an element and of what follows it.
  ///
  /// ReactiveObjC: `-foldRightWithStart:reduce:`.
  @inlinable
  public func reduceRight<Result: Sendable>(
    _ initial: Result,
    _ combine: @escaping @Sendable (_ element: Element, _ rest: @escaping @Sendable () -> Result) -> Result
  ) -> Result {
    guard let node else { return initial }
    let rest = Memo { [list = node.rest] in list.reduceRight(initial, combine) }
    return combine(node.head.value) { rest.value }
  }
}
