// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

extension SignalConvertible {
  /// At most `limit` signals beside each other, and their values in the order of the signals.
  @inlinable
  func merging<Output>(
    inOrderUpTo limit: Int, _ backlog: Backlog<Failure>,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(connecting: { [source = signal] sink in
      admit(source, to: RunsInOrder(to: sink), Admission(limit: limit, backlog: backlog), transform)
    })
  }
}

/// Signals whose values are sent on in the order in which the signals began. Each has a place in that order;
/// it is done when it has completed and the places before it are done.
@frozen @usableFromInline
struct RunsInOrder<Output, Failure: Error>: InnerRuns {
  @usableFromInline let delivery: SerialDelivery<Placed<Output>, Failure>
  @usableFromInline let places: Places

  @inlinable
  init(to sink: Sink<Output, Failure>) {
    let (places, next, subscription) = (Places(), sink.direct, sink.subscription)
    // Nothing else has it: what waits goes when the delivery lets go of this closure.
    let order = Order<Output>(of: places)
    self.places = places
    delivery = SerialDelivery(
      to: Sink<Placed<Output>, Failure>(
        next: { item in
          places.deliverer.storeRelaxed(weir_thread())
          order.take(item) { if !subscription.isDisposed { next($0) } }
          places.deliverer.storeRelaxed(0)
        },
        terminate: sink.terminate, subscription: subscription))
  }

  @inlinable
  func begin(_ signal: Signal<Output, Failure>, _ done: @autoclosure () -> @Sendable () -> Void) -> Bool {
    let place = places.next()
    if case .held = signal.ownTiming {
      let count = placesDone(by: .only(signal.held, place))
      if count > 1 { for _ in 1..<count { done()() } }
      return count > 0
    }
    if !delivery.isDisposed { run(signal, at: place, done()) }
    return false
  }

  @inlinable
  func run(_ signal: Signal<Output, Failure>, at place: Int, _ done: @escaping @Sendable () -> Void) {
    @Sendable func deliver(_ item: Placed<Output>) { for _ in 0..<placesDone(by: item) { done() } }
    let run = InnerRun(in: delivery.core) { deliver(.end(place)) }
    run.listen(
      to: signal,
      by: Sink(
        // Either closure keeps the run: a source may have no use for the other one.
        next: { value in withExtendedLifetime(run) { deliver(.value(value, place)) } },
        terminate: { run.end(with: $0, in: delivery) },
        subscription: run.upstream))
  }

  /// Delivers something, and returns how many places are done that nobody has been told about: signals are
  /// begun for them outside of the turn, as those may never stop sending. So not for who is called inside of
  /// it: whoever delivers on this thread is in this function too, and looks when that is over.
  @inlinable
  func placesDone(by item: Placed<Output>) -> UInt64 {
    delivery.send(item)
    if places.done.loadRelaxed() == 0 || places.deliverer.loadRelaxed() == weir_thread() { return 0 }
    return places.done.exchange(0)
  }
}
