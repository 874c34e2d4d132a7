// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends signals that each carry the next `count` values, and complete with the last of them.
  ///
  /// A window is hot, a ``Subject``: it is announced right before its first value. A subscriber that comes
  /// later than in that delivery, as behind an operator that queues, misses earlier values (put
  /// `map { $0.replay() }` in front of it); after the end of the window it gets just the terminal event. So
  /// no window is empty, and none is announced before there is a value for it. When this signal ends, the
  /// outer signal ends first, and then the open window, with the same terminal event, as with
  /// ``group(by:)``.
  ///
  /// When the outer subscription is disposed, the run is over, and the subscriptions to the open window end
  /// without an event. A ``take(first:)`` behind this operator therefore leaves its last window empty:
  /// limit the number of values upstream instead.
  ///
  /// Everything is sent on the thread on which the source sends. Buffers nothing; one subject per window.
  /// ReactiveObjC has no such operator.
  ///
  /// - Precondition: `count` is positive.
  @inlinable
  public func window(count: Int) -> Signal<Signal<Value, Failure>, Failure> where Value: Sendable {
    require(count > 0, "weir: window(count: \(count)): the count must be positive")
    return lift { (sink: Sink<Signal<Value, Failure>, Failure>) in
      let run = WindowRun(of: count, into: sink)
      return sink.upstream(next: { run.send($0) }, terminate: { run.end(with: $0) })
    }
  }
}
