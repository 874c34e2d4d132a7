// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The part of a signal's input that needs no value type. From the third signal on, the compiler does not
/// specialise code in a parameter pack, which is slow then; so as little as possible is generic.
@frozen @usableFromInline
struct RowInlet<Failure: Error> {
  @usableFromInline let input: RowInput
  @usableFromInline let terminate: @Sendable (Completion<Failure>) -> Void

  @inlinable
  init(_ input: RowInput, terminate: @escaping @Sendable (Completion<Failure>) -> Void) {
    self.input = input
    self.terminate = terminate
  }
}

/// All that the closures keep through which a signal is listened to: one that keeps a single object, and is
/// compiled for its types, needs no memory of its own. (The one for the end keeps this by a ``RowLifeline``,
/// where there is such.)
@usableFromInline
final class RowInput: @unchecked Sendable {
  // Unchecked: constant.
  @usableFromInline let index: Int
  @usableFromInline let offset: Int
  /// Not owned: the delivery owns it, and it is used in the turn of that only.
  @usableFromInline let run: UnsafeRawPointer
  @usableFromInline let core: DeliveryCore
  @usableFromInline let upstream: Subscription

  @inlinable
  init(
    at index: Int, offset: Int, of run: UnsafeRawPointer, by core: DeliveryCore, _ upstream: Subscription
  ) {
    self.index = index
    self.offset = offset
    self.run = run
    self.core = core
    self.upstream = upstream
  }
}

/// Ends a run when the signal without which no row comes lets go without a terminal event. Owned by the
/// closure that would take that; not by the one for values, see ``Sink``.
@usableFromInline
final class RowLifeline: Sendable {
  @usableFromInline let input: RowInput
  private let subscription: Subscription
  /// Knows the types, and keeps nothing: so it needs no memory.
  private let end: @Sendable (DeliveryCore, Subscription) -> Void

  @usableFromInline
  init(
    _ input: RowInput, of subscription: Subscription,
    _ end: @escaping @Sendable (DeliveryCore, Subscription) -> Void
  ) {
    self.input = input
    self.subscription = subscription
    self.end = end
  }

  // Not inlinable: see Lifeline.
  deinit {
    if subscription.isDisposed { return }
    ReleaseQueue().end { [input, subscription, end] in end(input.core, subscription) }
  }
}
