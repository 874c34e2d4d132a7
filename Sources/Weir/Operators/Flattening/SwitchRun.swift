// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One run of ``SignalConvertible/switchToLatest()``: what the source and the inner signals feed.
@usableFromInline
final class SwitchRun<Value, Failure: Error>: SourceFrame<SwitchItem<Value>, Failure>, @unchecked Sendable {
  // Unchecked: `running` belongs to the code that the source calls, the rest as in SourceFrame.
  @exclusivity(unchecked) @usableFromInline var running: Subscription?
  @usableFromInline let whole: Subscription

  @inlinable
  init(to sink: Sink<Value, Failure>) {
    let output = SwitchOutput(to: sink)
    whole = sink.subscription
    super.init(
      of: SerialDelivery(
        to: Sink<SwitchItem<Value>, Failure>(
          next: { output.take($0) }, terminate: sink.terminate, subscription: sink.subscription)))
    output.newest = newest
  }

  /// The generation of the newest signal; 0 before there is one.
  @inlinable var newest: Generation { Generation(delivery.core.ownWord) }

  @inlinable
  func take(_ inner: Signal<Value, Failure>) {
    let generation = newest.begin()
    running?.dispose()
    running = nil
    switch inner.ownTiming {
    case .held: delivery.send(.only(inner.held, generation))
    case .immediate:
      // The clean-up of the signal before may have ended the run.
      if delivery.isEnding { return }
      runsImmediate = true
      inner.attach(sinkOfImmediates)
      runsImmediate = false
    default: run(inner, as: generation)
    }
  }

  /// For a signal that ends before the source sends the next one: it is the newest for as long as it runs,
  /// and is never disposed for that one.
  @inlinable
  var sinkOfImmediates: Sink<Value, Failure> {
    Sink(
      route: .step(
        { value, frame in
          let run: SwitchRun = frame.own()
          run.delivery.send(.value(value, run.newest.current))
        }, self), gate: .ahead, ending: .early,
      terminate: { [self] completion in
        switch completion {
        case .completed: delivery.send(.innerEnd(newest.current))
        case .failed: delivery.terminate(completion)
        }
      }, subscription: delivery.upstreams)
  }

  @inlinable
  func run(_ inner: Signal<Value, Failure>, as generation: UInt64) {
    guard let upstream = delivery.nextUpstream() else { return }
    running = upstream
    let input = SwitchInput(of: self, generation, upstream)
    inner.attach(
      Sink(next: { input.take($0) }, terminate: { input.end(with: $0) }, subscription: upstream))
  }

  @inlinable
  override func sourceCompleted() { delivery.send(.outerEnd) }
}

/// What the closures of an inner signal's sink capture: a closure that captures a single object needs no
/// allocation of its own.
@usableFromInline
final class SwitchInput<Value, Failure: Error>: Sendable {
  @usableFromInline let run: SwitchRun<Value, Failure>
  /// That of the run's delivery, which the run owns: reaching it through the run would retain it for each
  /// value.
  @usableFromInline let core: DeliveryCore
  @usableFromInline let generation: UInt64
  @usableFromInline let upstream: Subscription

  @inlinable
  init(of run: SwitchRun<Value, Failure>, _ generation: UInt64, _ upstream: Subscription) {
    self.run = run
    core = run.delivery.core
    self.generation = generation
    self.upstream = upstream
  }

  // Not inlinable: see Lifeline. The signal has ended, or has let go without a terminal event.
  deinit { if !upstream.isDisposed { upstream.endWithOwner() } }

  @inlinable
  func take(_ value: Value) {
    SerialDelivery<SwitchItem<Value>, Failure>(core).send(.value(value, generation))
  }

  /// A failure is forwarded only if the signal is still the newest: its clean-up has run by then, in which a
  /// newer one may have arrived. That is checked at once, and not in the turn, as a failure stops the source
  /// at once, too.
  @inlinable
  func end(with completion: Completion<Failure>) {
    guard upstream.end() else { return }
    switch completion {
    case .completed: run.delivery.send(.innerEnd(generation))
    case .failed(let error):
      if run.newest.isCurrent(generation) {
        run.delivery.terminate(completion)
      } else {
        run.whole.report(error)
      }
    }
  }
}
