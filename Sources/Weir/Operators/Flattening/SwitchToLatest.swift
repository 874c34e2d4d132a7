// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards the values of the newest inner signal of a signal of signals.
  ///
  /// When a new signal arrives, the one before it is disposed, and then the new one is subscribed. From its
  /// arrival on, no event of the old one is forwarded, except one whose delivery another thread has started.
  /// Completes when this signal and the newest inner signal have completed. The first failure of either
  /// disposes the other and is forwarded; a failure of an old signal, in whose clean-up the new one arrived,
  /// goes to ``UnhandledErrors``. Delivery is serial, on the thread that sends a value or on one that is
  /// already delivering. Buffers only what arrives during a delivery: see ``flatMap(_:)``, also for a signal
  /// that never stops sending.
  ///
  /// ReactiveObjC: `-switchToLatest`, which subscribes the new signal before it ends the old one.
  @inlinable
  public func switchToLatest<Output>() -> Signal<Output, Failure>
  where Value: SignalConvertible<Output, Failure> {
    map { $0.signal }.switchingToLatest()
  }

  @inlinable
  func switchingToLatest<Output>() -> Signal<Output, Failure> where Value == Signal<Output, Failure> {
    Signal<Output, Failure>(connecting: { [source = signal] sink in
      let state = OperatorState(SwitchState())
      let newest = Generation()
      let next = sink.ungatedNext
      let delivery = SerialDelivery(
        to: Sink<SwitchItem<Output>, Failure>(
          next: { item in
            switch item {
            case .value(let value, let generation), .only(let value, let generation):
              if newest.isCurrent(generation) { next(value) }
              if case .only = item { state.value.end(generation) }
            case .innerEnd(let generation): state.value.end(generation)
            case .outerEnd: state.value.outerHasEnded = true
            }
            if state.value.outerHasEnded, newest.isCurrent(state.value.lastEnded) {
              sink.terminate(.finished)
            }
          },
          terminate: sink.terminate, subscription: sink.subscription))
      // A signal that ends before the source sends the next one is the newest for as long as it runs, and is
      // never disposed for that one.
      let sinkOfImmediates = Sink<Output, Failure>(
        next: { delivery.send(.value($0, newest.current)) }, gate: .ahead, ending: .early,
        terminate: { completion in
          switch completion {
          case .finished: delivery.send(.innerEnd(newest.current))
          case .failed: delivery.terminate(completion)
          }
        },
        subscription: delivery.upstreams
      ).framed
      let running = OperatorState<Subscription?>(nil)
      delivery.listen(
        to: source,
        next: { inner in
          let generation = newest.begin()
          running.value?.dispose()
          running.value = nil
          switch inner.ownTiming {
          case .held: delivery.send(.only(inner.held, generation))
          // The clean-up of the signal before may have ended the run.
          case .immediate: if !delivery.isEnding { inner.stored(sinkOfImmediates) }
          case .synchronous, .sequence, .any:
            guard let upstream = delivery.nextUpstream() else { return }
            running.value = upstream
            delivery.listen(to: inner, by: upstream, as: generation, of: newest, in: sink.subscription)
          }
        },
        completed: { delivery.send(.outerEnd) })
    })
  }
}

extension SerialDelivery {
  /// Subscribes to the newest signal. Its failure is forwarded only if it is still the newest: its clean-up
  /// has run by then, in which a newer one may have arrived. That is checked at once, and not in the turn, as
  /// a failure stops the source at once, too.
  @inlinable
  func listen<Value>(
    to inner: Signal<Value, Failure>, by upstream: Subscription, as generation: UInt64,
    of newest: Generation, in whole: Subscription
  ) where Item == SwitchItem<Value> {
    inner.attach(
      Sink(
        next: { self.send(.value($0, generation)) },
        terminate: { completion in
          guard upstream.end() else { return }
          switch completion {
          case .finished: self.send(.innerEnd(generation))
          case .failed(let error):
            if newest.isCurrent(generation) { self.terminate(completion) } else { whole.report(error) }
          }
        },
        subscription: upstream))
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

/// The state that the deliveries of one run share; the newest generation is 0 before there is a signal, and
/// then counts as ended.
@frozen @usableFromInline
struct SwitchState {
  @usableFromInline var outerHasEnded = false
  @usableFromInline var lastEnded: UInt64 = 0
  @inlinable init() {}

  /// Notes an end. An older signal may end on another thread, and report that after a newer one has.
  @inlinable
  mutating func end(_ generation: UInt64) { lastEnded = max(lastEnded, generation) }
}
