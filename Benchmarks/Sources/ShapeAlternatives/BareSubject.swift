// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a hot source keeps of a chain, in whichever form the chain comes.
@usableFromInline package protocol Receiver<Value> {
  associatedtype Value
  func receive(_ value: Value)
  func finish()
}

/// A hot source with room for one receiver and no protection at all, the same for every shape: what differs
/// between two measurements through it is the operators.
///
/// An instrument, not a subject: one thread, therefore `@unchecked Sendable`, one receiver, and nobody is
/// removed while a value is being delivered.
@usableFromInline package final class BareSubject<R: Receiver>: @unchecked Sendable {
  @exclusivity(unchecked) @usableFromInline var place: Unmanaged<Place<R>>?

  @inlinable package init() {}

  @inlinable
  package func attach(_ receiver: R) -> Place<R> {
    precondition(place == nil, "a bare subject has room for one receiver")
    let place = Place(receiver, in: self)
    self.place = Unmanaged.passRetained(place)
    return place
  }

  /// Unmanaged, because a reference count per value would cost more than what is measured.
  @inlinable @inline(__always)
  package func send(_ value: R.Value) {
    place?._withUnsafeGuaranteedRef { $0.receiver.receive(value) }
  }

  /// Takes the receiver out and tells it that there is no more.
  package func complete() {
    guard let place = place?.takeUnretainedValue() else { return }
    place.dispose()
    place.receiver.finish()
  }

  @usableFromInline
  func removeReceiver() {
    let removed = place
    place = nil
    removed?.release()
  }
}

/// The receiver in its subject, and the way out again. Used by one thread, therefore `@unchecked Sendable`.
@usableFromInline package final class Place<R: Receiver>: Removable, @unchecked Sendable {
  @usableFromInline let receiver: R
  /// Nil once the receiver has been removed. Until then the two keep each other.
  @usableFromInline var subject: BareSubject<R>?

  @inlinable
  init(_ receiver: R, in subject: BareSubject<R>) {
    self.receiver = receiver
    self.subject = subject
  }

  package var isDisposed: Bool { subject == nil }

  @usableFromInline
  package func dispose() {
    guard let subject else { return }
    self.subject = nil
    subject.removeReceiver()
  }
}
