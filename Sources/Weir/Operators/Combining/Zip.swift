// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the first values of both as a pair, then the second ones, and so on.
  ///
  /// Values of the quicker signal wait for their partners in a queue that has no bound but memory: at most the number of
  /// values by which one is ahead. Completes as soon as no further pair can come: when one has completed and none of its
  /// values waits. A failure of either is sent at once, before pairs that could still form. Pairs are sent serially, on the
  /// thread that brings the second value of the pair, or on one that is delivering already.
  ///
  /// ReactiveObjC: `-zipWith:`.
  public func zip<Other>(
    with other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> {
    Signal<(Value, Other), Failure>(connecting: { [left = signal, right = other.signal] sink in
      let state = SubscriptionState(ZipState<Value, Other>())
      let next = sink.next
      let delivery = SerialDelivery(
        to: Sink<ZipItem<Value, Other>, Failure>(
          next: { item in
            if let pair = state.value.take(item) { next(pair) }
            if state.value.isExhausted { sink.terminate(.finished) }
          },
          terminate: sink.terminate, subscription: sink.subscription))
      delivery.listen(to: left, values: ZipItem.left, end: .leftEnd)
      delivery.listen(to: right, values: ZipItem.right, end: .rightEnd)
    })
  }
}

private enum ZipItem<Left, Right> {
  case left(Left)
  case right(Right)
  case leftEnd
  case rightEnd
}

/// What waits for a partner. At any time at most one of the queues holds something.
private struct ZipState<Left, Right> {
  private var left = FIFO<Left>()
  private var right = FIFO<Right>()
  private var leftHasEnded = false
  private var rightHasEnded = false

  mutating func take(_ item: ZipItem<Left, Right>) -> (Left, Right)? {
    switch item {
    case .left(let value):
      if let partner = right.popFirst() { return (value, partner) }
      left.append(value)
    case .right(let value):
      if let partner = left.popFirst() { return (partner, value) }
      right.append(value)
    case .leftEnd: leftHasEnded = true
    case .rightEnd: rightHasEnded = true
    }
    return nil
  }

  var isExhausted: Bool { leftHasEnded && left.isEmpty || rightHasEnded && right.isEmpty }
}
