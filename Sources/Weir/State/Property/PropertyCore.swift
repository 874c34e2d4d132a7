// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Property core
//
// Guarantees: a value that every reader sees as soon as the setter has returned, and observers that get it
// when they subscribe, and then its changes: each in the order of versions, none twice, none after a newer
// one, the last one always. A change that meets a delivery under way is delivered after it, together with all
// later ones, as the newest value then.
//
// The value is in a ValueCell, which any thread may change; only the holder of the turn delivers. `delivered`
// is the version that all listed observers have got.
//
// Who owns what: the property and its signals own the core, the core owns its observers, and none of them
// owns the property. The property ends the core; a signal that is subscribed after that finds only the end. A
// signal may retain the core for long after that, so the core releases the value.
//
// Invariants:
//  1. `delivered` is the holder's. It never goes back, and every listed observer has got that version or, so
//     far, only versions before it.
//  2. A thread that has changed the version then enters the turn and delivers, or posts a request to do so,
//     unless nobody was ever listed. `isAsked` is claimed by the thread that posts, and reset by the
//     holder before it reads the version: so however often the property is set, at most one request waits for
//     each thread. A thread that has claimed it may stall before it posts, and others find it claimed then
//     and post none. So every thread that leaves the turn reads `isAsked`, and does what was asked for. A
//     thread that does not retain the property, such as one that sets it through a terminal or a binding, may
//     stall there until the property has been deallocated: so the end delivers first.
//  3. A newcomer reads a version outside the turn and is listed inside it, after all listed observers have
//     got the newest version, and after it has got that, too, if it had an older one. Then the holder reads
//     the version again, since a change that came in between may have found nobody listed. So versions have
//     no gap and no double at the seam.
//  4. `hasEnded` is set before the end is delivered, and a later subscriber gets just the end. After that the
//     cell is cleared. A thread that does not retain the property reads `hasEnded` before it sets the value,
//     and may still set it a moment later: no observer of the property itself gets that value, though the end
//     of a terminal or of a binding may bring it as the last one; and a cleared cell takes none.
//
// Orderings: 2 and 3 are store buffering: a change and then a read of the turn, of `isAsked` or of the first
// array's slot, against changing one of these and then reading the version. All are sequentially consistent.

/// The steps of a property's end that need its type.
@frozen @usableFromInline enum EndingStep: Sendable { case end, destroyCell }

/// What a ``MutableProperty`` and its signals share.
@usableFromInline
final class PropertyCore<Value: Sendable>: @unchecked Sendable {
  // Unchecked: the words are atomic, `delivered` by invariant 1.
  /// As many as ``ValueCell/wordCount``.
  @exclusivity(unchecked) @usableFromInline var valueWords: (UInt64, UInt64, UInt64, UInt64)
  @exclusivity(unchecked) private var askedWord: UInt64 = 0
  @exclusivity(unchecked) private var endedWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var delivered: UInt64 = 1
  @usableFromInline let broadcast: Broadcast<NoMemory<Value>, Never>
  /// Takes a step of the end, specialised for this type if the property is made where the type is known: in a
  /// deinit it is not, and looking up its metadata costs ten times what ending does.
  @usableFromInline let ending: @Sendable (PropertyCore, EndingStep) -> Void

  @inlinable
  init(_ value: consuming Value) {
    valueWords = (0, 0, 0, 0)
    broadcast = Broadcast(remembering: NoMemory())
    ending = { core, step in
      switch step {
      case .end: core.endNow()
      case .destroyCell: core.cell.destroy()
      }
    }
    require(
      MemoryLayout.size(ofValue: valueWords) == 8 * ValueCell<Value>.wordCount,
      "weir: a value cell does not fit into the room that a property has for it")
    cell.publishFirst(value)
  }

  deinit {
    broadcast.destroy()
    if !ValueCell<Value>.isWord { ending(self, .destroyCell) }
  }

  /// An object's properties begin 16 bytes after its address, which is a multiple of 16.
  @inlinable @inline(__always) var cell: ValueCell<Value> {
    ValueCell(words: AtomicWord(property: 0, of: self).address)
  }
  @inlinable var isAsked: AtomicWord { AtomicWord(property: 4, of: self) }
  @usableFromInline var hasEnded: OnceFlag { OnceFlag(AtomicWord(property: 5, of: self)) }

  /// Delivers what has changed, or posts a request to the thread that is delivering. To be called after every
  /// change.
  @inlinable
  func announce() {
    // Not the number of listed observers: the snapshot that is seen here may be reused by another thread by
    // then.
    if !broadcast.hasListed { return }
    let seen = broadcast.subscribers.current
    if broadcast.turn.enter(as: seen.bits | 1) {
      deliverNewest(to: broadcast.subscribers.validated(seen))
      broadcast.turn.leave()
    } else if isAsked.exchange(1) == 0 {
      ask()
    }
    if broadcast.subscribers.hasRetired || broadcast.turn.isWaiting { broadcast.settle() }
    if isAsked.load() != 0 { doWhatWasAsked() }
  }

  /// After the turn: the thread that has claimed `isAsked` may not have posted yet.
  @inlinable @inline(never)
  func doWhatWasAsked() {
    while isAsked.load() != 0, broadcast.turn.enterToDrain(as: 1) {
      answer()
      broadcast.turn.leave()
      broadcast.settle()
    }
  }

  /// For the holder of the turn.
  @inlinable
  func answer() {
    _ = isAsked.exchange(0)
    deliverNewest(to: broadcast.subscribers.protectCurrent())
  }

  @inlinable @inline(never)
  func ask() {
    broadcast.turn.post(.errand { self.answer() })
  }

  /// Delivers the newest value, if that has not been done. For the holder of the turn. Returns nil when the
  /// end has been delivered, and the value released.
  @inlinable @inline(__always) @discardableResult
  func deliverNewest(to block: PinnedBlock<SnapshotSlots>) -> ValueCell<Value>.Versioned? {
    guard let newest = cell.loadUnlessCleared() else { return nil }
    if newest.version != delivered {
      delivered = newest.version
      broadcast.audience.deliver(newest.value, to: broadcast.subscribers.slots(of: block))
    }
    return newest
  }

  @inlinable
  func attach(_ sink: Sink<Value, Never>) {
    if sink.isEnded { return }
    guard !hasEnded.isClaimed, let (value, version) = cell.loadUnlessCleared() else {
      return sink.terminate(.completed)
    }
    sink.send(value)
    if sink.isEnded { return }
    defer { _fixLifetime(self) }
    broadcast.letIn(
      sink.subscription,
      orSeat: Newcomer { if case .comesIn = $0 { self.enlist(sink, knowing: version) } }
    ) {
      enlist(sink, knowing: version)
    }
    if isAsked.load() != 0 { doWhatWasAsked() }
  }

  /// For the holder of the turn.
  @inlinable
  func enlist(_ sink: Sink<Value, Never>, knowing version: UInt64) {
    guard let newest = deliverNewest(to: broadcast.subscribers.protectCurrent()) else {
      // The list is closed, and delivers the end.
      return broadcast.audience.enlist(sink)
    }
    if sink.isEnded { return }
    if newest.version != version {
      sink.send(newest.value)
      if sink.isEnded { return }
    }
    broadcast.audience.enlist(sink)
    deliverNewest(to: broadcast.subscribers.protectCurrent())
  }

  /// The property has been deallocated. An observer may hold the last reference to another one, and so on: as
  /// with subjects, the first few of these end inside each other, and deeper ones in a loop.
  // Nothing inlinable calls it. But if it is not `@usableFromInline`, Swift 6.3 makes the deinit of a
  // property take 130 instructions more.
  @usableFromInline
  func end() { ReleaseQueue().end(self) { $0.ending($0, .end) } }

  @inlinable
  func endNow() {
    guard hasEnded.claim() else { return }
    withExtendedLifetime(self) {
      broadcast.list.endUpstreams()
      broadcast.perform(orPost: .errand { self.finish() }) { finish() }
    }
  }

  /// For the holder of the turn: delivers what was set before, whether it has been announced or not, and then
  /// the end.
  @inlinable
  func finish() {
    deliverNewest(to: broadcast.subscribers.protectCurrent())
    broadcast.finish(.completed)
    cell.clear()
  }
}
