// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Subscribes to this signal on a scheduler.
  ///
  /// Subscribing to the result returns at once, unless the scheduler runs work inside `enqueue`. The source
  /// is subscribed on the scheduler, and what it sends meanwhile is sent there; later events are sent
  /// wherever the source sends them: see ``SignalConvertible/observe(on:_:waiting:failures:)`` for that.
  /// Disposal from any thread prevents a subscription that has not started, and releases the source. If the
  /// scheduler is shut down before, the subscription ends without an event. Buffers nothing.
  ///
  /// It is not called `subscribe(on:)`: a trailing closure has no label, so with a second function of that
  /// name the compiler may take the closure at the end of a chain for the scheduler, and then reports that
  /// closures do not conform to `Scheduler`.
  ///
  /// - Parameter scheduler: where to subscribe; need not be serial.
  ///
  /// ReactiveObjC: `-subscribeOn:`.
  @inlinable
  public func subscribing(on scheduler: some Scheduler) -> Signal<Value, Failure> {
    Signal(attaching: { [source = signal] sink, _ in
      let connection = PendingConnection(in: sink.subscription) {
        // Disposal may be under way, and not have come to this yet.
        if !sink.isEnded { source.attach(sink) }
      }
      scheduler.enqueue(connection)
    })
  }
}

/// A subscription that starts when the scheduler runs it, unless it was disposed before.
@usableFromInline
final class PendingConnection: ScheduledWork, Disposable, @unchecked Sendable {
  // Unchecked: `connect` belongs to the claimer of the flag.
  private var claimWord: UInt64 = 0
  @exclusivity(unchecked) private var connect: (@Sendable () -> Void)?
  private let subscription: Subscription

  @usableFromInline
  init(in subscription: Subscription, _ connect: @escaping @Sendable () -> Void) {
    self.subscription = subscription
    self.connect = connect
    subscription.add(WeakDisposal(of: self))
  }

  /// If the scheduler releases it without running it, the subscription ends.
  deinit { if take() != nil { subscription.endWithOwner() } }

  private var flag: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  @usableFromInline var isDisposed: Bool { flag.isClaimed }
  @usableFromInline func run() { take()?() }
  @usableFromInline func dispose() { _ = take() }
  @usableFromInline func abandon() { if take() != nil { subscription.end() } }

  private func take() -> (@Sendable () -> Void)? {
    flag.claim() ? connect.take() : nil
  }
}
