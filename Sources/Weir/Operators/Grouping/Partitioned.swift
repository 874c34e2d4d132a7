// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Distributes the values to a fixed number of signals, by their keys: values with the same key go to the
  /// same partition, in order.
  ///
  /// This spreads a stream over workers without losing the order that matters:
  ///
  /// ```swift
  /// orders.partitioned(by: \.account, into: 4).subscribe { partition in
  ///   partition.observe(on: SerialScheduler()).subscribe { book($0) }
  /// }
  /// ```
  ///
  /// The partitions are sent on subscription, before the source runs, numbered from 0; subscribing to them in
  /// that delivery misses no value. Each is a hot signal and delivers on the thread on which the source
  /// sends; ``observe(on:_:waiting:failures:)`` moves it to a worker, and sets the bound of the buffered
  /// values. Which keys share a partition differs from one process to the next.
  ///
  /// When the signal ends, the outer signal ends first, and then the partitions, in order, with the same
  /// terminal event, or all without one, if it lets go. If `key` throws, all of them fail with that error,
  /// and the source is stopped. When the outer subscription is disposed, as by a ``take(first:)`` behind this
  /// operator, the run is over, even for partitions that still have subscribers: their subscriptions end
  /// without an event.
  ///
  /// Buffers nothing. A value costs the hash of its key and the send of an ``UnserializedSubject``. It pays
  /// off when the work for a value takes longer than handing the value over: see <doc:Scaling>.
  ///
  /// - Parameters:
  ///   - key: returns the key of a value; values with the same key stay in order.
  ///   - count: the number of partitions; about the number of processors.
  /// - Precondition: `count` is positive.
  ///
  /// ReactiveObjC has no such operator; ``group(by:)`` makes a signal for each key.
  @inlinable
  public func partitioned<Key: Hashable & Sendable>(
    by key: @escaping @Sendable (Value) throws(Failure) -> Key, into count: Int
  ) -> Signal<GroupedSignal<Int, Value, Failure>, Failure> {
    require(count > 0, "weir: partitioned(by:into: \(count)): the count must be positive")
    return Signal(attaching: { [signal] sink, _ in
      let subjects = InnerSubjects<Value, Failure>()
      let partitions = (0..<count).map { _ in UnserializedSubject<Value, Failure>() }
      let next = sink.next
      for (number, partition) in partitions.enumerated() {
        if sink.isEnded { return }
        next(GroupedSignal(key: number, signal: subjects.signal(of: partition)))
      }
      if sink.isEnded { return }
      signal.attach(
        sink.upstream(
          next: { value in
            do throws(Failure) {
              let number = partition(of: try key(value), count)
              if !sink.isEnded { partitions[number].send(value) }
            } catch {
              if sink.isEnded { return sink.subscription.report(error) }
              subjects.end(sink, with: .failed(error), open: partitions)
            }
          },
          terminate: { subjects.end(sink, with: $0, open: partitions) }))
    })
  }
}

/// Spreads keys evenly: the high bits of the product are the hash, scaled down to `count`. Not by
/// `hashValue`, which the key may implement itself, with high bits that are all alike.
@inlinable
func partition(of key: some Hashable, _ count: Int) -> Int {
  var hasher = Hasher()
  key.hash(into: &hasher)
  return Int(UInt(bitPattern: hasher.finalize()).multipliedFullWidth(by: UInt(count)).high)
}
