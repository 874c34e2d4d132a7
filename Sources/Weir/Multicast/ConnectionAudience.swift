// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Connection audience
//
// Guarantees: the connection is disposed when the last of its counted subscribers has left, and from then on
// for good. Nobody stays subscribed to a connection that is over without a terminal event.
//
// State: the number of subscribers, and two flags of the source: it has let go, and it has a terminal event.
//
// Invariants:
//  1. Who joins leaves once: the list of a subscription disposes what it holds once.
//  2. Whoever brings the count to zero disposes `members`, which ends the connection first, and then all who
//     subscribed. So a subscriber that comes at this moment, although it is counted, is disposed with them,
//     or as it is adopted: nothing brings a connection back. If the connection has ended by then, what has
//     ended it sees to the members: a terminal event may still wait in the subject, for who comes, too.
//  3. The connection disposes `members`, unless a terminal event ends it. That of the subject disposes
//     `ending` before the connection; that of the source claims `hasEvent` before it ends that. If somebody
//     disposes the connection in between, they leave the members to who has the event. The source then finds
//     that it did not end the connection: it disposes the members, unless the subject has an event of its
//     own, which reaches them. Hence two marks: the source must not take its own for that of the subject.
//     Disposed before there is a run, the connection does not know the members: then who was about to make
//     the run disposes them.
//  4. The source has a subscription of its own, which ends with the connection. If it ends before that, and
//     there was no terminal event, the source has let go: that disposes `members` as well, but behind what
//     still waits in the subject. The connection lasts until then, so who disposes it by hand meanwhile ends
//     all members at once, as always. `hasLetGo` is claimed before that is put behind what waits. Who came
//     before, and finds it claimed when it has got its history, may have been too late for the members: it
//     may still wait for the rest, and is disposed behind that on its own.
//
// Orderings: the count is read-modify-writes only; everything else happens after them. Who does not find
// `hasLetGo` claimed is listed by the subject, or waits there to be let in, before what is put behind it.

/// The subscribers that keep a connection, and their number.
final class ConnectionAudience: @unchecked Sendable {
  // Unchecked: the words are atomic.
  private var countWord: UInt64 = 0
  private var letGoWord: UInt64 = 0
  private var eventWord: UInt64 = 0
  private let connection: Subscription
  /// The connection, and who subscribed. Disposed when the connection is over without a terminal event; does
  /// not end when there was one.
  let members = Subscription()

  init(of connection: Subscription) {
    self.connection = connection
    members.add(connection)
  }

  private var count: AtomicWord { AtomicWord(property: 0, of: self) }
  /// The source has let go without a terminal event.
  var hasLetGo: OnceFlag { OnceFlag(AtomicWord(property: 1, of: self)) }
  /// The source has a terminal event.
  var hasEvent: OnceFlag { OnceFlag(AtomicWord(property: 2, of: self)) }

  func join() { count.add(1) }

  func leave() { if count.subtract(1) == 1, !connection.isDisposed { members.dispose() } }
}

/// The run of the source of a connection. Owned by the closures that the source has.
final class ConnectionRun: Sendable {
  /// Ended when the subject was sent a terminal event, by this source or by anybody else: then that ends the
  /// members.
  let ending = Subscription()
  /// What the source is subscribed with.
  let source = Subscription()
  private let connection: Subscription
  private let audience: ConnectionAudience

  init(
    for audience: ConnectionAudience, in connection: Subscription, afterEvents: @escaping AfterEvents
  ) {
    self.connection = connection
    self.audience = audience
    source.add(
      ActionDisposable { [ending, audience, connection] in
        // With an event, or by hand: that sees to the members.
        if connection.isDisposed { return }
        _ = audience.hasLetGo.claim()
        afterEvents { Self.end(audience, without: ending) }
      })
    // The source first: what is cleaned up with a member may send to it.
    connection.add(source)
    // Not left to the deinit: the source may be in the middle of a value, and keep its closures until that
    // has been delivered.
    connection.add(
      ActionDisposable { [ending, audience] in
        if ending.isDisposed || audience.hasEvent.isClaimed { return }
        Self.end(audience, without: ending)
      })
  }

  /// Ends the members, and then what the subject keeps to tell of an event: there will be none.
  private static func end(_ audience: ConnectionAudience, without ending: Subscription) {
    audience.members.dispose()
    ending.dispose()
  }

  /// Ends the connection for a terminal event of the source. False if somebody else has ended it.
  func end() -> Bool {
    if source.isDisposed || connection.isDisposed { return false }
    // First: what is disposed with the connection asks for it.
    _ = audience.hasEvent.claim()
    if connection.end() { return true }
    // Disposed meanwhile, perhaps by somebody who took this for an end with an event. If that was for one of
    // the subject, that ends the members.
    if !ending.isDisposed { Self.end(audience, without: ending) }
    return false
  }

  /// The source has let go, if it has not ended.
  deinit { source.endWithOwner() }
}
