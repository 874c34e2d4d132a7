// Part of Weir. SPDX-License-Identifier: Apache-2.0

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
  @usableFromInline let order: Order<Output>

  @inlinable
  init(to sink: Sink<Output, Failure>) {
    let (order, next, subscription) = (Order<Output>(), sink.direct, sink.subscription)
    self.order = order
    delivery = SerialDelivery(
      to: Sink<Placed<Output>, Failure>(
        next: { item in order.take(item) { if !subscription.isDisposed { next($0) } } },
        terminate: sink.terminate, subscription: subscription))
  }

  @inlinable
  func begin(_ signal: Signal<Output, Failure>, _ done: @autoclosure () -> @Sendable () -> Void) -> Bool {
    let place = order.nextPlace()
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
        next: { deliver(.value($0, place)) }, terminate: { run.end(with: $0, in: delivery) },
        subscription: run.upstream))
  }

  /// Delivers something, and returns how many places are done by that: signals are begun for them outside of
  /// the turn, as those may never stop sending. A delivery under way on another thread looks for itself.
  @inlinable
  func placesDone(by item: Placed<Output>) -> UInt64 {
    delivery.send(item)
    return order.done.loadRelaxed() == 0 ? 0 : order.done.exchange(0)
  }
}

/// What a signal sends, with its place.
@frozen @usableFromInline
enum Placed<Value> {
  case value(Value, Int)
  /// The value of a signal that has ended with it.
  case only(Value, Int)
  case end(Int)
}

/// Which place's values pass, and what the places behind it have sent meanwhile.
@usableFromInline
final class Order<Value>: @unchecked Sendable {
  // Unchecked: the first word is atomic; `begun` belongs to whoever begins runs, one at a time, and the rest
  // to the holder of the delivery's turn.
  @exclusivity(unchecked) @usableFromInline var doneWord: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var begun = 0
  @exclusivity(unchecked) @usableFromInline var current = 0
  /// The places behind the current one, as far as they have sent something.
  @exclusivity(unchecked) @usableFromInline var waiting = FIFO<Waiting>()

  @frozen @usableFromInline
  struct Waiting {
    @usableFromInline var values: [Value] = []
    @usableFromInline var hasEnded = false
    @inlinable init() {}
  }

  @inlinable init() {}

  /// How many places are done that nobody has been told about. A number and nothing else: what was done before
  /// is seen through the turns, so its operations are in no order.
  @inlinable var done: AtomicWord { AtomicWord(property: 0, of: self) }

  @inlinable
  func nextPlace() -> Int {
    defer { begun += 1 }
    return begun
  }

  @inlinable
  func take(_ item: Placed<Value>, _ next: (Value) -> Void) {
    switch item {
    case .value(let value, current): next(value)
    case .only(let value, current):
      next(value)
      advance(next)
    case .end(current): advance(next)
    case .value(let value, let place): waiting[distance(to: place)]?.values.append(value)
    case .only(let value, let place):
      let distance = distance(to: place)
      waiting[distance]?.values.append(value)
      waiting[distance]?.hasEnded = true
    case .end(let place): waiting[distance(to: place)]?.hasEnded = true
    }
  }

  /// Where a place behind the current one waits; it does from then on.
  @inlinable
  func distance(to place: Int) -> Int {
    let distance = place - current - 1
    while waiting.count <= distance { waiting.append(Waiting()) }
    return distance
  }

  /// The current place is done: sends what the next one has sent so far, and so on if that has ended.
  @inlinable
  func advance(_ next: (Value) -> Void) {
    var isDone = true
    while isDone {
      current += 1
      done.addRelaxed(1)
      guard let following = waiting.popFirst() else { return }
      following.values.forEach(next)
      isDone = following.hasEnded
    }
  }
}
