// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Connection audience
//
// Guarantees: the connection is disposed when the last of its counted subscribers has left, and from then on
// for good. Nobody stays subscribed to a connection that is over without a terminal event.
//
// State: one word, the number of subscribers.
//
// Invariants:
//  1. Who joins leaves once: the list of a subscription disposes what it holds once.
//  2. Whoever brings the count to zero disposes `members`, which ends the connection first, and then all who
//     subscribed. So a subscriber that comes at this moment, although it is counted, is disposed with them,
//     or as it is adopted: nothing brings a connection back.
//  3. The connection disposes `members`, unless a terminal event ends it, which `ending` tells: that is
//     disposed before the connection is. If somebody disposes the connection in between, they leave the
//     members to who has the event, and that one finds the connection disposed. Disposed before there is a
//     run, the connection does not know the members: then who was about to make the run disposes them.
//  4. The source has a subscription of its own, which ends with the connection. If it ends before that, and
//     there was no terminal event, the source has let go: that disposes `members` as well, but behind what
//     still waits in the subject. The connection lasts until then, so who disposes it by hand meanwhile ends
//     all at once, as always.
//
// Orderings: the count is read-modify-writes only; everything else happens after them.

/// The subscribers that keep a connection, and their number.
final class ConnectionAudience: @unchecked Sendable {
  // Unchecked: the word is atomic.
  private var countWord: UInt64 = 0
  /// The connection, and who subscribed. Disposed when the connection is over without a terminal event; does
  /// not end when there was one.
  let members = Subscription()

  init(of connection: Subscription) { members.add(connection) }

  private var count: AtomicWord { AtomicWord(property: 0, of: self) }

  func join() { count.add(1) }

  func leave() { if count.subtract(1) == 1 { members.dispose() } }
}

/// The run of the source of a connection. Owned by the closures that the source has.
final class ConnectionRun: Sendable {
  /// Ended when the subject has a terminal event to deliver, from this source or from anybody else: then that
  /// ends the members.
  let ending = Subscription()
  /// What the source is subscribed with.
  let source = Subscription()
  private let connection: Subscription
  private let members: Subscription

  init(
    for audience: ConnectionAudience, in connection: Subscription, afterEvents: @escaping AfterEvents
  ) {
    self.connection = connection
    members = audience.members
    source.add(
      ActionDisposable { [ending, members, connection] in
        // Ended with the connection: that sees to the members.
        if ending.isDisposed || connection.isDisposed { return }
        afterEvents {
          members.dispose()
          ending.dispose()
        }
      })
    // The source first: what is cleaned up with a member may send to it.
    connection.add(source)
    // Not left to the deinit: the source may be in the middle of a value, and keep its closures until that
    // has been delivered.
    connection.add(
      ActionDisposable { [ending, members] in
        if ending.isDisposed { return }
        members.dispose()
        ending.dispose()
      })
  }

  /// Ends the connection for a terminal event of the source. False if somebody else has ended it.
  func end() -> Bool {
    if source.isDisposed || connection.isDisposed { return false }
    // First: what is disposed with the connection asks for it.
    ending.dispose()
    if connection.end() { return true }
    // Disposed meanwhile, perhaps by somebody who took this for an end with an event.
    members.dispose()
    return false
  }

  /// The source has let go, if it has not ended.
  deinit { source.dispose() }
}
