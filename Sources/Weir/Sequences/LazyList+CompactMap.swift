// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList {
  /// `transform(element)` for each element for which it is not nil: map and filter in one.
  ///
  /// Finding out whether there is a next element calls `transform`, in a loop, until a result is not nil.
  /// ReactiveObjC has no such operator.
  @inlinable
  public func compactMap<Output>(
    _ transform: @escaping @Sendable (Element) -> Output?
  ) -> LazyList<Output> {
    .advancing(self) { list in
      guard let head = list.popHead() else { return .end }
      return transform(head.value).map { .element(.known($0)) } ?? .nothing
    }
  }
}
