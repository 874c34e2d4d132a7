// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One run of an operator that brings the values of several signals together in rows.
///
/// A run is owned by the handler of its delivery and used only in the turn of that, before the handler is
/// released. So what listens to the signals refers to it without owning it, and its values go as soon as the
/// run ends.
@usableFromInline
protocol RowRun<Shape, Failure>: AnyObject, Sendable, SendableMetatype {
  associatedtype Shape: Row
  associatedtype Failure: Error
  var shape: Shape { get }
  /// Whose subscription comes first.
  var order: SubscriptionOrder { get }
  /// Where rows and the end go.
  var receiver: Receiver<Shape.Whole, Failure> { get }
  var subscription: Subscription { get }
  /// The delivery. Not owned: it owns the run, and is there whenever that is used.
  var core: DeliveryCore? { get set }
  /// Takes a value of signal `index`, whose place in a row is `offset`.
  func take<Element>(_ value: Element, at index: Int, _ offset: Int)
  /// Signal `index` has completed.
  func end(_ index: Int)
}

/// In which order the signals of a row are subscribed.
@frozen @usableFromInline
enum SubscriptionOrder: Sendable { case firstToLast, firstAfterOthers }

/// What waits for the turn of a row. Made only where threads meet; the row is alive whenever it is called.
@usableFromInline typealias RowWork = () -> Void

extension RowRun {
  /// The delivery that owns the run.
  @inlinable
  func makeDelivery(before sink: Sink<Shape.Whole, Failure>) -> SerialDelivery<RowWork, Failure> {
    let delivery = SerialDelivery<RowWork, Failure>(
      to: Sink(
        next: { [self] work in withExtendedLifetime(self) { work() } }, terminate: sink.terminate,
        subscription: sink.subscription))
    core = delivery.core
    return delivery
  }

  /// Ends the whole, for the run itself: lets go of the signals, and then sends the end. As it is inside of
  /// the turn, disposing the delivery leaves the release of the run to who gives the turn up.
  @inlinable
  func finish(_ completion: Completion<Failure>) {
    core?.dispose()
    receiver.terminate(completion)
  }

  /// What ends the run behind what has been sent.
  @inlinable
  func lifeline(of delivery: SerialDelivery<RowWork, Failure>) -> RowLifeline {
    RowLifeline { [subscription] in
      // The end is there, or on its way.
      if delivery.isEnding { return }
      delivery.afterItems { if !delivery.isDisposed { subscription.dispose() } }
    }
  }

  @inlinable
  func listen<Element>(
    to signal: Signal<Element, Failure>, at index: Int, through delivery: SerialDelivery<RowWork, Failure>
  ) {
    let offset = shape.elements[index].offset
    let run = Unmanaged.passUnretained(self)
    guard let upstream = delivery.nextUpstream() else { return }
    let lifeline = order == .firstAfterOthers && index == 0 ? lifeline(of: delivery) : nil
    signal.attach(
      Sink(
        next: { value in
          switch delivery.enter() {
          case .entered:
            run._withUnsafeGuaranteedRef { $0.take(value, at: index, offset) }
            delivery.leave()
          case .busy: delivery.post { run._withUnsafeGuaranteedRef { $0.take(value, at: index, offset) } }
          case .ended: return
          }
        },
        terminate: { completion in
          defer { withExtendedLifetime(lifeline) {} }
          guard upstream.end() else { return }
          switch completion {
          case .finished: delivery.send { run._withUnsafeGuaranteedRef { $0.end(index) } }
          case .failed: delivery.terminate(completion)
          }
        },
        subscription: upstream))
  }
}

/// Ends a run when the signal without which no row comes lets go without a terminal event. Owned by the
/// closures of that signal.
@usableFromInline
final class RowLifeline: Sendable {
  private let end: @Sendable () -> Void
  @usableFromInline init(_ end: @escaping @Sendable () -> Void) { self.end = end }
  // Not inlinable: see Lifeline.
  deinit { end() }
}

/// A signal of tuples, made of two or more signals by a run.
@inlinable
func row<First, Second, each Other, Run: RowRun>(
  of first: Signal<First, Run.Failure>, _ second: Signal<Second, Run.Failure>,
  _ others: repeat Signal<each Other, Run.Failure>,
  by makeRun:
    @escaping @Sendable (
      TupleRow<(First, Second, repeat each Other)>, Sink<(First, Second, repeat each Other), Run.Failure>
    ) -> Run
) -> Signal<(First, Second, repeat each Other), Run.Failure>
where Run.Shape == TupleRow<(First, Second, repeat each Other)> {
  let shape = TupleRow<(First, Second, repeat each Other)>(
    of: First.self, Second.self, repeat (each Other).self)
  return Signal<(First, Second, repeat each Other), Run.Failure>(connecting: { sink in
    let run = makeRun(shape, sink)
    let delivery = run.makeDelivery(before: sink)
    if run.order == .firstToLast { run.listen(to: first, at: 0, through: delivery) }
    run.listen(to: second, at: 1, through: delivery)
    var index = 2
    for other in repeat each others {
      run.listen(to: other, at: index, through: delivery)
      index += 1
    }
    if run.order == .firstAfterOthers { run.listen(to: first, at: 0, through: delivery) }
  })
}

/// A signal of what any number of signals make together; of none, one that completes.
@inlinable
func row<Value, Shape: Row, Run: RowRun>(
  of signals: [Signal<Value, Run.Failure>], shaped shape: Shape,
  by makeRun: @escaping @Sendable (Shape, Sink<Shape.Whole, Run.Failure>) -> Run
) -> Signal<Shape.Whole, Run.Failure> where Run.Shape == Shape {
  Signal<Shape.Whole, Run.Failure>(connecting: { sink in
    let run = makeRun(shape, sink)
    let delivery = run.makeDelivery(before: sink)
    for (index, signal) in signals.enumerated() { run.listen(to: signal, at: index, through: delivery) }
    if signals.isEmpty { delivery.terminate(.finished) }
  })
}
