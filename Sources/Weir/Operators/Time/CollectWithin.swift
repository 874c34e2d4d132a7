// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// Gathers values in arrays, and sends each array when `duration` has passed since its first value; on
  /// completion, sends the last array at once.
  ///
  /// The time starts when the source sends the first value of an array; so no array is empty, and no timer is
  /// set while there are no values. A failure drops the values gathered so far, and is forwarded at once. If
  /// the source lets go without a terminal event, the last array is still sent when its time is up, and then
  /// the run ends. Delivery is serial: an array is sent on `scheduler`, the last one on the thread on which
  /// the source completes, or on one that is already delivering. The end of the subscription cancels the
  /// timer.
  ///
  /// Buffers the values that arrive in that time, up to `backlog`. Costs one timer per array, and one turn
  /// per value (see ``Subject``). Values that arrive while an array is being sent on the scheduler wait in
  /// the queue of the turn, which is unbounded: only after that are they gathered, and dropped or failed if
  /// there are too many; an array whose time is up by then is sent right away. So if the subscriber may be
  /// slower than the source for long, put ``observe(on:_:waiting:failures:)`` behind this operator, with a
  /// bound there.
  ///
  /// - Parameters:
  ///   - duration: how long values are gathered.
  ///   - scheduler: measures the time, and sends the arrays. If it is shut down, the run ends without an
  ///     event when the time is up, and the array is lost.
  ///   - backlog: how many values an array may hold, and what happens to those beyond that. 1,048,576 by
  ///     default; one more stops the process.
  /// - Precondition: `duration` is positive.
  ///
  /// ReactiveObjC: `-bufferWithTime:onScheduler:`.
  @inlinable @inline(__always)
  public func collect(
    within duration: Duration, on scheduler: some TimedScheduler,
    waiting backlog: Backlog<Failure> = .standard
  ) -> Signal<[Value], Failure> {
    require(duration > .zero, "weir: collect(within: \(duration)): the duration must be positive")
    return collect(upTo: .max, within: duration, by: TimerTarget(scheduler), backlog)
  }

  /// Gathers values in arrays, and sends each array when it has `count` values, or when `duration` has passed
  /// since its first value, whichever comes first.
  ///
  /// A full array is sent on the thread that sends its last value, or on one that is already delivering.
  /// Buffers up to `count` values; sets at most one timer per `duration`, however many arrays fill up, unless
  /// the subscriber takes longer than that for an array. The rest is as with ``collect(within:on:waiting:)``.
  ///
  /// - Parameters:
  ///   - count: how many values an array has at most.
  ///   - duration: how long values are gathered.
  ///   - scheduler: measures the time. If it is shut down, the run ends without an event when the time is up,
  ///     even if no value is buffered any more.
  /// - Precondition: `count` and `duration` are positive.
  ///
  /// ReactiveObjC has no such operator.
  @inlinable @inline(__always)
  public func collect(
    count: Int, within duration: Duration, on scheduler: some TimedScheduler
  ) -> Signal<[Value], Failure> {
    require(
      count > 0 && duration > .zero,
      "weir: collect(count: \(count), within: \(duration)): the count and the duration must be positive")
    return collect(upTo: count, within: duration, by: TimerTarget(scheduler), .unbounded)
  }

  @inlinable
  func collect(
    upTo count: Int, within duration: Duration, by target: TimerTarget, _ backlog: Backlog<Failure>
  ) -> Signal<[Value], Failure> {
    let duration = duration.bounded
    return Signal<[Value], Failure>(attaching: { [source = signal] sink, _ in
      let next = sink.next
      let buffer = OperatorState(CollectBuffer<Value>())
      let timer = RunTimer<Sent<Value>, Failure>(on: target)
      let send = { @Sendable in
        let gathered = buffer.value.take()
        timer.letGo()
        if !gathered.isEmpty { next(gathered) }
      }
      let drop = { @Sendable in buffer.value = CollectBuffer() }
      let delivery = timer.delivery(
        to: sink,
        arrived: { arrival in
          guard buffer.value.count < backlog.bound else {
            let mayWait = backlog.makeRoom(
              in: "collect(within:)", of: sink.subscription, dropOldest: { true },
              fail: { timer.fail($0, to: sink, dropping: drop) })
            if mayWait { buffer.value.replaceOldest(with: arrival.value) }
            return
          }
          buffer.value.append(arrival.value)
          // The timer of an array that filled up keeps running, and fires in vain or is postponed: cancelling
          // it costs more.
          if buffer.value.count == count {
            send()
          } else if buffer.value.count == 1 {
            timer.keep(until: (arrival.time ?? timer.now).adding(duration))
          }
        },
        fired: send, drop: drop)
      delivery.listen(
        to: source,
        next: { delivery.send(.arrival(Sent($0)), orLeave: .arrival(Sent($0, at: timer.now))) })
    })
  }
}

/// The values of one array, used as a ring once it is full. Unless a value was replaced, the array is handed
/// over as it is; a ``FIFO`` would have to copy it.
@usableFromInline
struct CollectBuffer<Value> {
  @usableFromInline var values: [Value] = []
  @usableFromInline var oldest = 0

  @inlinable init() {}

  @inlinable var count: Int { values.count }

  @inlinable mutating func append(_ value: Value) { values.append(value) }

  /// Replaces the oldest value of a full buffer. Does nothing if there is no room for any.
  @inlinable
  mutating func replaceOldest(with value: Value) {
    if values.isEmpty { return }
    values[oldest] = value
    oldest = (oldest + 1) % values.count
  }

  /// Takes all values, the oldest first.
  @inlinable
  mutating func take() -> [Value] {
    defer { (values, oldest) = ([], 0) }
    return oldest == 0 ? values : Array(values[oldest...] + values[..<oldest])
  }
}
