// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The values of one key, or of one partition. It is a hot signal, backed by a ``Subject`` for
/// ``SignalConvertible/group(by:)`` and ``SignalConvertible/group(by:lifetime:)``, and by an
/// ``UnserializedSubject`` for ``SignalConvertible/partitioned(by:into:)``.
///
/// ReactiveObjC: `RACGroupedSignal`.
public struct GroupedSignal<Key: Sendable, Value, Failure: Error>: SignalConvertible {
  /// The key that the values of this group have in common; of a partition, its number, counted from 0.
  ///
  /// ReactiveObjC: `key`.
  public let key: Key
  /// The values of this group. Any thread may subscribe; a late subscriber misses earlier values, and after
  /// the end gets just the terminal event.
  public let signal: Signal<Value, Failure>

  /// Creates a group, for a test of what handles groups.
  @inlinable
  public init(key: Key, signal: Signal<Value, Failure>) {
    self.key = key
    self.signal = signal
  }
}

extension SignalConvertible {
  /// Splits the signal by a key: sends one signal for each key, which sends `transform` of the values with
  /// this key.
  ///
  /// A group is announced right before its first value, so subscribing to it in that delivery misses none. A
  /// later subscriber, on another thread or behind an operator that queues, misses earlier values, unless
  /// `map { $0.replay() }` in front of that operator keeps them. The values of a group are sent in the order
  /// of the source, on the sending thread. When the signal ends, the outer signal ends first, and then the
  /// groups in the order in which they were announced, with the same terminal event; or all without one, if
  /// it lets go. So a failure ends a ``flatMap(_:)`` behind this before its groups hear of it, and a `catch`
  /// in the closure does not see it: put the `catch` upstream, and fail after the groups have completed, if
  /// they are to send what they have. If `key` or `transform` throws, all of them fail with that error, and
  /// the source is stopped; both are called once per value, before anything is sent.
  ///
  /// When the outer subscription is disposed, the run is over, as in ReactiveObjC, even for groups that still
  /// have subscribers: their subscriptions end without an event. Do not dispose the outer subscription as
  /// long as the groups are needed: ``take(first:)`` behind this operator does, as soon as it has its last
  /// group.
  ///
  /// Retains one subject for each key until the end: memory grows with the number of different keys, which
  /// only the choice of `key` bounds (a key that does not equal itself, such as `Double.nan`, is a new one
  /// each time); groups of ``group(by:lifetime:)`` end earlier. A group is announced once: a subscriber that
  /// has left it, as behind ``take(first:)`` or a time-out, gets no further values of its key. Buffers no
  /// values. A value costs a look-up in a dictionary and the send of a subject.
  ///
  /// - Parameters:
  ///   - key: returns the key of a value.
  ///   - transform: returns what the group sends for a value.
  ///
  /// ReactiveObjC: `-groupBy:transform:`.
  @inlinable
  public func group<Key: Hashable & Sendable, Output: Sendable>(
    by key: @escaping @Sendable (Value) throws(Failure) -> Key,
    transform: @escaping @Sendable (Value) throws(Failure) -> Output
  ) -> Signal<GroupedSignal<Key, Output, Failure>, Failure> {
    lift { (sink: Sink<GroupedSignal<Key, Output, Failure>, Failure>) in
      let next = sink.next
      let subjects = InnerSubjects<Output, Failure>()
      let groups = OperatorState(Groups<Key, Output, Failure>())
      return sink.upstream(
        next: { value in
          do throws(Failure) {
            let (key, output) = (try key(value), try transform(value))
            // Either closure may have disposed the run.
            if sink.isEnded { return }
            let (group, isNew) = groups.value.group(of: key)
            if isNew {
              next(GroupedSignal(key: key, signal: subjects.signal(of: group)))
              if sink.isEnded { return }
            }
            group.send(output)
          } catch {
            if sink.isEnded { return sink.subscription.report(error) }
            subjects.end(sink, with: .failed(error), open: groups.value.inOrder)
          }
        },
        terminate: { completion in subjects.end(sink, with: completion, open: groups.value.inOrder) })
    }
  }

  /// Splits the signal by a key: sends one signal for each key, which sends the values with this key. The
  /// rest is as with ``group(by:transform:)``.
  ///
  /// - Parameter key: returns the key of a value.
  ///
  /// ReactiveObjC: `-groupBy:`.
  @inlinable
  public func group<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Value) throws(Failure) -> Key
  ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> where Value: Sendable {
    group(by: key, transform: { $0 })
  }
}
