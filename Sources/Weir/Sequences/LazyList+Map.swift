// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// `transform(element)` for each element, called when that one is asked for.
  ///
  /// To pass an element over calls nothing: `list.map(transform).skip(first: 9).head` transforms one. Keeps
  /// of an element that is not transformed yet that element.
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
