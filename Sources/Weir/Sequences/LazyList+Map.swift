// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// `transform(element)` for each element, called when the result is asked for.
  ///
  /// Passing over an element calls nothing: `list.map(transform).skip(first: 9).head` transforms one. Until
  /// an element is transformed, the list retains the original.
  ///
  /// ReactiveObjC: `-map:`.
  @inlinable
  public func map<Output>(_ transform: @escaping @Sendable (Element) -> Output) -> LazyList<Output> {
    .advancing(self) { list in
      guard let head = list.popHead() else { return .end }
      return .element(.computed { transform(head.value) })
    }
  }
}
