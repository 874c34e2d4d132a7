// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Newcomers
//
// Guarantees: who must be listed by the holder of a hot source's turn, and finds an event under way, is let
// in when that is over: once, and in the order in which they came. Who is disposed before that is released
// then, or when the newcomer that is just being let in is through, and leaves nothing behind, nor does who
// was let in: so what waits is bounded by how many are there at a time, however long a callback hangs, and
// however many come and go meanwhile. Nobody waits for another thread.
//
// They wait in a room: a second list of subscribers, which the holder of the source's turn walks, and which
// is left as the first one is. A source makes it for the first who has to wait, and keeps it. One errand of
// the holder lets in all who are there; so does what is to be done after the events, before that.
//
// `round` is [errands that have begun: 63 | marked: 1].
//
// Invariants:
//  1. A newcomer is listed in the room, then looks at `round`. If that is not marked, it posts an errand and
//     then marks the round, if it is still the one that it saw.
//  2. So a mark stands for an errand that was posted and has not begun. It comes after the errand and not
//     before: who stalls in between keeps nobody out, as others find no mark, and post one too. While no
//     errand begins, that is one for each thread at most.
//  3. An errand begins a new round, which is not marked, and then lets in who is there. A newcomer that
//     looked before that was listed before it looked, and is found; one that looks afterwards sees the new
//     round, and posts.
//  4. Who finds a mark then sees to what waits for the turn as if it had posted that: who has may stall.
//  5. A newcomer is let in by the errand that has ended the life of its entry, or leaves when the entry lets
//     go of it. It keeps the source until then, for it may pin what belongs to that. Who lets it in takes the
//     entry out of its run, and discards it; so does the run instead, if it is just ending.
//  6. An errand may have a limit, read before it was posted: it lets in those with a lower ordinal, and posts
//     one other, which it marks, if it finds more. Who has an ordinal below the limit took that before the
//     limit was read. So nobody is let in before what was posted before it came.
//
// By an errand without a limit, a newcomer is let in before what was sent before it came, if another one
// waits already. So that is for sources where it gets that either way: those that replay.
//
// Orderings: in 3 both are read-modify-writes of `round`. So one comes after the other, and sees what was
// done before that. In 6 taking an ordinal is a read-modify-write, and the limit is read from the same word.

/// A subscriber that waits for the turn of a hot source.
@usableFromInline
final class Newcomer {
  @usableFromInline enum Decision { case comesIn, leaves }

  private var decide: ((Decision) -> Void)?
  /// Where its entry stands in its run. Written before that is listed, and read by who lets it in.
  fileprivate var place: (run: Subscription, node: DisposalNode)?

  /// - Parameter decide: called once. It keeps the source.
  @usableFromInline
  init(_ decide: @escaping (Decision) -> Void) { self.decide = decide }

  deinit { decide?(.leaves) }

  fileprivate func comeIn() { decide.take()?(.comesIn) }

  /// Takes its entry out of its run. False if that is just ending, and discards the entry.
  fileprivate func leaveRun() -> Bool { place.map { $0.run.list.remove($0.node) } ?? false }
}

/// Where newcomers of a hot source wait for its turn.
@usableFromInline
final class WaitingRoom: @unchecked Sendable {
  // Unchecked: an atomic word, and a list that is shared by its own rules.
  private static var mark: UInt64 { 1 }

  @exclusivity(unchecked) private var roundWord: UInt64 = 0
  private let list = SubscriberList(destroyPayload: { WaitingRoom.newcomer(at: $0).deinitialize(count: 1) })

  fileprivate init() {}

  deinit {
    // Entries keep the list unless they are in their pool.
    if let last = list.cell.close() { list.cell.unpin(last) }
    list.letGo()
  }

  private var round: AtomicWord { AtomicWord(property: 0, of: self) }

  private static func newcomer(at payload: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Newcomer> {
    payload.assumingMemoryBound(to: Newcomer.self)
  }

  /// Has a newcomer wait until it is let in, or `run` ends.
  ///
  /// - Parameter post: posts an errand that lets newcomers in. Called if none is known to be on its way.
  @usableFromInline
  func seat(_ newcomer: consuming Newcomer, of run: Subscription, posting post: () -> Void) {
    guard let round = seat(newcomer, of: run) else { return }
    post()
    markRound(round)
  }

  /// Answers the round, if it is up to the caller to post an errand and mark that.
  private func seat(_ newcomer: Newcomer, of run: Subscription) -> UInt64? {
    let entry = list.makeEntry()
    Self.newcomer(at: entry.payload).initialize(to: newcomer)
    // First, so that nobody comes in whose run has ended.
    newcomer.place = run.list.add(.subscriber(entry)).map { (run, $0) }
    _ = list.cell.append(entry)
    // Reads, by a read-modify-write.
    let seen = round.formUnion(0)
    return seen & Self.mark == 0 ? seen : nil
  }

  private func markRound(_ seen: UInt64) { _ = round.compareExchange(seen, seen | Self.mark) }

  /// The limit of an errand that is about to be posted.
  var limit: UInt64 { list.cell.nextOrdinal }

  /// For the holder of the turn: lets in all who wait.
  @usableFromInline
  func letIn() { letIn(below: .max) {} }

  /// For the holder of the turn: lets in who came before an errand was posted.
  ///
  /// - Parameters:
  ///   - limit: that of the errand.
  ///   - post: posts another one. Called if somebody waits who came later.
  func letIn(below limit: UInt64, posting post: () -> Void) {
    // Only the mark may come in between, and it goes.
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

  /// For who has ended the life of the entry, and walks the list.
  private func comeIn(_ entry: SnapshotEntry) {
    let newcomer = Self.newcomer(at: entry.payload).pointee
    if newcomer.leaveRun() { SubscriberList.discard(entry) }
    newcomer.comeIn()
  }
}

extension WaitingRoom {
  /// The waiting room of a source, made for the first who asks.
  ///
  /// - Parameter word: of the source, zero at first. It changes once.
  static func room(at word: AtomicWord) -> WaitingRoom {
    if word.loadAcquire() == 0 {
      let made = Unmanaged.passRetained(WaitingRoom())
      if !word.compareExchange(0, UInt64(UInt(bitPattern: made.toOpaque()))) { made.release() }
    }
    let place = UnsafeRawPointer(bitPattern: UInt(word.loadAcquire())).unsafelyUnwrapped
    return Unmanaged.fromOpaque(place).takeUnretainedValue()
  }

  /// For the source's deinit, when nobody waits any more.
  static func releaseRoom(at word: AtomicWord) {
    if word.loadRelaxed() != 0 { Unmanaged.passUnretained(room(at: word)).release() }
  }
}

extension SubscriberList {
  @usableFromInline var room: WaitingRoom { .room(at: roomPlace) }

  /// For the holder of the turn: lets in all who wait. Who is not seen here has posted an errand that the
  /// holder has not taken yet, or is about to.
  @usableFromInline
  func letInAll() { if roomPlace.loadRelaxed() != 0 { room.letIn() } }

  func releaseRoom() { WaitingRoom.releaseRoom(at: roomPlace) }
}

extension Broadcast {
  /// Lets a subscriber in between two events: now, or after the event under way.
  ///
  /// - Parameters:
  ///   - newcomer: waits in that case, as long as `run` has not ended.
  ///   - comeIn: what is done now.
  @inlinable @inline(__always)
  func letIn(_ run: Subscription, orSeat newcomer: @autoclosure () -> Newcomer, _ comeIn: () -> Void) {
    perform(comeIn) { seat(newcomer(), of: run) }
  }

  @inlinable @inline(never)
  func seat(_ newcomer: consuming Newcomer, of run: Subscription) {
    let room = list.room
    room.seat(newcomer, of: run) { turn.post(Waiting(.errand { room.letIn() })) }
  }
}
