// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One run of combineLatest or withLatest: a row with the newest value of each signal.
@usableFromInline
final class LatestRun<Shape: Row, Failure: Error>: RowRun, @unchecked Sendable {
  // Unchecked: used within serial delivery only.
  @usableFromInline let shape: Shape
  @usableFromInline let trigger: RowTrigger
  /// The number of signals, the first ones, that trigger rows.
  @usableFromInline let triggers: Int
  @usableFromInline let row: UnsafeMutableRawPointer
  @usableFromInline let isFilled: UnsafeMutablePointer<Bool>
  @exclusivity(unchecked) @usableFromInline var missing: Int
  /// How many of those have not completed.
  @exclusivity(unchecked) @usableFromInline var running: Int
  /// Takes rows and the terminal event, ungated: the delivery has checked whether the run has ended. Its
  /// words lie before the row.
  @usableFromInline let receiver: Receiver<Shape.Whole, Failure>
  @usableFromInline let subscription: Subscription
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var core: DeliveryCore?
  /// ``send()``, specialised if the run is created where the types are known: for signals from the third on,
  /// whose code is not specialised.
  @usableFromInline let sending: (LatestRun) -> Void

  @inlinable
  init(_ shape: Shape, trigger: RowTrigger, to sink: Sink<Shape.Whole, Failure>) {
    self.shape = shape
    let count = shape.elements.count
    self.trigger = trigger
    triggers = trigger == .all ? count : 1
    // In one allocation.
    let alignment = max(shape.alignment, MemoryLayout<Int>.alignment)
    let offset = (8 * Receiver<Shape.Whole, Failure>.wordCount).alignedUp(to: alignment)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: offset + shape.stride + count, alignment: alignment)
    receiver = Receiver(at: memory)
    receiver.initialize(to: sink.route, terminate: sink.terminate)
    row = memory + offset
    isFilled = (row + shape.stride).bindMemory(to: Bool.self, capacity: count)
    isFilled.initialize(repeating: false, count: count)
    missing = count
    running = triggers
    sending = { $0.send() }
    subscription = sink.subscription
  }

  @inlinable
  deinit {
    for (index, element) in shape.elements.enumerated() where isFilled[index] { element.destroy(row) }
    receiver.any.destroy()
    receiver.place.deallocate()
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
    guard missing == 0, index < triggers else { return }
    // The replaced value may have ended the run when it was released.
    if !_isPOD(Element.self), subscription.isDisposed { return }
    if _isConcrete(Element.self) { send() } else { sending(self) }
  }

  @inlinable @inline(__always)
  func send() { receiver.next(shape.read(row)) }

  @inlinable
  func end(_ index: Int) {
    guard index < triggers else { return }
    running &-= 1
    if running == 0 { finish(.finished) }
  }
}
