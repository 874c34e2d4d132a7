// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The part of a signal's sink that needs no value type. From the fourth signal on, the compiler does not
/// specialise code in a parameter pack, which is slow then; so as little as possible is generic.
@frozen @usableFromInline
struct RowInlet<Failure: Error> {
  @usableFromInline let input: RowInput<Failure>
  @usableFromInline let terminate: @Sendable (Completion<Failure>) -> Void

  @inlinable
  init(_ input: RowInput<Failure>, terminate: @escaping @Sendable (Completion<Failure>) -> Void) {
    self.input = input
    self.terminate = terminate
  }
}

/// The frame of the last step of a signal: all that it needs of the run. (The closure for the terminal event
/// holds this by a ``RowLifeline``, if there is one.)
@usableFromInline
final class RowInput<Failure: Error>: Frame<Failure>, @unchecked Sendable {
  // Unchecked: constant.
  @usableFromInline let index: Int
  @usableFromInline let offset: Int
  /// Not owned: the delivery owns the run, which is used only in the turn of that delivery.
  @usableFromInline let run: UnsafeRawPointer
  @usableFromInline let core: DeliveryCore
  @usableFromInline let upstream: Subscription
  /// Handles the terminal event of the signal. Knows the type of the run and captures nothing: so it needs no
  /// allocation.
  @usableFromInline let end: @Sendable (RowInput, Completion<Failure>) -> Void

  @inlinable
  init(
    at index: Int, offset: Int, of run: UnsafeRawPointer, by core: DeliveryCore, _ upstream: Subscription,
    _ end: @escaping @Sendable (RowInput, Completion<Failure>) -> Void
  ) {
    self.index = index
    self.offset = offset
    self.run = run
    self.core = core
    self.upstream = upstream
    self.end = end
    super.init(fail: { _ in })
  }

  // Not inlinable: see Lifeline. The signal has ended, or has let go without a terminal event.
  deinit { if !upstream.isDisposed { upstream.endWithOwner() } }

  @inlinable override var failing: Subscription? { upstream }

  @inlinable
  override func fail(_ error: Failure) {
    if upstream.isDisposed { upstream.report(error) } else { end(self, .failed(error)) }
  }
}

/// Ends a run when the signal without which there are no rows lets go without a terminal event. Owned by the
/// closure for the terminal event; not by the one for values, see ``Sink``.
@usableFromInline
final class RowLifeline<Failure: Error>: Sendable {
  @usableFromInline let input: RowInput<Failure>
  private let subscription: Subscription
  /// Knows the types and captures nothing: so it needs no allocation.
  private let end: @Sendable (DeliveryCore, Subscription) -> Void

  @usableFromInline
  init(
    _ input: RowInput<Failure>, of subscription: Subscription,
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
