// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The terminal event of a hot source, in a word: 0 while there is none, `completed`, or the address of an
/// object with the error. So only a failure takes memory, and a source can be destroyed by code that does not
/// know its types.
///
/// Written once, before the list of subscribers is closed, and read by threads that find it closed: that
/// orders the two.
@frozen @usableFromInline
struct StoredCompletion<Failure: Error> {
  @inlinable static var completed: UInt64 { 1 }

  @usableFromInline let place: AtomicWord

  /// - Parameter place: a word of the source, zero at first.
  @inlinable
  init(_ place: AtomicWord) { self.place = place }

  @inlinable var value: Completion<Failure>? {
    let seen = place.loadRelaxed()
    if seen == Self.completed { return .completed }
    return Boxed.value(at: seen).map { .failed($0) }
  }

  @inlinable
  func store(_ completion: Completion<Failure>) {
    switch completion {
    case .completed: place.storeRelaxed(Self.completed)
    case .failed(let error): place.storeRelaxed(Boxed(error).given())
    }
  }
}

extension StoredCompletion where Failure == Never {
  /// For the source's deinit, whatever it fails with: releases the error.
  static func release(_ place: AtomicWord) {
    let seen = place.loadRelaxed()
    if seen != completed { Leftover.release(seen) }
  }
}
