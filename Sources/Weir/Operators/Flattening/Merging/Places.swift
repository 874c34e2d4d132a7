// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The places of signals that run at the same time, up to a limit.
///
/// No signal with a place is started inside a delivery, whether a place becomes free there or a value
/// arrives: the signal might never stop sending, and the delivery would never be over. Instead it is noted
/// here, and code that has delivered something takes the notes afterwards, outside the turn. So does the code
/// that is delivering on this thread: what it calls inside the delivery (see ``SerialDelivery/isHere``) need
/// not, and must not, take them.
@usableFromInline
final class Places: @unchecked Sendable {
  // Unchecked: the words are atomic; `begun` belongs to the code that starts signals, on one thread at a
  // time.
  @exclusivity(unchecked) @usableFromInline var notedWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var begun = 0

  @inlinable init() {}

  /// The notes that have not been taken: twice the number of places that are done, and one more if a signal
  /// is ready to start.
  @inlinable var noted: AtomicWord { AtomicWord(property: 0, of: self) }

  @inlinable
  func next() -> Int {
    defer { begun += 1 }
    return begun
  }

  /// Notes that one more place is done. A number and nothing else: what was done before is published by the
  /// turns.
  @inlinable
  func noteDone() { noted.addRelaxed(2) }

  /// Notes that a signal is ready to start. For the holder of the turn in which that was decided: whoever
  /// takes the note enters that turn later, and finds the signal.
  @inlinable
  func noteReady() { noted.formUnion(1) }

  /// Takes the notes after something was delivered, and returns how many places are done. Nil if nothing is
  /// to be done here and now.
  ///
  /// - Parameter delivery: the delivery that was used.
  @inlinable @inline(__always)
  func takeNotes<Item, Failure>(after delivery: SerialDelivery<Item, Failure>) -> Int? {
    if noted.loadRelaxed() == 0 || delivery.isHere { return nil }
    let taken = noted.exchange(0)
    return taken == 0 ? nil : Int(truncatingIfNeeded: taken / 2)
  }
}
