// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Upstreams
//
// Guarantees: what a hot source was subscribed to ends with it, whichever threads subscribe it and end it.
// Most sources are fed by hand and have none, so what holds them is made for the first.
//
// The word is 0, `ended`, or the address of a subscription, and changes once.
//
// Invariants:
//  1. Who puts a subscription there, while the word is 0, gives it a reference that belongs to the word. It
//     stays there until the word's owner goes, so whoever finds it may use it.
//  2. Who ends the source puts `ended` there while the word is 0, or ends the subscription that is there. So
//     what is adopted later is ended at once, either way.
//
// Orderings: the compare-exchange that puts a subscription there releases it, and who finds it acquires it.

/// The subscriptions that end with a hot source.
struct Upstreams {
  private static var ended: UInt64 { 1 }

  private let place: AtomicWord

  /// - Parameter place: a word of the source, zero at first.
  init(_ place: AtomicWord) { self.place = place }

  /// Has `child` end with the source; at once, if that has ended.
  func adopt(_ child: Subscription) {
    if place.loadRelaxed() == 0 {
      let made = Unmanaged.passRetained(Subscription())
      if !place.compareExchange(0, UInt64(UInt(bitPattern: made.toOpaque()))) { made.release() }
    }
    if let holder { holder.adopt(child) } else { child.dispose() }
  }

  /// Ends what was adopted, and what will be.
  func dispose() { if !place.compareExchange(0, Self.ended) { holder?.dispose() } }

  /// For the owner's deinit, when all has ended: nobody uses it any more.
  func release() { holder.map { Unmanaged.passUnretained($0).release() } }

  /// What stands in the word, which is not 0; nil if that is the end.
  private var holder: Subscription? {
    let seen = place.loadAcquire()
    if seen == Self.ended { return nil }
    return UnsafeRawPointer(bitPattern: UInt(seen)).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }
}
