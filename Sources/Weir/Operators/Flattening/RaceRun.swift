// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One run.
@frozen @usableFromInline
struct RaceRun<Value, Failure: Error>: Sendable {
  @usableFromInline typealias Delivery = SerialDelivery<RaceItem<Value>, Failure>

  @usableFromInline let delivery: Delivery
  @usableFromInline let race: Race

  @inlinable
  init(to sink: Sink<Value, Failure>) {
    let (race, next) = (Race(in: sink.subscription), sink.ungatedNext)
    self.race = race
    delivery = Delivery(
      to: Sink<RaceItem<Value>, Failure>(
        next: { item in if race.isWon(by: item.entry), !race.whole.isDisposed { next(item.value) } },
        terminate: sink.terminate, subscription: sink.subscription))
  }

  /// Runs one more signal, unless another one has won.
  @inlinable
  func enter(_ signal: Signal<Value, Failure>) {
    guard let contestant = race.admit(to: delivery.core) else { return }
    signal.attach(
      Sink(
        next: { contestant.send($0, by: Delivery(contestant.core)) },
        terminate: { contestant.end(with: $0, in: Delivery(contestant.core)) },
        subscription: contestant.upstream))
  }
}

/// A value, and the entry of its contestant in ``Race/undecided``.
@frozen @usableFromInline
struct RaceItem<Value> {
  @usableFromInline let value: Value
  @usableFromInline let entry: Unmanaged<DisposalNode>
  /// Retains the entry of a value that waits: the contestant may be gone when the value's turn comes. A value
  /// that is delivered at once has no reference counted.
  @usableFromInline let retained: DisposalNode?

  @inlinable
  init(_ value: Value, of entry: DisposalNode, retaining retained: DisposalNode?) {
    self.value = value
    self.entry = .passUnretained(entry)
    self.retained = retained
  }
}

/// Which contestant of one run has won. The first event in the turn of the delivery decides that.
@usableFromInline
final class Race: @unchecked Sendable {
  // Unchecked: the first three are atomic words, `winner` is used in the turn only.
  @exclusivity(unchecked) private var head: UInt64 = 0
  @exclusivity(unchecked) private var shells: UInt64 = 0
  @exclusivity(unchecked) private var sweepAt: UInt64 = 0
  /// The entry of the contestant that has won; nil before one has.
  @exclusivity(unchecked) @usableFromInline var winner: DisposalNode?
  @usableFromInline let whole: Subscription

  @inlinable
  init(in whole: Subscription) { self.whole = whole }

  deinit { undecided.release() }

  /// What ends when a contestant has won: the source and all other contestants. Nothing else disposes it.
  @inlinable var undecided: DisposalList { DisposalList(firstPropertiesOf: self) }

  /// Returns a new contestant; nil if the race is over.
  @usableFromInline
  func admit(to core: DeliveryCore) -> Contestant? {
    let upstream = Subscription()
    core.upstreams.adopt(upstream)
    guard let entry = undecided.add(.child(upstream), until: upstream), !upstream.isDisposed else {
      return nil
    }
    return Contestant(in: core, self, entry, upstream)
  }

  /// Whether the contestant with this entry has won. The first one about which this is asked wins.
  @inlinable @inline(__always)
  func isWon(by entry: Unmanaged<DisposalNode>) -> Bool {
    if winner == nil { decide(for: entry) }
    return entry._withUnsafeGuaranteedRef { winner === $0 }
  }

  @usableFromInline
  func decide(for unretained: Unmanaged<DisposalNode>) {
    let entry = unretained.takeUnretainedValue()
    winner = entry
    undecided.remove(entry)
    undecided.dispose()
  }
}

/// The run of one contestant. It is owned by the closures of the sink that the signal is fed through, as an
/// ``InnerRun`` is.
@usableFromInline
final class Contestant: Sendable {
  @usableFromInline let core: DeliveryCore
  @usableFromInline let race: Race
  @usableFromInline let entry: DisposalNode
  @usableFromInline let upstream: Subscription

  @inlinable
  init(in core: DeliveryCore, _ race: Race, _ entry: DisposalNode, _ upstream: Subscription) {
    self.core = core
    self.race = race
    self.entry = entry
    self.upstream = upstream
  }

  // Not inlinable: see Lifeline.
  deinit { upstream.endWithOwner() }

  @inlinable
  func send<Value, Failure>(_ value: Value, by delivery: SerialDelivery<RaceItem<Value>, Failure>) {
    delivery.send(
      RaceItem(value, of: entry, retaining: nil), orLeave: RaceItem(value, of: entry, retaining: entry))
  }

  @inlinable
  func end<Item, Failure>(
    with completion: Completion<Failure>, in delivery: SerialDelivery<Item, Failure>
  ) {
    guard upstream.end() else { return }
    delivery.end(with: completion, in: race.whole) { [race, entry] in race.isWon(by: .passUnretained(entry)) }
  }
}
