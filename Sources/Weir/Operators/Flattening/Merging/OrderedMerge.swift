// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs at most `limit` signals at the same time, and sends their values in the signals' order.
  @inlinable
  func merging<Output>(
    inOrderUpTo limit: Int, _ backlog: Backlog<Failure>,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(attaching: { [source = signal] sink, _ in
      admit(source, to: RunsInOrder(to: consume sink), Admission(limit: limit, backlog: backlog), transform)
    })
  }
}

/// Forwards the values of signals in the order in which these started. Each has a place in that order; it is
/// done when it has completed and the places before it are done.
@frozen @usableFromInline
struct RunsInOrder<Output, Failure: Error>: InnerRuns {
  @usableFromInline let delivery: SerialDelivery<Placed<Output>, Failure>
  @usableFromInline let places: Places

  @inlinable
  init(to sink: Sink<Output, Failure>) {
    let (next, subscription) = (sink.ungatedNext, sink.subscription)
    // Only the closure below owns it, and buffered values with it.
    let resequencer = Resequencer<Output>()
    delivery = SerialDelivery(
      to: Sink<Placed<Output>, Failure>(
        next: { item in resequencer.take(item) { if !subscription.isDisposed { next($0) } } },
        terminate: sink.terminate, subscription: subscription))
    places = Places(of: delivery.core)
    resequencer.places = places
  }

  @inlinable
  func begin(
    _ signal: Signal<Output, Failure>, at place: Int, _ done: @autoclosure () -> @Sendable (Int) -> Void
  ) -> Bool {
    if signal.ownTiming == .held {
      // The caller, who starts signals, finds one that is noted as ready.
      let count = deliver(.only(signal.held, place)) ?? 0
      if count > 1 { done()(count - 1) }
      return count > 0
    }
    if !delivery.isEnding { run(signal, at: place, done()) }
    return false
  }

  /// Delivers an item, and returns how many places are done, if something is to be done about that here.
  @inlinable
  func deliver(_ item: Placed<Output>) -> Int? {
    delivery.send(item)
    return places.takeNotes(after: delivery)
  }

  @inlinable
  func run(_ signal: Signal<Output, Failure>, at place: Int, _ done: @escaping @Sendable (Int) -> Void) {
    @Sendable func act(on item: Placed<Output>) { if let count = deliver(item) { done(count) } }
    let run = InnerRun(in: delivery) { _ in act(on: .end(place)) }
    if !run.begin() { return }
    signal.attach(
      Sink(
        // Each closure retains the run: a source may have no use for the other one.
        next: { value in withExtendedLifetime(run) { act(on: .value(value, place)) } },
        terminate: { run.end(with: $0, in: delivery) },
        subscription: run.upstream))
  }
}
