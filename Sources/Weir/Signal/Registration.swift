// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Registration
//
// Guarantees: the subscriber that a run has with its hot source is discarded when the run ends, exactly once, whichever threads
// subscribe and dispose. It is a word of the run itself: most runs have one such subscriber and nothing else to dispose, and need no
// node for it.
//
// The word is 0, an entry, or `over`. It goes from 0 to an entry or to `over`, and from an entry to `over`; who makes it `over` discards
// the entry that stood there. The entry knows its list, and keeps it alive until it is discarded or abandoned.
//
// Orderings: the compare-exchange releases the entry, the exchange acquires it.

/// The place of a run in the list of a hot source.
struct Registration {
  private static var over: UInt64 { 1 }

  private let place: AtomicWord

  /// - Parameter place: a word of the run, zero at first.
  init(_ place: AtomicWord) { self.place = place }

  /// False if there is one already, or it is over.
  func begin(_ entry: SnapshotEntry) -> Bool { place.compareExchange(0, entry.bits) }

  /// Called once, by whoever has ended the run.
  func end() {
    let bits = place.exchange(Self.over)
    if bits > Self.over { SubscriberList.discard(SnapshotEntry(bits: bits)) }
  }

  /// For the deinit of the run: gives the entry back without discarding it.
  func abandon() {
    let bits = place.loadAcquire()
    if bits > Self.over { SubscriberList.abandon(SnapshotEntry(bits: bits)) }
  }
}
