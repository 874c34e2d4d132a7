// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// One run of combineLatest or withLatest: a row with the newest value of each signal.
@usableFromInline
final class LatestRun<Shape: Row, Failure: Error>: RowRun, @unchecked Sendable {
  // Unchecked: used within serial delivery only. The first two are at fixed offsets: see RowMemory.
  @exclusivity(unchecked) private var receiverWords = RowMemory.ReceiverWords(repeating: 0)
  @exclusivity(unchecked) private var roomWords = RowMemory.RoomWords(repeating: 0)
  /// A row, and for each signal whether its value is in there.
  @usableFromInline let memory: RowMemory
  @usableFromInline let elements: RowElements
  @usableFromInline let shape: Shape
  /// The size of a row.
  @usableFromInline let stride: Int
  @usableFromInline let trigger: RowTrigger
  /// The number of signals, the first ones, that trigger rows.
  @usableFromInline let triggers: Int
  @exclusivity(unchecked) @usableFromInline var missing: Int
  /// How many of those have not completed.
  @exclusivity(unchecked) @usableFromInline var running: Int
  @usableFromInline let subscription: Subscription
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var core: DeliveryCore?
  /// ``send()``, specialised if the run is created where the types are known: for signals from the fourth on,
  /// whose code is not specialised.
  @usableFromInline let sending: (LatestRun) -> Void

  @inlinable
  init(
    _ elements: RowElements, shaped shape: Shape, trigger: RowTrigger, to sink: Sink<Shape.Whole, Failure>
  ) {
    self.elements = elements
    self.shape = shape
    self.trigger = trigger
    stride = shape.stride
    missing = elements.count
    triggers = trigger == .all ? missing : 1
    running = triggers
    sending = { $0.send() }
    subscription = sink.subscription
    memory = RowMemory(byteCount: stride + missing, alignment: shape.alignment)
    receiver.initialize(to: sink.route, terminate: sink.terminate)
    isFilled.initialize(repeating: false, count: missing)
  }

  @inlinable
  deinit {
    for index in 0..<elements.count where isFilled[index] { elements[index].destroy(row) }
    receiver.any.destroy()
    memory.deallocate()
  }

  @inlinable @inline(__always) var row: UnsafeMutableRawPointer { memory.start(in: self) }
  @inlinable @inline(__always) var isFilled: UnsafeMutablePointer<Bool> {
    (row + stride).assumingMemoryBound(to: Bool.self)
  }

  @inlinable @inline(__always)
  func take<Element>(_ value: Element, at index: Int, _ offset: Int) {
    let place = (row + offset).assumingMemoryBound(to: Element.self)
    if missing > 0, !isFilled[index] {
      place.initialize(to: value)
      isFilled[index] = true
      missing &-= 1
    } else {
      place.pointee = value
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
    if running == 0 { finish(.completed) }
  }
}
