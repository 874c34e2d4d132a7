// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The places of signals that run beside each other, up to a limit.
///
/// No signal with a place is begun inside of a delivery, be it that a place gets free there or that a value
/// arrives: it might never stop sending, and that delivery would never be over. What is found out there is
/// noted here, and whoever has delivered something looks afterwards, outside of the turn. The one who
/// delivers on this thread does so, too: so who is called by it, or inside of the delivery (see
/// ``SerialDelivery/isHere``), need not, and must not, look.
@usableFromInline
final class Places: @unchecked Sendable {
  // Unchecked: the words are atomic; `begun` belongs to whoever begins signals, one at a time.
  @exclusivity(unchecked) @usableFromInline var notedWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var begun = 0

  @inlinable init() {}

  /// What nobody has been told about: twice the number of places that are done, and one more if a signal is
  /// ready to begin.
  @inlinable var noted: AtomicWord { AtomicWord(property: 0, of: self) }

  @inlinable
  func next() -> Int {
    defer { begun += 1 }
    return begun
  }

  /// One more place is done. A number and nothing else: what was done before is seen through the turns.
  @inlinable
  func noteDone() { noted.addRelaxed(2) }

  /// A signal is ready to begin. For the holder of the turn in which that was decided: whoever takes the note
  /// enters that turn later, and finds it.
  @inlinable
  func noteReady() { noted.formUnion(1) }

  /// For who has delivered something: takes what is noted, and returns how many places are done. Nil if
  /// nothing is to be done here and now.
  ///
  /// - Parameter delivery: by what that was delivered.
  @inlinable @inline(__always)
  func takeNotes<Item, Failure>(after delivery: SerialDelivery<Item, Failure>) -> Int? {
    if noted.loadRelaxed() == 0 || delivery.isHere { return nil }
    let taken = noted.exchange(0)
    return taken == 0 ? nil : Int(truncatingIfNeeded: taken / 2)
  }
}
