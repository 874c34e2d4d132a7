// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A subscriber that waits for the turn of a hot source. One that is disposed before it is let in is released
/// then, and not when the event under way is over, which may take as long as a callback likes.
@usableFromInline
final class Newcomer<Value, Failure: Error>: Disposable, @unchecked Sendable {
  // Unchecked: `sink` belongs to the claimer of the flag: to the one who lets it in, or to disposal.
  private var claimWord: UInt64 = 0
  @exclusivity(unchecked) private var sink: Sink<Value, Failure>?

  @usableFromInline
  init(_ sink: Sink<Value, Failure>) { self.sink = sink }

  private var flag: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  @usableFromInline var isDisposed: Bool { flag.isClaimed }

  @usableFromInline
  func dispose() { _ = take() }

  /// The subscriber, for the first who asks; nil once it has left.
  @usableFromInline
  func take() -> Sink<Value, Failure>? {
    flag.claim() ? sink.take() : nil
  }
}

extension Broadcast {
  /// What lets a newcomer in when the event under way is over. For ``perform(orPost:_:)``.
  ///
  /// - Parameter letIn: called once, with nil if the newcomer has left meanwhile.
  @inlinable
  func admission(
    of sink: Sink<Value, Failure>, _ letIn: @escaping (Sink<Value, Failure>?) -> Void
  ) -> Event {
    let newcomer = Newcomer(sink)
    sink.subscription.list.add(.disposable(newcomer))
    return .errand { letIn(newcomer.take()) }
  }
}
