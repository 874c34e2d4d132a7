// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A hub that queues in a turn what is sent to it, and can do something behind that.
///
/// Not part of ``ObserverProtocol``: a hub of the user need not have a turn.
@usableFromInline
protocol OrderedHub: AnyObject, Sendable {
  /// Calls `errand` after all events that were sent before, some of which may be in delivery, and after
  /// subscribers that came meanwhile have caught up with them.
  func afterEvents(_ errand: @escaping @Sendable () -> Void)
}

/// How a hub does something after its events.
@usableFromInline
typealias AfterEvents = @Sendable (_ errand: @escaping @Sendable () -> Void) -> Void

extension Subject: OrderedHub {
  @inlinable
  func afterEvents(_ errand: @escaping @Sendable () -> Void) {
    withExtendedLifetime(self) { core.afterEvents(errand) }
  }
}

extension ReplaySubject: OrderedHub {
  @inlinable
  func afterEvents(_ errand: @escaping @Sendable () -> Void) {
    withExtendedLifetime(self) { core.afterEvents(errand) }
  }
}

extension CurrentValue: OrderedHub {
  @inlinable
  func afterEvents(_ errand: @escaping @Sendable () -> Void) {
    withExtendedLifetime(self) { core.afterEvents(errand) }
  }
}
