// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends signals that each carry the next `count` values, and complete with the last of them.
  ///
  /// A window is hot, a ``Subject``: it is announced right before its first value, and who subscribes to it later than in that
  /// delivery misses what it has sent; after its end one gets just the end. So no window is empty, and none is announced before
  /// there is a value for it. When this signal ends, the outer signal ends first, and then the open window in the same way, as it is
  /// with ``group(by:)``.
  ///
  /// When the outer subscription is disposed, the run is over, and the subscriptions to the open window end without an event. A
  /// ``take(first:)`` behind this operator therefore leaves its last window empty: put one of as many values before it.
  ///
  /// Everything is sent where the source sends. Buffers nothing; one subject a window. ReactiveObjC has no such operator.
  ///
  /// - Precondition: `count` is positive.
  @inlinable
  public func window(count: Int) -> Signal<Signal<Value, Failure>, Failure> where Value: Sendable {
    precondition(count > 0, "weir: window(count: \(count)): the count must be positive")
    return lift { (sink: Sink<Signal<Value, Failure>, Failure>) in
      let next = sink.next
      let windows = InnerSubjects<Value, Failure>()
      let open = SubscriptionState<Subject<Value, Failure>?>(nil)
      let left = SubscriptionState(0)
      return sink.upstream(
        next: { value in
          let isNew = open.value == nil
          let window = open.value ?? Subject()
          if isNew {
            (open.value, left.value) = (window, count)
            next(windows.signal(of: window))
            if sink.isEnded { return }
          }
          left.value -= 1
          let isFull = left.value == 0
          if isFull { open.value = nil }
          window.send(value)
          if isFull, !sink.isEnded { window.terminate(.finished) }
        },
        terminate: { completion in windows.end(sink, with: completion, open: open.value.map { [$0] } ?? []) })
    }
  }
}
