// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Property core
//
// Guarantees: a value that every reader sees as soon as the setter has returned, and observers that see it
// when they come and then its changes: each in the order of versions, none twice, none after a newer one, the
// last one always. A change that meets a delivery under way is delivered after it, together with all later
// ones, as the newest value then.
//
// The value is in a ValueCell, changed by anybody; delivering is for the holder of the turn. `delivered` is
// the version that all who are listed have got.
//
// Who owns what: the property and its signals own the core, the core owns its observers, and nobody there
// owns the property. The property ends the core; what a signal finds then is the end. The core may outlive
// that for long, kept by a signal, so it lets go of the value.
//
// Invariants:
//  1. `delivered` is the holder's. It never goes back, and everybody who is listed has got that version or,
//     from a version before it, nothing newer.
//  2. Whoever changed the version then enters the turn and delivers, or leaves word that somebody should,
//     unless nobody has ever come. `isAsked` is claimed by who leaves it, and given back by the holder before
//     it looks at the version: so however often the property is set, at most one such word waits for each
//     thread. Who claims it may stall before it leaves word, and others find it claimed then and leave none.
//     So whoever gives the turn up looks at `isAsked`, and does what was asked for. Who does not keep the
//     property, as a terminal or a binding, may stall there until it has gone: so the end delivers first.
//  3. A newcomer reads a version outside the turn and is listed inside it, after all who are listed have got
//     the newest version, and after it has got that too if it had an older one. Then the holder looks at the
//     version again, since a change that came in between may have found nobody listed. So versions have no
//     gap and no double at the seam.
//  4. `hasEnded` is set before the end is delivered, and whoever then comes gets just the end. After that the
//     cell is cleared. Who does not keep the property looks at `hasEnded` before it sets the value, and may
//     still do so a moment later: what it sets then nobody hears of, and a cell that is cleared does not
//     take.
//
// Orderings: 2 and 3 are store buffering: a change and then a look at the turn, at `isAsked` or at the number
// of those who have come, against changing one of these and then looking at the version. All are sequentially
// consistent.

/// What a ``MutableProperty`` and its signals share.
@usableFromInline
final class PropertyCore<Value: Sendable>: @unchecked Sendable {
  // Unchecked: the words are atomic, `delivered` by invariant 1.
  /// As many as ``ValueCell/wordCount``.
  @exclusivity(unchecked) @usableFromInline var valueWords: (UInt64, UInt64, UInt64, UInt64, UInt64)
  @exclusivity(unchecked) @usableFromInline var askedWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var endedWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var delivered: UInt64 = 1
  @usableFromInline let broadcast: Broadcast<NoMemory<Value>, Never>
  /// ``endNow()``, compiled for this type if the property is made where that is known: where the property
  /// goes it is not, and asking for types costs ten times what ending does.
  @usableFromInline let ending: @Sendable (PropertyCore) -> Void

  @inlinable
  init(_ value: consuming Value) {
    valueWords = (0, 0, 0, 0, 0)
    broadcast = Broadcast(remembering: NoMemory())
    ending = { $0.endNow() }
    assert(MemoryLayout.size(ofValue: valueWords) == 8 * ValueCell<Value>.wordCount)
    cell.publishFirst(value)
  }

  deinit {
    broadcast.destroy()
    cell.destroy()
  }

  /// An object's properties begin 16 bytes after its address, which is a multiple of 16.
  @inlinable var cell: ValueCell<Value> {
    @inline(__always) get { ValueCell(words: AtomicWord(property: 0, of: self).address) }
  }
  @inlinable var isAsked: AtomicWord { AtomicWord(property: 5, of: self) }
  @usableFromInline var hasEnded: OnceFlag { OnceFlag(AtomicWord(property: 6, of: self)) }

  /// Delivers what has changed, or leaves word for whoever is delivering. To be called after every change.
  @inlinable
  func announce() {
    // Not the number of the listed: the snapshot that is seen here may be another thread's by then.
    if broadcast.list.cell.nextOrdinal == 0 { return }
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

  /// After the turn: who has claimed `isAsked` has not left word yet.
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
    broadcast.turn.post(Broadcast.Waiting(.errand { self.answer() }))
  }

  /// For the holder of the turn. Answers nil when the end has been delivered, and the value is gone.
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
      return sink.terminate(.finished)
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
      // The list is closed, and tells the end.
      return broadcast.enlist(sink)
    }
    if sink.isEnded { return }
    if newest.version != version {
      sink.send(newest.value)
      if sink.isEnded { return }
    }
    broadcast.enlist(sink)
    deliverNewest(to: broadcast.subscribers.protectCurrent())
  }

  /// The property has gone. An observer may be all that keeps another one, and so on: as with subjects, the
  /// first few of these end inside each other, and what is deeper in a loop.
  @usableFromInline
  func end() { ReleaseQueue().end(self) { $0.ending($0) } }

  @inlinable
  func endNow() {
    guard hasEnded.claim() else { return }
    withExtendedLifetime(self) {
      broadcast.list.disposeUpstreams()
      broadcast.perform(orPost: .errand { self.finish() }) { finish() }
    }
  }

  /// For the holder of the turn: delivers what was set before, whether it has been announced or not, and then
  /// the end.
  @inlinable
  func finish() {
    deliverNewest(to: broadcast.subscribers.protectCurrent())
    broadcast.finish(.finished)
    cell.clear()
  }
}
