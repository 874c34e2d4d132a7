// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Upstreams
//
// Guarantees: a hot source's own subscriptions end with it, whichever threads subscribe it and end it. Most
// sources are fed by hand and have none, so their holder is made for the first.
//
// The word is 0, `ended`, or the address of a subscription, and changes once.
//
// Invariants:
//  1. A thread puts a subscription there while the word is 0, with a reference that belongs to the word. It
//     stays there until the word's owner is deallocated, so a thread that finds it may use it.
//  2. A thread that ends the source puts `ended` there while the word is 0, or else ends the subscription
//     there. So one that is adopted later is ended at once, either way.
//
// Orderings: the compare-exchange that puts a subscription there releases it, and a thread that finds it
// acquires it.

/// The subscriptions that end with a hot source.
struct Upstreams {
  private static var ended: UInt64 { 1 }

  private let place: AtomicWord

  /// - Parameter place: a word of the source, zero at first.
  init(_ place: AtomicWord) { self.place = place }

  /// Ends `child` with the source; at once, if that has ended.
  func adopt(_ child: Subscription) {
    if place.loadRelaxed() == 0 {
      let made = Unmanaged.passRetained(Subscription())
      if !place.compareExchange(0, UInt64(UInt(bitPattern: made.toOpaque()))) { made.release() }
    }
    if let holder { holder.list.adopt(child, ifLate: .ending) } else { child.end() }
  }

  /// Ends the subscriptions that were adopted, and those that will be.
  func end() { if !place.compareExchange(0, Self.ended) { holder?.end() } }

  /// For the owner's deinit, when all has ended: releases the subscription, which nobody uses any more.
  func release() { holder.map { Unmanaged.passUnretained($0).release() } }

  /// The subscription in the word, which is not 0; nil if that is `ended`.
  private var holder: Subscription? {
    let seen = place.loadAcquire()
    if seen == Self.ended { return nil }
    return UnsafeRawPointer(bitPattern: UInt(seen)).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }
}
