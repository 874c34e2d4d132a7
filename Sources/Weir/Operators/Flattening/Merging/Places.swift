// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The places of signals that run at the same time, up to a limit.
///
/// No signal with a place is started inside a delivery, whether a place becomes free there or a value
/// arrives: the signal might never stop sending, and the delivery would never be over. Instead it is noted
/// here, and code that has delivered something takes the notes afterwards, outside the turn. So does the code
/// that is delivering on this thread: what it calls inside the delivery (see ``SerialDelivery/isHere``) need
/// not, and must not, take them.
@frozen @usableFromInline
struct Places: Sendable {
  /// The notes that have not been taken: twice the number of places that are done, and one more if a signal
  /// is ready to start.
  @usableFromInline let noted: AtomicWord

  /// The places of the signals whose values `core` delivers; in a word of it, so they do not outlive it.
  @inlinable
  init(of core: DeliveryCore) { noted = core.ownWord }

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
    // Another thread may take them meanwhile: then none is done here.
    return Int(truncatingIfNeeded: noted.exchange(0) / 2)
  }
}
