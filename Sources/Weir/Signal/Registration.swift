// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Registration
//
// Guarantees: the subscriber that a run has with its hot source is discarded when the run ends, exactly once,
// whichever threads subscribe and dispose; and it is dead when `end` or `help` returns, on whatever thread:
// so who finds the run ended need not wait for whoever ended it. It is a word of the run itself: a run has
// one such subscriber, as a rule, and needs no node for it. Any other stands in the list of the run, and asks
// with each value whether that has ended: see Receiver.gate.
//
// The word is 0, `over`, or [users: 16 | entry: 48]. It goes from 0 to `over`, or to an entry with one user,
// the run; then it only counts users. The entry knows its list, and keeps it alive until it is discarded or
// abandoned.
//
// Invariants:
//  1. Who ends the run kills the entry and stops using it; whoever finds the run ended, while the entry has
//     users, does that too, as a user of its own. So the entry is not given back while somebody kills it.
//  2. The last user discards the entry: each of them has killed it before. There are no users after that, for
//     the run was one.
//  3. Threads that help at the same time are users, one each: there is room for 65,535.
//
// Orderings: the compare-exchange that begins releases the entry, and who uses it acquires it. Using and no
// longer using are read-modify-writes of one word, so the last user comes after all that the others did.

/// The place of a run in the list of a hot source.
struct Registration {
  private static var over: UInt64 { 1 }
  private static var user: UInt64 { 1 << 48 }

  private let place: AtomicWord

  /// - Parameter place: a word of the run, zero at first.
  init(_ place: AtomicWord) { self.place = place }

  /// False if there is one already, or it is over.
  func begin(_ entry: SnapshotEntry) -> Bool { place.compareExchange(0, entry.bits | Self.user) }

  /// Called once, by whoever has ended the run.
  func end() {
    let seen = closed()
    if seen >= Self.user { leave(entry(in: seen)) }
  }

  /// For others who find the run ended: the subscriber is dead when this returns, however far the one has
  /// come who ended it.
  func help() {
    var seen = closed()
    while seen >= Self.user {
      if place.compareExchange(seen, seen + Self.user) { return leave(entry(in: seen)) }
      seen = place.loadAcquire()
    }
  }

  /// Whether the run has ended, and whoever has ended it has killed the subscriber, if there was one. False
  /// while others help with that.
  var isOver: Bool {
    let seen = place.loadAcquire()
    return seen != 0 && seen < Self.user
  }

  /// For the deinit of the run: gives the entry back without discarding it.
  func abandon() {
    let seen = place.loadAcquire()
    if seen >= Self.user { SubscriberList.abandon(entry(in: seen)) }
  }

  /// The word, which is not 0 any more.
  private func closed() -> UInt64 {
    let seen = place.loadAcquire()
    if seen != 0 { return seen }
    return place.compareExchange(0, Self.over) ? Self.over : place.loadAcquire()
  }

  private func leave(_ entry: SnapshotEntry) {
    _ = entry.die()
    if place.subtract(Self.user) < 2 * Self.user { SubscriberList.discard(entry) }
  }

  private func entry(in seen: UInt64) -> SnapshotEntry { SnapshotEntry(bits: seen & (Self.user - 1)) }
}
