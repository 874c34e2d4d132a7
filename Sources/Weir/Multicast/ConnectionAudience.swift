// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Connection audience
//
// Guarantees: the connection is disposed when the last of the counted subscribers has left, once, and from then on nobody is counted any
// more. Nobody stays subscribed to a connection that is over without a terminal event.
//
// State: one word, the number of subscribers, or `closed`, which is final.
//
// Invariants:
//  1. Who is counted leaves once: the subscription's list disposes what it holds once.
//  2. Whoever brings the count from one to zero writes `closed` in the same compare-exchange, and then disposes `members`, which ends the
//     connection first. So a subscriber that comes meanwhile is either counted, and the connection stays, or is not, and is disposed: by
//     the one that closed, or as it is adopted.
//
// Orderings: one word decides; everything else happens after it, outside.

/// The subscribers that keep a connection, and their number.
final class ConnectionAudience: @unchecked Sendable {
  // Unchecked: the word is atomic.
  private var countWord: UInt64 = 0
  /// The connection, and who subscribed. Disposed when the connection is over without a terminal event; does not end when there was one.
  let members = Subscription()

  private static var closed: UInt64 { .max }

  init(of connection: Subscription) { members.add(connection) }

  private var word: AtomicWord { AtomicWord(property: 0, of: self) }

  /// Counts one more. False if it came too late.
  func join() -> Bool {
    while true {
      let now = word.load()
      if now == Self.closed { return false }
      if word.compareExchange(now, now + 1) { return true }
    }
  }

  /// One that was counted is there no more.
  func leave() {
    while true {
      let now = word.load()
      guard word.compareExchange(now, now == 1 ? Self.closed : now - 1) else { continue }
      if now == 1 { members.dispose() }
      return
    }
  }
}

/// The run of the source of a connection. Owned by the closures that the source has.
final class ConnectionRun: Sendable {
  /// Ended when the subject has a terminal event to deliver, from this source or from anybody else: then that ends the members.
  let ending = Subscription()
  private let members: Subscription

  init(for audience: ConnectionAudience) { members = audience.members }

  /// The source has let go: because the connection was disposed, or of its own accord.
  deinit {
    if !ending.isDisposed { members.dispose() }
    ending.dispose()
  }
}
