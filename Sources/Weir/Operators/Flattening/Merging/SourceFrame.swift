// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The frame of all immediate signals that feed one delivery, so that none has to make its own.
@usableFromInline
class ImmediateFrame<Item, Failure: Error>: Frame<Failure>, @unchecked Sendable {  // as Frame
  @usableFromInline final let delivery: SerialDelivery<Item, Failure>

  @inlinable
  init(of delivery: SerialDelivery<Item, Failure>) {
    self.delivery = delivery
    super.init(fail: { if case .failed = $0 { delivery.terminate($0) } })
  }

  /// The sink to which these signals are connected, if their values are delivered as they are.
  @inlinable
  final var sink: Sink<Item, Failure> {
    // The delivery itself checks whether the run has ended.
    Sink(
      route: .step({ unsafeDowncast($1, to: ImmediateFrame.self).delivery.send($0) }, self),
      gate: .ahead, ending: .early, terminate: terminate, subscription: delivery.upstreams)
  }
}

/// The frame of the last step of a source that makes signals, and of all immediate ones of these signals.
@usableFromInline
class SourceFrame<Item, Failure: Error>: ImmediateFrame<Item, Failure>, @unchecked Sendable {
  // Unchecked: `runsImmediate` belongs to the code that the source calls, the rest is constant.
  /// Whether a signal is running in this frame: then what fails is not the source.
  @exclusivity(unchecked) @usableFromInline final var runsImmediate = false
  /// The subscription of the source.
  @usableFromInline final let source = Subscription()

  @inlinable
  override init(of delivery: SerialDelivery<Item, Failure>) {
    super.init(of: delivery)
    delivery.upstreams.adopt(source)
  }

  // Not inlinable: see Lifeline. The source has ended, or has let go without a terminal event.
  deinit { if !source.isDisposed { source.endWithOwner() } }

  /// The source may let go while it makes a signal, whose failure is forwarded nevertheless; the delivery
  /// reports it after the end.
  @inlinable override final var failing: Subscription? { runsImmediate ? nil : source }

  /// A closure of the source ends the source before the run, as a failure that the source sends does.
  @inlinable
  override final func fail(_ error: Failure) {
    if runsImmediate {
      failClosure(error)
    } else if source.isDisposed {
      source.report(error)
    } else {
      endSource(with: .failed(error))
    }
  }

  /// Ends the run with an error of the closure that makes a signal.
  @inlinable
  final func failClosure(_ error: Failure) { delivery.terminate(.failed(error)) }

  /// - Parameter step: what to do with a value of the source. Checks whether the source was disposed: a
  ///   closure of an operator before it may have done that.
  @inlinable @inline(__always)
  final func sinkOfSource<Input>(_ step: @escaping Step<Input, Failure>) -> Sink<Input, Failure> {
    Sink<Input, Failure>(
      route: .step(step, self), gate: .ahead, ending: .early, terminate: { self.endSource(with: $0) },
      subscription: source)
  }

  @inlinable
  final func endSource(with completion: Completion<Failure>) {
    delivery.end(source, with: completion) { sourceCompleted() }
  }

  /// Called when the source has completed.
  @usableFromInline
  func sourceCompleted() {}
}
