// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One run of combineLatest or withLatest: a row with the newest value of each signal.
///
/// It is owned by the handler of a delivery and used only in the turn of that, before the handler is released. So what listens
/// to the signals refers to it without owning it, and its values go as soon as the run ends.
@usableFromInline
final class LatestRun<Shape: Row, Failure: Error>: @unchecked Sendable {
  // Unchecked: used within serial delivery only.
  /// Which signal's values are sent on, and whose end is the end.
  @frozen @usableFromInline enum Trigger { case all, first }

  @usableFromInline let shape: Shape
  @usableFromInline let trigger: Trigger
  @usableFromInline let row: UnsafeMutableRawPointer
  @usableFromInline let isFilled: UnsafeMutablePointer<Bool>
  @exclusivity(unchecked) @usableFromInline var missing: Int
  @exclusivity(unchecked) @usableFromInline var running: Int
  /// Ungated: the delivery has asked whether the run has ended.
  @usableFromInline let next: @Sendable (Shape.Whole) -> Void
  @usableFromInline let terminate: @Sendable (Completion<Failure>) -> Void

  @inlinable
  init(_ shape: Shape, trigger: Trigger, to sink: Sink<Shape.Whole, Failure>) {
    self.shape = shape
    self.trigger = trigger
    row = .allocate(byteCount: shape.stride, alignment: shape.alignment)
    let count = shape.elements.count
    isFilled = .allocate(capacity: count)
    isFilled.initialize(repeating: false, count: count)
    missing = count
    running = count
    next = sink.direct
    terminate = sink.terminate
  }

  @inlinable
  deinit {
    for (index, element) in shape.elements.enumerated() where isFilled[index] { element.destroy(row) }
    row.deallocate()
    isFilled.deallocate()
  }

  /// The delivery that owns the run.
  @inlinable
  func makeDelivery(for subscription: Subscription) -> SerialDelivery<RowWork, Failure> {
    SerialDelivery(
      to: Sink(
        next: { [self] work in withExtendedLifetime(self) { work() } }, terminate: terminate,
        subscription: subscription))
  }

  @inlinable
  func listen<Element>(
    to signal: Signal<Element, Failure>, at index: Int, through delivery: SerialDelivery<RowWork, Failure>
  ) {
    let offset = shape.elements[index].offset
    let run = Unmanaged.passUnretained(self)
    delivery.listen(
      to: signal,
      next: { value in
        switch delivery.enter() {
        case .entered:
          run._withUnsafeGuaranteedRef { $0.take(value, at: index, offset) }
          delivery.leave()
        case .busy: delivery.post { run._withUnsafeGuaranteedRef { $0.take(value, at: index, offset) } }
        case .ended: return
        }
      },
      completed: { delivery.send { run._withUnsafeGuaranteedRef { $0.end(index) } } })
  }

  @inlinable @inline(__always)
  func take<Element>(_ value: Element, at index: Int, _ offset: Int) {
    let place = (row + offset).assumingMemoryBound(to: Element.self)
    if isFilled[index] {
      place.pointee = value
    } else {
      place.initialize(to: value)
      isFilled[index] = true
      missing &-= 1
    }
    if missing == 0, trigger == .all || index == 0 { next(shape.read(row)) }
  }

  @inlinable
  func end(_ index: Int) {
    running &-= 1
    if trigger == .first ? index == 0 : running == 0 { terminate(.finished) }
  }
}

/// What waits for the turn of a row. Made only where threads meet; the row is alive whenever it is called.
@usableFromInline typealias RowWork = () -> Void
