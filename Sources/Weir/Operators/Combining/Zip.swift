// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Sends the first values of all signals as a tuple, then the second ones, and so on.
///
/// Values of a quicker signal wait for their partners, as many of each signal as `backlog` allows. The signals are subscribed in
/// order, so one that sends all its values while it is subscribed has them wait. Completes as soon as no further tuple can come: when
/// one has completed and none of its values waits. A failure of any is sent at once, before tuples that could still form. Tuples are
/// sent serially, on the thread that brings the last value of one, or on one that is delivering already. A value costs two
/// read-modify-writes, however many signals there are.
///
/// - Parameters:
///   - signals: any number of them; the same one given twice is subscribed twice.
///   - backlog: how many values of each signal may wait: 65,536 unless told. Whole tuples are kept, in at most twice
///     `MemoryLayout<(A, B, …)>.stride` bytes for each value of the bound; half as much again while the ring grows.
/// - Precondition: the bound is positive.
///
/// ReactiveObjC: `+zip:`, and with `map` `+zip:reduce:`; its queues have no bound.
@inlinable
public func zip<each Value, Failure>(
  _ signals: repeat any SignalConvertible<each Value, Failure>, waiting backlog: Backlog<Failure> = .standard
) -> Signal<(repeat each Value), Failure> {
  let signals = (repeat (each signals).signal)
  return Signal<(repeat each Value), Failure>(connecting: { sink in
    let run = ZipRun(TupleRow(of: repeat (each Value).self), waiting: backlog, to: sink)
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
  /// Sends the first values of this signal and `other` as a pair, then the second ones, and so on. See ``zip(_:waiting:)``.
  ///
  /// - Parameters:
  ///   - other: what to pair this signal with.
  ///   - backlog: how many values of each signal may wait: 65,536 unless told.
  ///
  /// ReactiveObjC: `-zipWith:`.
  @inlinable
  public func zip<Other>(
    with other: some SignalConvertible<Other, Failure>, waiting backlog: Backlog<Failure> = .standard
  ) -> Signal<(Value, Other), Failure> {
    Weir.zip(signal, other.signal, waiting: backlog)
  }
}

extension Signal {
  /// Sends the first values of all signals as an array, then the second ones, and so on; completes at once if there are none.
  /// The rest is as with ``zip(_:waiting:)``.
  ///
  /// - Parameters:
  ///   - signals: any number of them.
  ///   - backlog: how many values of each signal may wait: 65,536 unless told.
  ///
  /// ReactiveObjC: `+zip:`.
  public static func zip(_ signals: [Signal], waiting backlog: Backlog<Failure> = .standard) -> Signal<
    [Value], Failure
  > {
    Signal<[Value], Failure>(connecting: { sink in
      let run = ZipRun(ArrayRow<Value>(count: signals.count), waiting: backlog, to: sink)
      let delivery = run.makeDelivery(for: sink.subscription)
      for (index, signal) in signals.enumerated() { run.listen(to: signal, at: index, through: delivery) }
      if signals.isEmpty { delivery.terminate(.finished) }
    })
  }
}
