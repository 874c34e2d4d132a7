// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends what the quickest of this signal, `other` and `others` sends: the first to send an event, be it a
  /// failure or a completion, goes on alone.
  ///
  /// They are subscribed in order, until one of them has won. The losers are disposed then, before the
  /// winner's event is delivered; a value that another thread was about to send is dropped. Completes and
  /// fails as the winner does. A failure that meets the winner, on another thread or in a clean-up, and comes
  /// second goes to ``UnhandledErrors``. Delivers on the thread of the winner; buffers nothing unless values
  /// meet, and then in a queue without a bound.
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
  /// Sends what the quickest of two signals or more sends: `Signal.race(near, far)`. The rest is as with
  /// ``SignalConvertible/race(with:_:)``.
  ///
  /// If the signals may fail and an operator with a closure follows, write `a.race(with: b).map { … }` or
  /// `Signal<Int, ReadError>.race(a, b).map { … }`: see <doc:Operators>.
  ///
  /// - Parameters:
  ///   - first: the one that is subscribed first.
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

  /// Sends what the quickest of `signals` sends; completes at once if there are none. The rest is as with
  /// ``SignalConvertible/race(with:_:)``.
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
      let count = SubscriptionState(0)
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

/// Who has won one run. It is decided within the turn of the delivery, by the first event there. Then
/// `undecided` ends, to which the source and all contestants belong; nothing else ends that.
@usableFromInline
final class Race: @unchecked Sendable {
  // Unchecked: written once, before `undecided` ends. Before that it is used in the turn only, and after
  // that by anybody, but read only.
  /// The number of the contestant that has won, from 1; 0 before one has.
  @exclusivity(unchecked) @usableFromInline var winner = 0

  @inlinable init() {}

  /// Whether the contestant of this number has won. It has, if it is the first of which that is asked.
  @inlinable @inline(__always)
  func isWon(by number: Int, over undecided: Subscription) -> Bool {
    if winner == 0 {
      winner = number
      undecided.dispose()
    }
    return winner == number
  }
}

/// What `undecided` disposes of a contestant: its run, unless it has won. Downstream disposal reaches both.
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
