// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One run of an operator that combines the values of several signals in rows.
///
/// A run is owned by the handler of its delivery, and used only in the delivery's turn, before the handler is
/// released. So the sinks of the signals refer to the run without owning it, and its values are released as
/// soon as it ends.
///
/// Its first two stored properties are its ``RowMemory/ReceiverWords`` and ``RowMemory/RoomWords``.
@usableFromInline
protocol RowRun<Shape, Failure>: AnyObject, Sendable, SendableMetatype {
  associatedtype Shape: Row
  associatedtype Failure: Error
  var elements: RowElements { get }
  var trigger: RowTrigger { get }
  var subscription: Subscription { get }
  /// The delivery. Not owned: it owns the run, and is alive whenever the run is used.
  var core: DeliveryCore? { get set }
  /// Takes a value of signal `index`, whose place in a row is `offset`.
  func take<Element>(_ value: Element, at index: Int, _ offset: Int)
  /// Signal `index` has completed.
  func end(_ index: Int)
}

/// Which signals' values trigger rows, and whose completion completes the run. If only the first does, it is
/// subscribed after the others.
@frozen @usableFromInline enum RowTrigger: Sendable { case all, first }

/// Work for the turn of a run: a value that arrives while the turn is taken, or a completion. The run is
/// alive whenever the work runs.
@usableFromInline typealias RowWork = () -> Void

extension RowRun {
  /// Makes the delivery, which owns the run.
  @inlinable
  func makeDelivery(before sink: consuming Sink<Shape.Whole, Failure>) -> SerialDelivery<RowWork, Failure> {
    let delivery = SerialDelivery<RowWork, Failure>(
      to: Sink(
        next: { [self] work in withExtendedLifetime(self) { work() } }, terminate: sink.terminate,
        subscription: sink.subscription))
    core = delivery.core
    return delivery
  }

  /// Called by the run itself to end: disposes the signals, and then sends the terminal event. As this is
  /// inside the turn, disposing the delivery leaves the release of the run to the code that gives up the
  /// turn. A clean-up of the signals may end the subscription.
  @inlinable
  func finish(_ completion: Completion<Failure>) {
    core?.endDelivery()
    subscription.pass(completion) { receiver.terminate($0) }
  }

  /// The inlet of signal `index`; nil if there is no reason to subscribe it.
  @inlinable
  func inlet(_ index: Int, of delivery: SerialDelivery<RowWork, Failure>) -> RowInlet<Failure>? {
    makeInput(index, of: delivery).map { input in RowInlet(input) { Self.end(input, with: $0) } }
  }

  /// The inlet of the first signal where no row comes without it: the run ends also when that lets go without
  /// a terminal event.
  @inlinable
  func vitalInlet(of delivery: SerialDelivery<RowWork, Failure>) -> RowInlet<Failure>? {
    makeInput(0, of: delivery).map { input in
      let lifeline = RowLifeline(input, of: subscription) { core, subscription in
        let delivery = SerialDelivery<RowWork, Failure>(core)
        // The terminal event has come, or is queued.
        if delivery.isEnding { return }
        delivery.afterItems { if !delivery.hasEnded { subscription.end() } }
      }
      return RowInlet(input) { Self.end(lifeline.input, with: $0) }
    }
  }

  @inlinable
  func makeInput(_ index: Int, of delivery: SerialDelivery<RowWork, Failure>) -> RowInput<Failure>? {
    guard let upstream = delivery.nextUpstream() else { return nil }
    return RowInput(
      at: index, offset: elements[index].offset,
      of: UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()),
      by: delivery.core, upstream, { Self.end($0, with: $1) })
  }

  @inlinable
  func listen<Element>(to signal: Signal<Element, Failure>, by inlet: consuming RowInlet<Failure>?) {
    guard let inlet else { return }
    signal.attach(
      Sink(
        route: .step({ value, frame in Self.receive(value, frame) }, inlet.input), gate: .ahead,
        ending: .early,
        terminate: inlet.terminate, subscription: inlet.input.upstream))
  }

  /// Takes a value of a signal. Not inlined, as it may be inlined into a thunk: see
  /// SerialDelivery+Listen.swift.
  @inlinable @inline(never)
  static func receive<Element>(_ value: Element, _ frame: Frame<Failure>) {
    let input: RowInput<Failure> = frame.own()
    take(value, by: input, in: SerialDelivery(input.core))
  }

  /// The delivery is an argument, because a variable would be retained.
  @inlinable @inline(__always)
  static func take<Element>(
    _ value: Element, by input: RowInput<Failure>, in delivery: SerialDelivery<RowWork, Failure>
  ) {
    let (run, index, offset) = (Unmanaged<Self>.fromOpaque(input.run), input.index, input.offset)
    switch delivery.enter(for: input.upstream) {
    case .entered:
      run._withUnsafeGuaranteedRef { $0.take(value, at: index, offset) }
      delivery.leave()
    case .busy: delivery.post { run._withUnsafeGuaranteedRef { $0.take(value, at: index, offset) } }
    case .ended: return
    }
  }

  @inlinable
  static func end(_ input: RowInput<Failure>, with completion: Completion<Failure>) {
    let delivery = SerialDelivery<RowWork, Failure>(input.core)
    delivery.end(input.upstream, with: completion) {
      let (run, index) = (Unmanaged<Self>.fromOpaque(input.run), input.index)
      delivery.send { run._withUnsafeGuaranteedRef { $0.end(index) } }
    }
  }
}

/// A signal of what a run makes of two signals, in pairs. Apart from longer rows, whose packs of signals are
/// slower to subscribe to: most rows are pairs.
@inlinable
func row<First, Second, Run: RowRun>(
  of first: Signal<First, Run.Failure>, _ second: Signal<Second, Run.Failure>,
  by makeRun: @escaping @Sendable (RowElements, Sink<Run.Shape.Whole, Run.Failure>) -> Run
) -> Signal<Run.Shape.Whole, Run.Failure> {
  let elements = RowElements(First.self, Second.self)
  elements.check(against: Run.Shape.Whole.self)
  return Signal<Run.Shape.Whole, Run.Failure>(attaching: { sink, _ in
    let run = makeRun(elements, sink)
    let delivery = run.makeDelivery(before: consume sink)
    if run.trigger == .all { run.listen(to: first, by: run.inlet(0, of: delivery)) }
    run.listen(to: second, by: run.inlet(1, of: delivery))
    if run.trigger == .first { run.listen(to: first, by: run.vitalInlet(of: delivery)) }
  })
}

/// A signal of what a run makes of three or more signals, in tuples with an element for each of them. (The
/// compiler of Swift 6.2 crashes if this function's type says so.)
///
/// - Parameters:
///   - first: the signal of the first element, which triggers rows in any case.
///   - second: the signal of the second one.
///   - third: the signal of the third one. Not among the others: code for elements of a pack is not
///     specialised, and most rows that are no pairs have three elements.
///   - others: the signals of further elements.
///   - makeRun: makes the run for one subscriber.
@inlinable
func row<First, Second, Third, each Other, Run: RowRun>(
  ofAll first: Signal<First, Run.Failure>, _ second: Signal<Second, Run.Failure>,
  _ third: Signal<Third, Run.Failure>, others: repeat Signal<each Other, Run.Failure>,
  by makeRun: @escaping @Sendable (RowElements, Sink<Run.Shape.Whole, Run.Failure>) -> Run
) -> Signal<Run.Shape.Whole, Run.Failure> {
  var elements = RowElements(First.self, Second.self)
  elements.append(Third.self)
  for type in repeat (each Other).self { elements.append(type) }
  elements.check(against: Run.Shape.Whole.self)
  return Signal<Run.Shape.Whole, Run.Failure>(attaching: { [elements] sink, _ in
    let run = makeRun(elements, sink)
    let delivery = run.makeDelivery(before: consume sink)
    if run.trigger == .all { run.listen(to: first, by: run.inlet(0, of: delivery)) }
    run.listen(to: second, by: run.inlet(1, of: delivery))
    run.listen(to: third, by: run.inlet(2, of: delivery))
    var index = 3
    for other in repeat each others {
      run.listen(to: other, by: run.inlet(index, of: delivery))
      index += 1
    }
    if run.trigger == .first { run.listen(to: first, by: run.vitalInlet(of: delivery)) }
  })
}

/// A signal of what a run makes of any number of signals; of none, one that completes.
@inlinable
func row<Value, Run: RowRun>(
  of signals: [Signal<Value, Run.Failure>],
  by makeRun: @escaping @Sendable (RowElements, Sink<Run.Shape.Whole, Run.Failure>) -> Run
) -> Signal<Run.Shape.Whole, Run.Failure> {
  let elements = RowElements(count: signals.count, of: Value.self)
  return Signal<Run.Shape.Whole, Run.Failure>(attaching: { sink, _ in
    let run = makeRun(elements, sink)
    let delivery = run.makeDelivery(before: consume sink)
    for (index, signal) in signals.enumerated() {
      run.listen(to: signal, by: run.inlet(index, of: delivery))
    }
    if signals.isEmpty { delivery.terminate(.completed) }
  })
}

/// The signal of a source whose type is erased. (Where the source is an element of a parameter pack, the
/// property crashes the compiler of Swift 6.2, written or inlined.)
@usableFromInline @inline(never)
func erased<Value, Failure>(_ source: any SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
  source.signal
}
