// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Forwards the events of the fastest of this signal, `other` and `others`: the first to send an event,
  /// even a terminal one, goes on alone.
  ///
  /// The signals are subscribed in order, until one of them has won. Then the losers are disposed, before the
  /// winner's event is delivered; a value that another thread was about to send is dropped. Completes and
  /// fails as the winner does. A failure that coincides with the winning event, on another thread or in a
  /// clean-up, and comes second goes to ``UnhandledErrors``. Delivers on the thread of the winner; buffers
  /// only what arrives during a delivery, in an unbounded queue.
  ///
  /// ReactiveObjC has no such operator; elsewhere it is `amb`.
  @inlinable
  public func race(
    with other: some SignalConvertible<Value, Failure>, _ others: any SignalConvertible<Value, Failure>...
  ) -> Signal<Value, Failure> {
    .race(beside(other, others))
  }
}

extension Signal {
  /// Forwards the events of the fastest of two or more signals: `Signal.race(near, far)`. The rest is as with
  /// ``SignalConvertible/race(with:_:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write `a.race(with: b).map { … }` or
  /// `Signal<Int, ReadError>.race(a, b).map { … }`: see <doc:Operators>.
  ///
  /// - Parameters:
  ///   - first: the signal that is subscribed first.
  ///   - second: the next one.
  ///   - others: all that follow.
  ///
  /// ReactiveObjC has no such operator; elsewhere it is `amb`.
  @inlinable
  public static func race(
    _ first: some SignalConvertible<Value, Failure>, _ second: some SignalConvertible<Value, Failure>,
    _ others: any SignalConvertible<Value, Failure>...
  ) -> Signal {
    .race(first.beside(second, others))
  }

  /// Forwards the events of the fastest of `signals`; completes at once if there are none. The rest is as
  /// with ``SignalConvertible/race(with:_:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write
  /// `Signal<Int, ReadError>.race(signals).map { … }`: see <doc:Operators>.
  ///
  /// ReactiveObjC has no such operator; elsewhere it is `amb`.
  @inlinable
  public static func race(_ signals: [Signal]) -> Signal {
    Signal<Signal, Failure>(signals).racing()
  }
}

extension SignalConvertible {
  /// Runs the signals that this one sends until one of them sends an event; that one goes on alone.
  @inlinable
  func racing<Output>() -> Signal<Output, Failure> where Value == Signal<Output, Failure> {
    Signal<Output, Failure>(connecting: { [source = signal] sink in
      let (next, whole) = (sink.next, sink.subscription)
      let (race, undecided, entering) = (Race(), Subscription(), Subscription())
      // A value comes with the number of its contestant: an object would have its references counted.
      let delivery = SerialDelivery(
        to: Sink<(Output, Int), Failure>(
          next: { item in if race.isWon(by: item.1, over: undecided) { next(item.0) } },
          terminate: sink.terminate, subscription: whole))
      delivery.upstreams.adopt(entering)
      undecided.adopt(entering)
      let count = OperatorState(0)
      source.attach(
        Sink(
          next: { signal in
            count.value += 1
            let (subscription, number) = (Subscription(), count.value)
            delivery.upstreams.adopt(subscription)
            undecided.list.add(
              .disposable(Contestant(number, in: race, subscription)), until: subscription)
            if subscription.isDisposed { return }
            let lifeline = Lifeline(of: subscription)
            signal.attach(
              Sink(
                next: { delivery.send(($0, number)) },
                terminate: { completion in
                  guard subscription.end() else { return }
                  lifeline.cut()
                  delivery.end(with: completion, in: whole) { race.isWon(by: number, over: undecided) }
                },
                subscription: subscription))
          },
          terminate: { completion in
            guard entering.end() else { return }
            if case .finished = completion, count.value > 0 { return }
            delivery.end(with: completion, in: whole) { race.winner == 0 }
          },
          subscription: entering))
    })
  }
}

/// Which contestant has won one run. The first event in the turn of the delivery decides that. Then
/// `undecided` is disposed, to which the source and all contestants belong; nothing else disposes it.
@usableFromInline
final class Race: @unchecked Sendable {
  // Unchecked: `winner` is written once, before `undecided` ends. Until then it is used only in the turn;
  // after that any thread may read it.
  /// The number of the contestant that has won, from 1; 0 before one has.
  @exclusivity(unchecked) @usableFromInline var winner = 0

  @inlinable init() {}

  /// Whether the contestant with this number has won. The first one about which this is asked wins.
  @inlinable @inline(__always)
  func isWon(by number: Int, over undecided: Subscription) -> Bool {
    if winner == 0 {
      winner = number
      undecided.dispose()
    }
    return winner == number
  }
}

/// The entry of a contestant in `undecided`: disposes its run, unless it has won. Disposal from downstream
/// reaches the winner and the losers.
@usableFromInline
final class Contestant: Disposable {
  private let number: Int
  private let race: Race
  private let subscription: Subscription

  @usableFromInline
  init(_ number: Int, in race: Race, _ subscription: Subscription) {
    self.number = number
    self.race = race
    self.subscription = subscription
  }

  @usableFromInline var isDisposed: Bool { subscription.isDisposed }
  @usableFromInline func dispose() { if race.winner != number { subscription.dispose() } }
}
