// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The values of one key, out of ``SignalConvertible/group(by:)``. It is a hot signal: a ``Subject`` is
/// behind it.
///
/// ReactiveObjC: `RACGroupedSignal`.
public struct GroupedSignal<Key: Sendable, Value, Failure: Error>: SignalConvertible {
  /// What the values of this group have in common.
  public let key: Key
  /// The values of this group. From any thread; who subscribes late misses what came before, and after the
  /// end gets just the end.
  public let signal: Signal<Value, Failure>

  @inlinable
  init(key: Key, signal: Signal<Value, Failure>) {
    self.key = key
    self.signal = signal
  }
}

extension SignalConvertible {
  /// Splits the signal by a key: sends one signal for each key, and in it `transform` of the values that have
  /// this key.
  ///
  /// A group is announced right before its first value, so who subscribes to it in that delivery misses none.
  /// Who comes later, on another thread or behind an operator that queues, misses what came before. The
  /// values of a group come in the order of the source, and where it sends. When the signal ends, the outer
  /// signal ends first, and then the groups in the order in which they were announced, in the same way. If
  /// `key` or `transform` throws, all of them fail so, and the source is stopped; both are called once a
  /// value, before anything is sent.
  ///
  /// When the outer subscription is disposed, the run is over, as in ReactiveObjC, also for groups that
  /// somebody still listens to: their subscriptions end without an event. Keep the outer subscription for as
  /// long as the groups are needed.
  ///
  /// Keeps one subject for each key until the end: memory grows with the number of different keys, which only
  /// the choice of `key` bounds; groups of ``group(by:lifetime:)`` end before. A group is announced once:
  /// whoever has left it, as behind ``take(first:)`` or a time-out, does not hear of its key again. Buffers
  /// no values. Costs a look-up in a dictionary and the send of a subject a value.
  ///
  /// ReactiveObjC: `-groupBy:transform:`.
  ///
  /// - Parameters:
  ///   - key: returns the key of a value.
  ///   - transform: returns what the group sends for a value.
  @inlinable
  public func group<Key: Hashable & Sendable, Output: Sendable>(
    by key: @escaping @Sendable (Value) throws(Failure) -> Key,
    transform: @escaping @Sendable (Value) throws(Failure) -> Output
  ) -> Signal<GroupedSignal<Key, Output, Failure>, Failure> {
    lift { (sink: Sink<GroupedSignal<Key, Output, Failure>, Failure>) in
      let next = sink.next
      let subjects = InnerSubjects<Output, Failure>()
      let groups = SubscriptionState(Groups<Key, Output, Failure>())
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

  /// Splits the signal by a key: sends one signal for each key, which carries the values that have this key.
  /// The rest is as with ``group(by:transform:)``.
  ///
  /// ReactiveObjC: `-groupBy:`.
  ///
  /// - Parameter key: returns the key of a value.
  @inlinable
  public func group<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Value) throws(Failure) -> Key
  ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> where Value: Sendable {
    group(by: key, transform: { $0 })
  }
}
