// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs at most `limit` signals at the same time, and sends their values in the signals' order.
  @inlinable
  func merging<Output>(
    inOrderUpTo limit: Int, _ backlog: Backlog<Failure>,
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    let backlog = StoredBacklog(backlog)
    return Signal<Output, Failure>(attaching: { [source = signal] sink, _ in
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
    // Only the closure below owns it, and buffered values with it.
    let resequencer = Resequencer<Output>(into: sink.subscription, sink.ungatedNext)
    delivery = SerialDelivery(
      to: Sink<Placed<Output>, Failure>(
        next: { resequencer.take($0) }, terminate: sink.terminate, subscription: sink.subscription))
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
    run(signal, at: place, done())
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
    let run = PlacedRun(at: place, in: delivery, done)
    if !run.begin() { return }
    signal.attach(
      Sink(
        route: .step({ value, frame in Self.deliver(value, frame) }, run), gate: .ahead, ending: .early,
        terminate: { Self.end(run, with: $0) }, subscription: run.upstream))
  }

  /// Not inlined, as it may be inlined into a thunk: see SerialDelivery+Listen.swift.
  @inlinable @inline(never)
  static func deliver(_ value: Output, _ frame: Frame<Failure>) {
    let run: PlacedRun<Failure> = frame.own()
    if run.upstream.isDisposed { return }
    run.deliver(Placed.value(value, run.place), by: SerialDelivery<Placed<Output>, Failure>(run.core))
  }

  @inlinable
  static func end(_ run: PlacedRun<Failure>, with completion: Completion<Failure>) {
    let delivery = SerialDelivery<Placed<Output>, Failure>(run.core)
    delivery.end(run.upstream, with: completion) {
      run.deliver(Placed<Output>.end(run.place), by: delivery)
    }
  }
}

/// The run of a signal that has a place among the others.
@usableFromInline
final class PlacedRun<Failure: Error>: InnerRun<Failure>, @unchecked Sendable {  // constant
  @usableFromInline let place: Int

  @inlinable @inline(__always)
  init<Item>(
    at place: Int, in delivery: SerialDelivery<Item, Failure>,
    _ complete: @escaping @Sendable (_ count: Int) -> Void
  ) {
    self.place = place
    super.init(in: delivery, complete)
  }
}
