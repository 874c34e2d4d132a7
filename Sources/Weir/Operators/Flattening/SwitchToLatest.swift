// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the values of the newest inner signal, out of a signal of signals.
  ///
  /// A new signal ends the one before it, and is subscribed then. From that moment no event of the old one
  /// passes, but for one whose delivery another thread has begun. A signal that comes inside of a delivery,
  /// because the subscriber has caused it, ends the one before it there, and is subscribed right after that,
  /// if no newer one has come, on a thread that has just brought something: if it never stopped sending, it
  /// could not be stopped in there.
  ///
  /// Completes when this signal and the newest one have completed. The first failure of either disposes the
  /// other and is sent on; that of an old one, in whose clean-up the new one came, goes to
  /// ``UnhandledErrors``. Delivery is serial, on the thread that brings a value or on one that is delivering
  /// already; buffers nothing unless values meet, on two threads or inside of each other: then in a queue
  /// without a bound but memory.
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
      let state = SubscriptionState(SwitchState())
      let newest = Generation()
      let next = sink.direct
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
      let sinkOfImmediates = delivery.sinkOfImmediates(numberedBy: newest)
      let running = SubscriptionState<Subscription?>(nil)
      delivery.listen(
        to: source,
        next: { inner in
          let generation = newest.begin()
          running.value?.dispose()
          running.value = nil
          switch inner.ownTiming {
          case .held: delivery.send(.only(inner.held, generation))
          // The clean-up of the one before may have ended everything.
          case .immediate where !delivery.isHere: if !delivery.isEnding { inner.stored(sinkOfImmediates) }
          case .immediate, .synchronous, .sequence, .any:
            guard let upstream = delivery.nextUpstream() else { return }
            running.value = upstream
            @Sendable func begin() {
              delivery.listen(to: inner, by: upstream, as: generation, of: newest, in: sink.subscription)
            }
            if delivery.isHere { delivery.keep(begin, in: state) } else { begin() }
          }
        },
        completed: { delivery.send(.outerEnd) })
    })
  }
}

extension SerialDelivery {
  /// What the signals are connected to that end before the source sends the next one: such a one is the
  /// newest for as long as it runs, and is never ended for it.
  @inlinable
  func sinkOfImmediates<Value>(numberedBy newest: Generation) -> Sink<Value, Failure>
  where Item == SwitchItem<Value> {
    Sink(
      direct: { self.send(.value($0, newest.current)) }, gate: .ahead, ending: .early,
      terminate: { completion in
        switch completion {
        case .finished: self.send(.innerEnd(newest.current))
        case .failed: self.terminate(completion)
        }
      },
      subscription: upstreams
    ).framed
  }

  /// For who is inside of a delivery: has the newest signal begun when that is over. The one that was kept
  /// before has ended, and is let go of.
  @inlinable @inline(never)
  func keep(_ begin: @escaping @Sendable () -> Void, in state: SubscriptionState<SwitchState>) {
    let before = state.value.kept
    state.value.kept = begin
    if before == nil { handOver(state.value.beginnings.step { state.value.kept.take() }) }
  }

  /// Subscribes the newest signal, unless it has ended since it was kept. Its failure is one of the whole if
  /// it is the newest still, and only then: its clean-up has run by then, and may have had a newer one come.
  /// Asked at once, and not in the turn, as a failure stops the source at once, too.
  @inlinable
  func listen<Value>(
    to inner: Signal<Value, Failure>, by upstream: Subscription, as generation: UInt64,
    of newest: Generation, in whole: Subscription
  ) where Item == SwitchItem<Value> {
    if upstream.isDisposed { return }
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
  /// The value of a signal that has ended with it.
  case only(Value, UInt64)
  case innerEnd(UInt64)
  case outerEnd
}

/// What the deliveries of one run know, and who is inside of one. The newest generation is 0 before there is
/// a signal, and then counts as ended.
@frozen @usableFromInline
struct SwitchState {
  @usableFromInline var outerHasEnded = false
  @usableFromInline var lastEnded: UInt64 = 0
  /// Begins the newest signal, if that waits for the end of a delivery.
  @usableFromInline var kept: (@Sendable () -> Void)?
  @usableFromInline var beginnings = Beginnings()
  @inlinable init() {}

  /// An older signal may end on another thread, and say so after a newer one has.
  @inlinable
  mutating func end(_ generation: UInt64) { lastEnded = max(lastEnded, generation) }
}

/// The number of the newest inner signal.
@usableFromInline
final class Generation: @unchecked Sendable {
  // Unchecked: the word is atomic.
  @exclusivity(unchecked) @usableFromInline var word: UInt64 = 0
  @inlinable init() {}

  @inlinable var number: AtomicWord { AtomicWord(property: 0, of: self) }
  @inlinable var current: UInt64 { number.load() }
  @inlinable func begin() -> UInt64 { number.add(1) + 1 }
  @inlinable func isCurrent(_ generation: UInt64) -> Bool { number.load() == generation }
}
