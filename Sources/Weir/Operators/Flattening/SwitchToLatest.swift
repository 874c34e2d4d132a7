// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards the values of the newest inner signal of a signal of signals.
  ///
  /// When a new signal arrives, the one before it is disposed, and then the new one is subscribed. From its
  /// arrival on, no event of the old one is forwarded, except one that another thread is just sending: a
  /// value whose delivery has started, or a failure, which ends everything. Completes when this signal and
  /// the newest inner signal have completed; if one of the two lets go without a terminal event, the run ends
  /// without one when the other has ended. The first failure of either disposes the other and is forwarded; a
  /// failure of an old signal, in whose clean-up the new one arrived, goes to ``UnhandledErrors``. Delivery
  /// is serial, on the thread that sends a value or on one that is already delivering. Buffers only what
  /// arrives during a delivery: see ``flatMap(_:)``, also for a signal that never stops sending.
  ///
  /// ReactiveObjC: `-switchToLatest`, which subscribes the new signal before it ends the old one.
  @inlinable
  public func switchToLatest<Output>() -> Signal<Output, Failure>
  where Value: SignalConvertible<Output, Failure> {
    switching { value throws(Failure) in value.signal }
  }

  /// Runs the newest of the signals that the closure makes of the values.
  @inlinable
  func switching<Output>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(attaching: { [signal] sink, _ in
      let run = SwitchRun(to: consume sink)
      // The sink may have ended before.
      if run.source.isDisposed { return }
      signal.attach(
        run.sinkOfSource { value, frame in
          let run: SwitchRun<Output, Failure> = frame.own()
          if run.source.isDisposed { return }
          do throws(Failure) {
            run.take(try transform(value))
          } catch {
            run.failClosure(error)
          }
        })
    })
  }
}

@frozen @usableFromInline
enum SwitchItem<Value> {
  case value(Value, UInt64)
  /// The only value of a signal that has ended with it.
  case only(Value, UInt64)
  case innerEnd(UInt64)
  case outerEnd
}

/// What one run delivers to. It is owned by the handler of the delivery, and used in its turn only, so that
/// what is downstream is released as soon as the run ends.
@usableFromInline
final class SwitchOutput<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: used within serial delivery only.
  @exclusivity(unchecked) private var receiverWords = AnyReceiver.Words(repeating: 0)
  /// In a word of the delivery, which owns this object.
  @exclusivity(unchecked) @usableFromInline var newest: Generation?
  @exclusivity(unchecked) @usableFromInline var outerHasEnded = false
  /// The newest signal that has ended; before there is a signal, it counts as ended.
  @exclusivity(unchecked) @usableFromInline var lastEnded: UInt64 = 0

  @inlinable
  init(to sink: Sink<Value, Failure>) { receiver.initialize(to: sink.route, terminate: sink.terminate) }

  @inlinable
  deinit { receiver.any.destroy() }

  @inlinable @inline(__always) var receiver: Receiver<Value, Failure> {
    Receiver(AnyReceiver(at: AtomicWord(property: 0, of: self).address))
  }

  @inlinable
  func take(_ item: SwitchItem<Value>) {
    guard let newest else { return }
    switch item {
    case .value(let value, let generation), .only(let value, let generation):
      if newest.isCurrent(generation) { receiver.next(value) }
      if case .only = item { end(generation) }
    case .innerEnd(let generation): end(generation)
    case .outerEnd: outerHasEnded = true
    }
    if outerHasEnded, newest.isCurrent(lastEnded) { receiver.terminate(.completed) }
  }

  /// Notes an end. An older signal may end on another thread, and report that after a newer one has.
  @inlinable
  func end(_ generation: UInt64) { lastEnded = max(lastEnded, generation) }
}
