// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends `values` to each subscriber first, on the subscribing thread, and then runs the signal, whose
  /// events pass through.
  ///
  /// Buffers nothing beyond `values`. Values that a hot source sends while `values` are being delivered are
  /// missed, as by any later subscriber. So if `values` start work whose results this signal brings, do not
  /// put them here, but behind its subscription: `merge(with: .deferred { start(); return .empty() })`.
  ///
  /// ReactiveObjC: `-startWith:`.
  @inlinable @inline(__always)
  public func startWith(_ values: Value...) -> Signal<Value, Failure> where Value: Sendable {
    let signal = self.signal
    return Signal(signal.timingOfPart) { [signal] sink, _ in
      if let sequence = sink.sequence {
        sequence.put(signal)
        return sequence.put(Signal(values))
      }
      for value in values {
        if sink.isEnded { return }
        sink.send(value)
      }
      if !sink.isEnded { signal.attach(sink) }
    }
  }
}
