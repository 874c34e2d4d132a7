// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The subject that the run of a shared source feeds, and to which its subscribers subscribe: as closures,
/// made where its type is known.
@usableFromInline
final class SharedOutlet<Value, Failure: Error>: Sendable {
  @usableFromInline let signal: Signal<Value, Failure>
  /// Starts the run of a generation: returns the closure that takes its values.
  @usableFromInline let begin: @Sendable (_ generation: UInt64) -> @Sendable (Value) -> Void
  @usableFromInline let terminate: @Sendable (Completion<Failure>) -> Void
  /// Calls a closure after the events that the runs have sent before.
  @usableFromInline let afterEvents: AfterEvents

  @inlinable
  init(
    signal: Signal<Value, Failure>, begin: @escaping @Sendable (UInt64) -> @Sendable (Value) -> Void,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void, afterEvents: @escaping AfterEvents
  ) {
    self.signal = signal
    self.begin = begin
    self.terminate = terminate
    self.afterEvents = afterEvents
  }

  /// An outlet for one run.
  @inlinable
  convenience init<Hub: ObserverProtocol & SignalConvertible & OrderedHub>(forOneRun hub: Hub)
  where Hub.Value == Value, Hub.Failure == Failure {
    self.init(
      signal: hub.signal, begin: { _ in { hub.send($0) } }, terminate: { hub.terminate($0) },
      afterEvents: { hub.afterEvents($0) })
  }

  /// An outlet for runs that follow each other. What is sent by one that is over, because another one has
  /// started, does not pass: it would come after newer values, and stay the newest of the history. What was
  /// sent before that passes: so the start of a run takes its turn among the values.
  @inlinable
  convenience init<Hub: ObserverProtocol & SignalConvertible & OrderedHub>(forAllRuns hub: Hub)
  where Hub.Value == Value, Hub.Failure == Failure {
    let newest = OperatorState<UInt64>(0)
    let delivery = SerialDelivery<(generation: UInt64, value: Value?), Failure>(
      to: Sink(
        next: { item in
          // Two threads may start runs at the same time: the older one is over then.
          newest.value = max(newest.value, item.generation)
          if let value = item.value, item.generation == newest.value { hub.send(value) }
        },
        terminate: { hub.terminate($0) }, subscription: Subscription()))
    self.init(
      signal: hub.signal,
      begin: { generation in
        delivery.send((generation, nil))
        return { delivery.send((generation, $0)) }
      },
      terminate: { delivery.terminate($0) },
      // A value may be queued here, and then in the hub.
      afterEvents: { errand in delivery.afterItems { hub.afterEvents(errand) } })
  }
}
