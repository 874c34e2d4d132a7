// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Registration
//
// Guarantees: the subscriber that a run has with its hot source is discarded when the run ends, exactly once,
// whichever threads subscribe and dispose; and it is dead when `stop`, `end` or `help` returns, on any
// thread: so a thread that finds the run ended need not wait for the one that ended it. It is a word of the
// run itself: a run usually has one such subscriber, and needs no node for it. Any other is in the run's
// list, and checks with each value whether the run has ended: see StoredRoute.gate.
//
// The word is 0, `helped`, `over`, or [users: 16 | entry: 48]. It goes from 0 to `over`, by `helped` if a
// thread that helps is first, or to an entry with one user, the run; after that only the number of users
// changes. The entry knows its list, and retains it until the entry is discarded.
//
// Invariants:
//  1. The thread that ends the run kills the entry, and later stops using it; a thread that finds the run
//     ended while the entry has users does that too, as another user. So the entry is not given back while a
//     thread is killing it.
//  2. The last user discards the entry. The run, and each that helps, has killed it before. No user comes
//     after that: one is added only while there are others.
//  3. The thread that subscribes is no user: by the reference for listing it keeps the entry, but not what it
//     has put there, and so uses neither that nor the run any more. If it cannot list the entry, it claims
//     that: see SnapshotEntry.keepPayload().
//  4. Threads that help at the same time are one user each: there is room for 65,535 users.
//  5. A run with a user is not deallocated: what the source stores of its subscriber retains the run, and is
//     destroyed only after the last user has discarded the entry.
//
// Orderings: the compare-exchange in `begin` releases the entry, and its users acquire it. Starting and
// ending to use it are read-modify-writes of one word, so the last user comes after everything that the
// others did. Ending to use it is also the fence of `SnapshotEntry.kill()`.

/// The place of a run in the list of a hot source.
@frozen @usableFromInline
struct Registration {
  private static var over: UInt64 { 1 }
  /// Over for a thread that would subscribe; the thread that has ended the run has not said so yet.
  private static var helped: UInt64 { 2 }
  private static var user: UInt64 { 1 << 48 }

  @usableFromInline let place: AtomicWord

  /// - Parameter place: a word of the run, zero at first.
  init(_ place: AtomicWord) { self.place = place }

  /// Returns false if there is an entry already, or the run is over.
  func begin(_ entry: SnapshotEntry) -> Bool { place.compareExchange(0, entry.bits | Self.user) }

  /// Called by the thread that has ended the run: the subscriber is dead when this returns. The thread then
  /// calls ``leave()``.
  func stop() {
    let seen = closed()
    if seen >= Self.user { _ = entry(in: seen).die() }
  }

  /// Both at once, where nothing has to happen in between.
  func end() {
    let seen = closed()
    if seen >= Self.user { leave(entry(in: seen)) }
  }

  /// For the thread that has called ``stop()``: stops using the entry, and so may discard it, which runs user
  /// code.
  func leave() {
    let seen = place.loadAcquire()
    if seen >= Self.user { withdraw(entry(in: seen)) }
  }

  /// For other threads that find the run ended: the subscriber is dead when this returns, however far the one
  /// that ended it has got.
  func help() {
    var seen = closed(as: Self.helped)
    while seen >= Self.user {
      if place.compareExchange(seen, seen + Self.user) { return leave(entry(in: seen)) }
      seen = place.loadAcquire()
    }
  }

  /// Whether the run has ended, and the thread that ended it has killed the subscriber, if there was one.
  /// False while other threads help with that.
  var isOver: Bool {
    let seen = place.loadAcquire()
    return seen != 0 && seen != Self.helped && seen < Self.user
  }

  /// Whether the run has an entry that is not discarded yet. For the deinit of the run.
  var isInUse: Bool { place.loadRelaxed() >= Self.user }

  /// Returns the word, in which nobody puts an entry any more.
  ///
  /// - Parameter state: what the word becomes if no entry is in it.
  private func closed(as state: UInt64 = Self.over) -> UInt64 {
    var seen = place.loadAcquire()
    while seen == 0 || seen == Self.helped, seen != state {
      if place.compareExchange(seen, state) { return state }
      seen = place.loadAcquire()
    }
    return seen
  }

  private func leave(_ entry: SnapshotEntry) {
    entry.kill()
    withdraw(entry)
  }

  private func withdraw(_ entry: SnapshotEntry) {
    if place.subtract(Self.user) < 2 * Self.user { SubscriberList.discard(entry) }
  }

  private func entry(in seen: UInt64) -> SnapshotEntry { SnapshotEntry(bits: seen & (Self.user - 1)) }
}
