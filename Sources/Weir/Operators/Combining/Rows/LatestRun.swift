// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One run of combineLatest or withLatest: a row with the newest value of each signal.
@usableFromInline
final class LatestRun<Shape: Row, Failure: Error>: RowRun, @unchecked Sendable {
  // Unchecked: used within serial delivery only.
  /// Which signal's values are sent on, and whose end is the end.
  @frozen @usableFromInline enum Trigger { case all, first }

  @usableFromInline let shape: Shape
  @usableFromInline let trigger: Trigger
  @usableFromInline let row: UnsafeMutableRawPointer
  @usableFromInline let isFilled: UnsafeMutablePointer<Bool>
  @exclusivity(unchecked) @usableFromInline var missing: Int
  @exclusivity(unchecked) @usableFromInline var running: Int
  /// Where rows and the end go, ungated: the delivery has asked whether the run has ended. Its words stand before the row.
  @usableFromInline let receiver: Receiver<Shape.Whole, Failure>

  @inlinable
  init(_ shape: Shape, trigger: Trigger, to sink: Sink<Shape.Whole, Failure>) {
    self.shape = shape
    self.trigger = trigger
    let count = shape.elements.count
    // In one piece.
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
    running = count
  }

  @inlinable
  deinit {
    for (index, element) in shape.elements.enumerated() where isFilled[index] { element.destroy(row) }
    receiver.any.destroy()
    receiver.place.deallocate()
  }

  @inlinable var order: SubscriptionOrder { trigger == .all ? .firstToLast : .firstAfterOthers }

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
    if missing == 0, trigger == .all || index == 0 { receiver.next(shape.read(row)) }
  }

  @inlinable
  func end(_ index: Int) {
    running &-= 1
    if trigger == .first ? index == 0 : running == 0 { receiver.terminate(.finished) }
  }
}
