// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A hub that queues in a turn what is sent to it, and can do something behind that.
///
/// Not part of ``ObserverProtocol``: a hub of the user need not have a turn.
@usableFromInline
protocol OrderedHub: AnyObject, Sendable {
  associatedtype Memory: BroadcastMemory
  /// Not `Failure`: the compiler would infer a second type of that name for the public classes, an internal
  /// one, and name it in the types of users' properties.
  associatedtype HubFailure: Error
  var core: Broadcast<Memory, HubFailure> { get }
}

extension OrderedHub {
  /// Calls `errand` after all events that were sent before, some of which may be in delivery, and after
  /// subscribers that came meanwhile have caught up with them.
  @inlinable
  func afterEvents(_ errand: @escaping @Sendable () -> Void) {
    withExtendedLifetime(self) { core.afterEvents(errand) }
  }
}

extension Subject: OrderedHub {}
extension ReplaySubject: OrderedHub {}
extension CurrentValue: OrderedHub {}

/// How a hub does something after its events.
@usableFromInline
typealias AfterEvents = @Sendable (_ errand: @escaping @Sendable () -> Void) -> Void
