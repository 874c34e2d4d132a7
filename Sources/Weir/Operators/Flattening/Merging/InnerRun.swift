// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The run of one inner signal. It is owned by the closures of the sink that the signal is fed through: so
/// when it is released, the signal has ended or has let go without a terminal event, and nothing is retained
/// for it any longer. And it is the frame of the last step of the signal, if that has one.
@usableFromInline
class InnerRun<Failure: Error>: Frame<Failure>, @unchecked Sendable {
  // Unchecked: constant.
  @usableFromInline final let core: DeliveryCore
  @usableFromInline final let upstream = Subscription()
  @usableFromInline final let complete: @Sendable (_ count: Int) -> Void

  /// - Parameters:
  ///   - delivery: delivers what the signal sends, and its failure.
  ///   - complete: called with 1 when the signal has completed.
  @inlinable @inline(__always)
  init<Item>(
    in delivery: SerialDelivery<Item, Failure>, _ complete: @escaping @Sendable (_ count: Int) -> Void
  ) {
    core = delivery.core
    self.complete = complete
    super.init(fail: Self.keeping { delivery.terminate($0) })
  }

  @inlinable final override var failing: Subscription? { upstream }

  /// A closure of the signal ends the signal before the whole run, as a failure that the signal sends does.
  @inlinable
  final override func fail(_ error: Failure) {
    if upstream.end() { terminate(.failed(error)) } else { upstream.report(error) }
  }

  // Not inlinable: see Lifeline.
  deinit { if !upstream.isDisposed { upstream.endWithOwner() } }

  /// The sink of the signal; its values and its failure go to the delivery.
  @inlinable
  final func sink<Value>() -> Sink<Value, Failure> {
    sink { value, frame in Self.deliver(value, frame) }
  }

  /// Not inlined, as it may be inlined into a thunk: see SerialDelivery+Listen.swift.
  @inlinable @inline(never)
  static func deliver<Value>(_ value: Value, _ frame: Frame<Failure>) {
    let run: InnerRun<Failure> = frame.own()
    SerialDelivery<Value, Failure>(run.core).send(value, of: run.upstream)
  }

  /// - Parameter step: delivers a value of the signal. Checks whether that was disposed: a closure of an
  ///   operator before it may have done that.
  @inlinable @inline(__always)
  final func sink<Value>(_ step: @escaping Step<Value, Failure>) -> Sink<Value, Failure> {
    Sink(
      route: .step(step, self), gate: .ahead, ending: .early,
      terminate: { self.end(with: $0, in: SerialDelivery<Value, Failure>(self.core)) }, subscription: upstream
    )
  }

  /// To be called before the signal is subscribed; false if the whole run has ended meanwhile.
  @inlinable
  final func begin() -> Bool {
    core.upstreams.adopt(upstream)
    return !upstream.isDisposed
  }

  @inlinable
  final func end<Item>(with completion: Completion<Failure>, in delivery: SerialDelivery<Item, Failure>) {
    delivery.end(upstream, with: completion) { complete(1) }
  }
}

extension InnerRun {
  /// For the run of a signal that has a place: `complete` is called also for what was noted about places
  /// during the delivery of a value, with the number of places that are done.
  @inlinable @inline(__always)
  func deliver<Item>(_ item: Item, by delivery: SerialDelivery<Item, Failure>) {
    delivery.send(item)
    if let count = Places(of: core).takeNotes(after: delivery) { complete(count) }
  }
}
