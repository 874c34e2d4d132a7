// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What can be taken out of a source.
@usableFromInline package protocol Removable: AnyObject {
  func dispose()
}

/// One run of a chain of either alternative, and what ends it: the least that the part of `Subscription` can
/// be played with. It may be used by one thread only, so it is cheaper than a subscription, to the advantage
/// of the alternatives.
@usableFromInline package final class Run: @unchecked Sendable {  // used by one thread
  @usableFromInline var source: (any Removable)?
  @usableFromInline var hasEnded = false

  @inlinable package init() {}

  package var isDisposed: Bool { hasEnded }

  /// Has `source` disposed when the run ends.
  @inlinable
  package func add(_ source: any Removable) { self.source = source }

  @inlinable
  package func dispose() {
    if hasEnded { return }
    hasEnded = true
    source?.dispose()
    source = nil
  }
}

/// State of an operator whose closures share it.
@usableFromInline
final class State<Value>: @unchecked Sendable {  // used by one thread
  @exclusivity(unchecked) @usableFromInline var value: Value
  @inlinable @inline(__always) init(_ value: Value) { self.value = value }
}
