// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Connection audience
//
// Guarantees: the connection is disposed, for good, when the last of its counted subscribers has left. No
// subscriber stays subscribed to a connection that is over without a terminal event.
//
// State: the number of subscribers, and two flags of the source: it has let go without a terminal event, and
// it has one.
//
// Invariants:
//  1. A subscriber that joins leaves once: the list of a subscription disposes what it holds once.
//  2. Whoever brings the count to zero ends the connection, and then `members`, which ends all
//     subscribers. So a subscriber that comes at this moment, although it is counted, is disposed with them,
//     or when it is adopted: nothing brings a connection back. If the connection has ended by then, what has
//     ended it takes care of the members: a terminal event may still be queued in the subject, for new
//     subscribers, too.
//  3. The connection disposes `members`, unless a terminal event ends it. A terminal event of the subject
//     disposes `ending` before the connection; one of the source claims `hasEvent` before it ends the
//     connection. If somebody disposes the connection in between, the members are left to the event. The
//     source then finds that it did not end the connection: it disposes the members, unless the subject has
//     an event of its own, which reaches them. Hence two marks: the source must not mistake its own for that
//     of the subject. If the connection is disposed before there is a run, it does not know the members: then
//     the thread that was about to make the run disposes them.
//  4. The source has a subscription of its own, which ends with the connection. If it ends before that, and
//     there was no terminal event, the source has let go: that ends `members` as well, but behind the
//     source's clean-ups, and the events that are still queued in the subject. The connection lasts until
//     then, so disposing it by hand meanwhile ends all members at once, as always. `hasLetGo` is claimed
//     before that disposal is queued. A subscriber that finds it claimed when it has got its history may be
//     too late for the members: it may still be waiting for the remaining events, and is disposed behind
//     those on its own.
//
// Orderings: the count is read-modify-writes only; everything else happens after them. A subscriber that does
// not find `hasLetGo` claimed is listed by the subject, or waits there to be admitted, before the disposal is
// queued behind it.

/// The subscribers that keep a connection alive, and their number.
final class ConnectionAudience: RunMembers, Membership, @unchecked Sendable {
  // Unchecked: the words are atomic.
  private var countWord: UInt64 = 0
  private let connection: Subscription

  init(of connection: Subscription) {
    self.connection = connection
    super.init()
    // Not adopted: a connection has one link, by which the subject holds it, and stops it when it ends.
    members.list.add(.disposable(connection))
  }

  private var count: AtomicWord { AtomicWord(property: 3, of: self) }

  func join() { count.add(1) }

  func leave() -> Departure {
    if count.subtract(1) > 1 || connection.isDisposed { return .nothing }
    return .last(source: connection, members: members)
  }
}

/// The run of the source of a connection. Owned by the closures that the source got.
final class ConnectionRun: Sendable {
  /// Ended when the subject was sent a terminal event, by this source or by anybody else: then that event
  /// ends the members.
  let ending = Subscription()
  /// The subscription to the source.
  let source = Subscription()
  private let connection: Subscription
  private let audience: ConnectionAudience

  init(
    for audience: ConnectionAudience, in connection: Subscription, afterEvents: @escaping AfterEvents
  ) {
    self.connection = connection
    self.audience = audience
    source.list.add(
      ConnectionSource(of: connection, audience) { [ending] in
        afterEvents { Self.end(audience, without: ending) }
      })
    // The source first: a clean-up of a member may send to it.
    connection.add(source)
    // Not left to the deinit: the source may be in the middle of a value, and retain its closures until that
    // has been delivered.
    connection.add(
      ActionDisposable { [ending, audience] in
        if ending.isDisposed || audience.hasEvent.isClaimed { return }
        Self.end(audience, without: ending)
      })
  }

  /// Ends the members, and then `ending`, which the subject holds for a terminal event: there will be none.
  private static func end(_ audience: ConnectionAudience, without ending: Subscription) {
    audience.members.end()
    ending.dispose()
  }

  /// Ends the connection for a terminal event of the source. False if somebody else has ended it.
  func end() -> Bool {
    if source.isDisposed || connection.isDisposed { return false }
    // First: what is disposed with the connection checks it.
    _ = audience.hasEvent.claim()
    if connection.end() { return true }
    // Disposed meanwhile, perhaps by somebody who left the members to this event. If a terminal event of the
    // subject disposed it, that one ends the members.
    if !ending.isDisposed { Self.end(audience, without: ending) }
    return false
  }

  /// If the source has not ended, it has let go without a terminal event.
  deinit { source.endWithOwner() }
}

/// The place of the source in a connection. It leaves when its subscription ends; without a terminal event,
/// and unless somebody has disposed the connection, it has let go.
private final class ConnectionSource: Membership {
  private let connection: Subscription
  private let audience: ConnectionAudience
  private let endMembers: @Sendable () -> Void

  init(
    of connection: Subscription, _ audience: ConnectionAudience, endMembers: @escaping @Sendable () -> Void
  ) {
    self.connection = connection
    self.audience = audience
    self.endMembers = endMembers
  }

  func leave() -> Departure {
    // Ended by an event, or by hand: that takes care of the members.
    if connection.isDisposed { return .nothing }
    _ = audience.hasLetGo.claim()
    return .finally(endMembers)
  }
}
