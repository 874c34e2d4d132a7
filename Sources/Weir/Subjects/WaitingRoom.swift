// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Newcomers
//
// Guarantees: a newcomer (a subscriber that only the holder of a hot source's turn may list) that finds an
// event under way is let in when that is over: once, and in the order of arrival. One that is disposed before
// that is released at once, or when the newcomer that is just being let in is done. Neither that one nor one
// that was let in leaves anything behind: so memory is bounded by how many wait at a time, however long a
// callback hangs, and however many come and go meanwhile. No thread waits for another.
//
// They wait in a room: a second list of subscribers, which the holder of the source's turn walks, and which
// newcomers leave as subscribers leave the first one. A source makes it for the first newcomer that has to
// wait, and keeps it. One errand of the holder lets in all newcomers in the room; so does an errand of
// `afterEvents`, before it does its own work.
//
// `round` is [errands that have started: 63 | marked: 1].
//
// Invariants:
//  1. A newcomer is listed in the room, then reads `round`. If that is not marked, it posts an errand and
//     then marks the round, if it is still the one that it read.
//  2. So a mark stands for an errand that was posted and has not started. It comes after the errand and not
//     before: a thread that stalls in between keeps no newcomer out, as others find no mark, and post an
//     errand too. While no errand starts, that is at most one for each thread.
//  3. An errand starts a new round, which is not marked, and then lets in the newcomers listed. A newcomer
//     that read `round` before that was listed before it did, and is found; one that reads it afterwards sees
//     the new round, and posts.
//  4. A newcomer that finds a mark then delivers what is pending in the turn as if it had posted the errand:
//     the thread that did may stall.
//  5. A newcomer is let in by the errand that has marked its entry dead, or leaves when the entry releases
//     it. It retains the source until then, for it may pin something of the source. The thread that lets it
//     in takes the entry out of its run, and discards it; if the run is just ending, the run discards it
//     instead.
//  6. An errand may have a limit, read before it was posted: it lets in newcomers with a lower ordinal, and
//     if it finds others, posts one more errand and marks the round. A newcomer with an ordinal below the
//     limit took it before the limit was read. So no newcomer is let in before events that were posted before
//     it came.
//
// An errand without a limit may let a newcomer in before events that were sent before it came, if another one
// was waiting already. So it is for sources where the newcomer gets these either way: those that replay.
//
// Orderings: in 3 both accesses are read-modify-writes of `round`. So one comes after the other, and sees
// what was done before that one. In 6 taking an ordinal is a read-modify-write, and the limit is read from
// the same word.

/// A subscriber that waits for the turn of a hot source.
@usableFromInline
final class Newcomer {
  @usableFromInline enum Decision { case comesIn, leaves }

  private var decide: ((Decision) -> Void)?
  /// The position of its entry in its run. Written before the entry is listed, and read by the thread that
  /// lets it in.
  fileprivate var place: (run: Subscription, node: DisposalNode)?

  /// - Parameter decide: called once. It retains the source.
  @usableFromInline
  init(_ decide: @escaping (Decision) -> Void) { self.decide = decide }

  deinit { decide?(.leaves) }

  fileprivate func comeIn() { decide.take()?(.comesIn) }

  /// Takes its entry out of its run. False if the run is just ending, and discards the entry itself.
  fileprivate func leaveRun() -> Bool { place.map { $0.run.list.remove($0.node) } ?? false }
}

/// Where newcomers of a hot source wait for its turn.
@usableFromInline
final class WaitingRoom: @unchecked Sendable {
  // Unchecked: two atomic words, and a list that is shared by its own rules.
  private static var mark: UInt64 { 1 }

  @exclusivity(unchecked) private var roundWord: UInt64 = 0
  @exclusivity(unchecked) private var comersWord: UInt64 = 0
  private let list = SubscriberList(destroyPayload: {
    WaitingRoom.newcomer(in: SnapshotEntry(at: $0)).deinitialize(count: 1)
  })

  fileprivate init() {}

  deinit {
    // Afterwards only entries that are in use retain the list.
    if let last = list.cell.close() { list.cell.unpin(last) }
    list.letGo()
  }

  private var round: AtomicWord { AtomicWord(property: 0, of: self) }
  /// How many newcomers have come.
  private var comers: AtomicWord { AtomicWord(property: 1, of: self) }

  private static func newcomer(in entry: SnapshotEntry) -> UnsafeMutablePointer<Newcomer> {
    entry.payload.assumingMemoryBound(to: Newcomer.self)
  }

  /// Makes a newcomer wait until it is let in, or `run` ends.
  ///
  /// - Parameter post: posts an errand that lets newcomers in. Called if none is known to be pending.
  @usableFromInline
  func seat(_ newcomer: consuming Newcomer, of run: Subscription, posting post: () -> Void) {
    guard let round = seat(newcomer, of: run) else { return }
    post()
    markRound(round)
  }

  /// Returns the round, if the caller has to post an errand and mark it.
  private func seat(_ newcomer: Newcomer, of run: Subscription) -> UInt64? {
    let entry = list.makeEntry(ordinal: comers.add(1))
    Self.newcomer(in: entry).initialize(to: newcomer)
    // First, so that no newcomer comes in whose run has ended.
    newcomer.place = run.list.add(.subscriber(entry)).map { (run, $0) }
    let isListed = list.cell.append(entry)
    assert(isListed, "weir: a waiting room was closed while a newcomer of its source came")
    // A load, by a read-modify-write.
    let seen = round.formUnion(0)
    return seen & Self.mark == 0 ? seen : nil
  }

  private func markRound(_ seen: UInt64) { _ = round.compareExchange(seen, seen | Self.mark) }

  /// The limit of an errand that is about to be posted.
  @usableFromInline var limit: UInt64 { comers.load() }

  /// For the holder of the turn: lets in all newcomers that wait.
  @usableFromInline
  func letIn() { letIn(below: .max) {} }

  /// For the holder of the turn: lets in newcomers that came before an errand was posted.
  ///
  /// - Parameters:
  ///   - limit: that of the errand.
  ///   - post: posts another errand. Called if a newcomer waits that came later.
  @usableFromInline
  func letIn(below limit: UInt64, posting post: () -> Void) {
    // Only the mark may be set in between, and the exchange clears it.
    let begun = (round.loadRelaxed() | Self.mark) &+ 1
    _ = round.exchange(begun)
    var areLeft = false
    let walker = SnapshotWalker(list.cell.hot)
    walker.walk(walker.beginAlone(.ofWalker)) { entry in
      if entry.ordinal.pointee >= limit { areLeft = true } else if entry.die() { comeIn(entry) }
    }
    if areLeft {
      post()
      markRound(begun)
    }
    walker.endAlone(.ofWalker)
    if walker.hasRetired { list.cell.scavenge() }
  }

  /// For the thread that has marked the entry dead, and walks the list.
  private func comeIn(_ entry: SnapshotEntry) {
    let newcomer = Self.newcomer(in: entry).pointee
    if newcomer.leaveRun() { SubscriberList.discard(entry) }
    newcomer.comeIn()
  }
}

extension WaitingRoom {
  /// The waiting room of a source, made on first use.
  ///
  /// - Parameter word: a word of the source, initially zero. It changes once.
  @usableFromInline
  static func room(at word: AtomicWord) -> WaitingRoom {
    if word.loadAcquire() == 0 {
      let made = Unmanaged.passRetained(WaitingRoom())
      if !word.compareExchange(0, UInt64(UInt(bitPattern: made.toOpaque()))) { made.release() }
    }
    let place = UnsafeRawPointer(bitPattern: UInt(word.loadAcquire())).unsafelyUnwrapped
    return Unmanaged.fromOpaque(place).takeUnretainedValue()
  }

  /// For the source's deinit, when no newcomer waits any more.
  static func releaseRoom(at word: AtomicWord) {
    if word.loadRelaxed() != 0 { Unmanaged.passUnretained(room(at: word)).release() }
  }
}

extension SubscriberList {
  @usableFromInline var room: WaitingRoom { .room(at: roomPlace) }

  /// For the holder of the turn: lets in all newcomers that wait. One that is not seen here has posted an
  /// errand that the holder has not taken yet, or is about to.
  @usableFromInline
  func letInAll() { if roomPlace.loadRelaxed() != 0 { room.letIn() } }
}

extension Broadcast {
  /// Lets a subscriber in between two events: now, or after the event under way.
  ///
  /// - Parameters:
  ///   - newcomer: waits in the second case, as long as `run` has not ended.
  ///   - comeIn: called in the first case.
  @inlinable @inline(__always)
  func letIn(_ run: Subscription, orSeat newcomer: @autoclosure () -> Newcomer, _ comeIn: () -> Void) {
    perform(comeIn) { seat(newcomer(), of: run) }
  }

  @inlinable @inline(never)
  func seat(_ newcomer: consuming Newcomer, of run: Subscription) {
    let room = list.room
    room.seat(newcomer, of: run) { turn.post(.errand { room.letIn() }) }
  }
}
