// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The part that a subscriber has in something shared, which ends with the last of them; or its source.
///
/// In a ``DisposalList`` it has a kind of its own. A ``Disposable`` would end what is shared by itself: too
/// late, as everything is to be stopped before the first clean-up runs, and recursively, although shared
/// signals may be nested to any depth.
@usableFromInline
protocol Membership: AnyObject, Sendable {
  /// Makes it leave. Called once, and may not call users' code.
  func leave() -> Departure
}

/// What is to be done when one has left.
@usableFromInline
enum Departure: Sendable {
  /// Others are left, or somebody else sees to the end.
  case nothing
  /// It was the last one: `source` ends with it, and then `members`, those who come too late for an event.
  case last(source: Subscription, members: Subscription)
  /// It was the last one, and something else is to be done, which may call users' code.
  case action(Action)
  /// It was the source: this ends the others, behind all clean-ups of the list that it was in. By the
  /// ``ReleaseQueue``: among the others may be the source of something else that is shared, and so on.
  case finally(Action)

  /// Does it.
  func complete() {
    switch self {
    case .nothing: break
    case .last(let source, let members):
      source.end()
      members.end()
    case .action(let action): action()
    case .finally(let action): ReleaseQueue().end(action)
    }
  }

  @usableFromInline typealias Action = @Sendable () -> Void
}
