// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Sends the newest values of all signals as a tuple, each time one of them sends a value.
///
/// Nothing is sent until every signal has sent a value. They are subscribed in order: one that sends all its values while it is
/// subscribed is represented by its last. The same signal given twice is subscribed twice. Completes when all have completed,
/// also if one of them never sent a value; the first failure disposes the others and is sent on. Tuples are sent serially, in the
/// order in which values come, on the thread that brings one, or on one that is delivering already. Keeps the newest value of
/// each signal until the end, and buffers nothing unless threads meet.
///
/// A value costs two read-modify-writes, however many signals there are. Any number of signals can be given.
///
/// ReactiveObjC: `+combineLatest:`, and with `map` `+combineLatest:reduce:`.
@inlinable
public func combineLatest<each Value, Failure>(
  _ signals: repeat any SignalConvertible<each Value, Failure>
) -> Signal<(repeat each Value), Failure> {
  let signals = (repeat (each signals).signal)
  return Signal<(repeat each Value), Failure>(connecting: { sink in
    let run = LatestRun(TupleRow(of: repeat (each Value).self), trigger: .all, to: sink)
    let delivery = run.makeDelivery(for: sink.subscription)
    var index = 0
    for signal in repeat each signals {
      run.listen(to: signal, at: index, through: delivery)
      index += 1
    }
    if index == 0 { delivery.terminate(.finished) }
  })
}

extension SignalConvertible {
  /// Sends the newest values of this signal and `other` as a pair. See ``combineLatest(_:)``.
  ///
  /// ReactiveObjC: `-combineLatestWith:`.
  @inlinable
  public func combineLatest<Other>(
    with other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> {
    Weir.combineLatest(signal, other.signal)
  }
}

extension Signal {
  /// Sends the newest values of all signals as an array, each time one of them sends a value; completes at once if there are none.
  /// The rest is as with ``combineLatest(_:)``.
  ///
  /// ReactiveObjC: `+combineLatest:`.
  public static func combineLatest(_ signals: [Signal]) -> Signal<[Value], Failure> {
    Signal<[Value], Failure>(connecting: { sink in
      let run = LatestRun(ArrayRow<Value>(count: signals.count), trigger: .all, to: sink)
      let delivery = run.makeDelivery(for: sink.subscription)
      for (index, signal) in signals.enumerated() { run.listen(to: signal, at: index, through: delivery) }
      if signals.isEmpty { delivery.terminate(.finished) }
    })
  }
}
