// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Splits the signal by a key, into groups that end before it does: for keys that come and go, such as
  /// sessions.
  ///
  /// ```swift
  /// requests
  ///   .group(by: \.session, lifetime: .untilIdle(for: .seconds(300), on: .pool))
  ///   .flatMap { session in session.reduce(0) { count, _ in count + 1 } }
  /// ```
  ///
  /// A group completes when its lifetime is over, and is released: the next value with its key opens another
  /// group. No value gets lost between the two, whatever threads values and ends come from: each value goes
  /// to one group or the other.
  ///
  /// Delivery is serial, on the thread that sends a value or ends a lifetime, or on one that is already
  /// delivering. The rest is as with ``group(by:transform:)``: a group is announced right before its first
  /// value; when this signal ends, the outer signal ends first, and then the open groups; and disposing the
  /// outer subscription ends the run. There is no form with a `transform`: put a ``map(_:)`` behind each
  /// group. It is called once for each value and subscriber of the group, and an error that it throws fails
  /// only that subscription.
  ///
  /// Retains one subject and the observation of its lifetime for each open group; what ended groups leave
  /// behind is removed as others are opened. Buffers only what arrives during a delivery, in an unbounded
  /// queue. A value costs a turn (see ``Subject``), a look-up in a dictionary, the send of a subject and what
  /// the lifetime does with it.
  ///
  /// - Parameters:
  ///   - key: returns the key of a value. An error that it throws fails the outer signal, and then the open
  ///     groups.
  ///   - lifetime: when a group ends.
  ///
  /// ReactiveObjC has no such operator; Rx calls it `GroupByUntil`.
  @inlinable
  public func group<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Value) throws(Failure) -> Key, lifetime: GroupLifetime<Key, Value, Failure>
  ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> {
    Signal<GroupedSignal<Key, Value, Failure>, Failure>(attaching: { [source = signal] sink, _ in
      let run = GroupingRun(into: consume sink, lifetime)
      let (delivery, idle) = (run.delivery(), run.idle)
      delivery.listen(
        to: source,
        next: { value in
          do throws(Failure) {
            delivery.send(.value(value, of: try key(value), at: idle?.now ?? .zero))
          } catch {
            delivery.terminate(.failed(error))
          }
        })
    })
  }
}

@frozen @usableFromInline
enum GroupingItem<Key, Value> {
  /// With the time when it arrived, if groups end when they are idle.
  case value(Value, of: Key, at: Duration)
  /// The lifetime of the group that is open for this key is over. Sent once for a group, and nothing else
  /// closes one: so it is not mistaken for the end of a later group.
  case over(Key)
  /// The timer of this group has fired.
  case mayBeIdle(IdleGroup, of: Key)
}

/// One run of a grouping with lifetimes.
///
/// The delivery retains it. The subscription to a lifetime does not retain the delivery: otherwise the
/// groups, to which it may be subscribed, would retain a run whose source has let go without a terminal
/// event.
@usableFromInline
final class GroupingRun<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: @unchecked Sendable {
  // Unchecked: accessed within serial delivery only; the core is set before there are events.
  @usableFromInline typealias Delivery = SerialDelivery<GroupingItem<Key, Value>, Failure>

  @usableFromInline let sink: Sink<GroupedSignal<Key, Value, Failure>, Failure>
  @usableFromInline let announce: @Sendable (GroupedSignal<Key, Value, Failure>) -> Void
  @usableFromInline let lifetime: GroupLifetime<Key, Value, Failure>
  /// Set if groups end when they are idle.
  @usableFromInline let idle: IdleClock?
  /// The groups whose ends were told inside of a delivery: they come right after it, before whatever waits.
  @usableFromInline let endings = OperatorState(FIFO<Key>())
  @usableFromInline let subjects = InnerSubjects<Value, Failure>()
  @exclusivity(unchecked) @usableFromInline var groups = Groups<Key, Value, Failure>()
  /// The same groups, if they end when they are idle.
  @exclusivity(unchecked) @usableFromInline var idleGroups: [Key: IdleGroup] = [:]
  /// Not owned: it owns this object.
  @exclusivity(unchecked) @usableFromInline weak var core: DeliveryCore?

  @inlinable
  init(
    into sink: Sink<GroupedSignal<Key, Value, Failure>, Failure>,
    _ lifetime: GroupLifetime<Key, Value, Failure>
  ) {
    self.sink = sink
    self.lifetime = lifetime
    idle = if case .idle(let quiet, let target) = lifetime.end { IdleClock(quiet, on: target) } else { nil }
    announce = sink.next
  }

  @inlinable
  func delivery() -> Delivery {
    let delivery = Delivery(
      to: Sink(
        next: { item in
          switch item {
          case .value(let value, let key, let arrival): self.send(value, of: key, at: arrival)
          case .over(let key): self.close(key)
          case .mayBeIdle(let group, let key): self.endIfIdle(group, of: key)
          }
          while let key = self.endings.value.popFirst() {
            if !self.sink.isEnded { self.close(key) }
          }
        },
        terminate: { self.subjects.end(self.sink, with: $0, open: self.groups.inOrder) },
        subscription: sink.subscription))
    core = delivery.core
    return delivery
  }

  @inlinable
  func send(_ value: Value, of key: Key, at arrival: Duration) {
    let (group, isNew) = groups.group(of: key)
    if idle != nil { idleGroups[key]?.last = arrival }
    if isNew {
      let signal = GroupedSignal(key: key, signal: subjects.signal(of: group))
      // First, so that the lifetime sees a value when it arrives, and not when the group's subscribers are
      // done with it.
      watch(signal, since: arrival)
      if sink.isEnded { return }
      announce(signal)
      if sink.isEnded { return }
    }
    group.send(value)
  }

  @inlinable
  func close(_ key: Key) {
    if idle != nil { idleGroups.removeValue(forKey: key)?.end() }
    groups.close(key)?.complete()
  }

  /// Makes the group end with its lifetime.
  @inlinable
  func watch(_ group: GroupedSignal<Key, Value, Failure>, since arrival: Duration) {
    guard let core else { return }
    switch lifetime.end {
    case .trigger(let watch):
      let waiting = Subscription()
      core.upstreams.adopt(waiting)
      watch(group, waiting, ending(group.key))
    case .idle:
      guard let idle else { return }
      let idleGroup = IdleGroup(since: arrival, in: core)
      idleGroups[group.key] = idleGroup
      ask(idleGroup, of: group.key, by: idle)
    }
  }

  /// What a lifetime calls when it is over.
  @inlinable
  func ending(_ key: Key) -> @Sendable () -> Void {
    { [weak core, endings] in
      guard let delivery = core.map(Delivery.init) else { return }
      if delivery.isHere { endings.value.append(key) } else { delivery.send(.over(key)) }
    }
  }
}
