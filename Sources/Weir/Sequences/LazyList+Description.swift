// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension LazyList: CustomStringConvertible {
  /// The part of the list that is evaluated: `[1, _, 3, …]` where the second element is not, nor what follows
  /// the third. Evaluates nothing.
  public var description: String {
    var (items, list) = ([String](), self)
    while true {
      switch list.memo.remembered {
      case .end: return "[" + items.joined(separator: ", ") + "]"
      case .node(let head, let rest):
        items.append(head.remembered.map { String(reflecting: $0) } ?? "_")
        list = rest
      case .same(let other): list = other
      case .after(_, then: _, let unfolded): list = unfolded
      case nil: return "[" + (items + ["…"]).joined(separator: ", ") + "]"
      }
    }
  }
}
