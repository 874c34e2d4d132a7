// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends what the quickest of this signal, `other` and `others` sends: the first to send an event, be it a
  /// failure or a completion, goes on alone.
  ///
  /// They are subscribed in order, until one of them has won. The losers are disposed then, before the
  /// winner's event is delivered; an event that another thread was about to send is dropped. Completes and
  /// fails as the winner does. Delivers on the thread of the winner; buffers nothing unless threads meet.
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
      let race = Race(to: sink)
      let delivery = SerialDelivery(
        to: Sink<RaceItem<Output, Failure>, Failure>(
          next: { race.take($0) }, terminate: sink.terminate, subscription: sink.subscription))
      let (undecided, entering) = (race.undecided, Subscription())
      delivery.upstreams.adopt(undecided)
      undecided.adopt(entering)
      let count = SubscriptionState(0)
      source.attach(
        Sink(
          next: { signal in
            count.value += 1
            let (contestant, number) = (Contestant(), count.value)
            let subscription = contestant.subscription
            delivery.upstreams.adopt(subscription)
            undecided.list.add(.disposable(contestant), until: subscription)
            delivery.send(.entry(contestant))
            // Belongs to the closures: when it goes, the signal has ended or has let go.
            let lifeline = Lifeline(of: subscription)
            signal.attach(
              Sink(
                next: { value in withExtendedLifetime(lifeline) { delivery.send(.value(value, number)) } },
                terminate: { completion in
                  withExtendedLifetime(lifeline) {
                    if subscription.end() { delivery.send(.end(completion, number)) }
                  }
                },
                subscription: subscription))
          },
          terminate: { completion in
            guard entering.end() else { return }
            if case .finished = completion, count.value > 0 { return }
            delivery.terminate(completion)
          },
          subscription: entering))
    })
  }
}

/// Contestants have numbers, from 1: a value that carries an object would count references.
@frozen @usableFromInline
enum RaceItem<Value, Failure: Error> {
  case entry(Contestant)
  case value(Value, Int)
  case end(Completion<Failure>, Int)
}

/// One run; belongs to the holder of the turn.
@usableFromInline
final class Race<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: used within serial delivery only.
  @exclusivity(unchecked) @usableFromInline var winner = 0
  /// All that have entered, until one of them wins.
  @exclusivity(unchecked) @usableFromInline var contestants: [Entry] = []
  /// The source and all contestants, until one of them wins.
  @usableFromInline let undecided = Subscription()
  @usableFromInline let next: @Sendable (Value) -> Void
  @usableFromInline let terminate: @Sendable (Completion<Failure>) -> Void

  /// Does not keep the contestant: `undecided` does, for as long as that runs.
  @frozen @usableFromInline
  struct Entry {
    @usableFromInline weak var contestant: Contestant?
    @inlinable init(of contestant: Contestant) { self.contestant = contestant }
  }

  @inlinable
  init(to sink: Sink<Value, Failure>) {
    next = sink.next
    terminate = sink.terminate
  }

  @inlinable @inline(__always)
  func take(_ item: RaceItem<Value, Failure>) {
    switch item {
    case .entry(let contestant): if winner == 0 { contestants.append(Entry(of: contestant)) }
    case .value(let value, let number): if isWon(by: number) { next(value) }
    case .end(let completion, let number): if isWon(by: number) { terminate(completion) }
    }
  }

  @inlinable @inline(__always)
  func isWon(by number: Int) -> Bool {
    if winner == 0 { decide(for: number) }
    return winner == number
  }

  @usableFromInline
  func decide(for number: Int) {
    winner = number
    contestants[number - 1].contestant?.win()
    contestants = []
    undecided.dispose()
  }
}

/// The run of one contestant; disposing it ends a loser and spares the winner.
@usableFromInline
final class Contestant: Disposable, @unchecked Sendable {
  // Unchecked: the word is atomic.
  private var word: UInt64 = 0
  @usableFromInline let subscription = Subscription()

  @usableFromInline init() {}

  private var hasWon: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }
  func win() { _ = hasWon.claim() }

  @usableFromInline var isDisposed: Bool { subscription.isDisposed }
  @usableFromInline func dispose() { if !hasWon.isClaimed { subscription.dispose() } }
}
