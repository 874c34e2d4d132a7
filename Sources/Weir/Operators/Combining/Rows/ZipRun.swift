// Part of Weir. SPDX-License-Identifier: Apache-2.0

// One run of zip: a ring of rows that are filled from the oldest on.
//
// Invariants: signal i has stored its values `first ..< positions[i]`, numbered from the start of the run, in
// the rows of these numbers. `behind` signals have none in row `first`; when there are none such, that row is
// complete: it is moved out and sent, and `first` advances. So a tuple is moved as a whole, and nothing has
// to look for the shortest queue.

@usableFromInline
final class ZipRun<Shape: Row, Failure: Error>: RowRun, @unchecked Sendable {
  // Unchecked: used within serial delivery only. The first two are at fixed offsets: see RowMemory.
  @exclusivity(unchecked) private var receiverWords = RowMemory.ReceiverWords(repeating: 0)
  @exclusivity(unchecked) private var roomWords = RowMemory.RoomWords(repeating: 0)
  /// For each signal its position, and then for each whether it has ended.
  @usableFromInline let memory: RowMemory
  @usableFromInline let elements: RowElements
  @usableFromInline let shape: Shape
  @usableFromInline let stride: Int
  @usableFromInline let backlog: StoredBacklog<Failure>
  @exclusivity(unchecked) @usableFromInline var ring: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline var capacity = 4
  @exclusivity(unchecked) @usableFromInline var first = 0
  @exclusivity(unchecked) @usableFromInline var behind: Int
  @exclusivity(unchecked) @usableFromInline var someHaveEnded = false
  @usableFromInline let subscription: Subscription
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var core: DeliveryCore?
  /// ``sendFirstRow()``, specialised if the run is created where the types are known: for signals from the
  /// fourth on, whose code is not specialised.
  @usableFromInline let sending: (ZipRun) -> Void

  @inlinable
  init(
    _ elements: RowElements, shaped shape: Shape, waiting backlog: StoredBacklog<Failure>,
    to sink: Sink<Shape.Whole, Failure>
  ) {
    require(backlog.bound > 0, "weir: zip: the bound of the backlog must be positive")
    self.elements = elements
    self.shape = shape
    stride = shape.stride
    self.backlog = backlog
    let count = elements.count
    behind = count
    memory = RowMemory(
      byteCount: count * (MemoryLayout<Int>.size + 1), alignment: MemoryLayout<Int>.alignment)
    ring = .allocate(byteCount: 4 * shape.stride, alignment: shape.alignment)
    subscription = sink.subscription
    sending = { $0.sendFirstRow() }
    receiver.initialize(to: sink.route, terminate: sink.terminate)
    positions.initialize(repeating: 0, count: count)
    hasEnded.initialize(repeating: false, count: count)
  }

  @inlinable
  deinit {
    for index in 0..<elements.count {
      for position in first..<positions[index] { elements[index].destroy(row(position)) }
    }
    ring.deallocate()
    receiver.any.destroy()
    memory.deallocate()
  }

  @inlinable @inline(__always) var positions: UnsafeMutablePointer<Int> {
    memory.start(in: self).assumingMemoryBound(to: Int.self)
  }
  @inlinable @inline(__always) var hasEnded: UnsafeMutablePointer<Bool> {
    UnsafeMutableRawPointer(positions + elements.count).assumingMemoryBound(to: Bool.self)
  }

  @inlinable var trigger: RowTrigger { .all }

  @inlinable @inline(__always)
  func row(_ position: Int) -> UnsafeMutableRawPointer { ring + (position & (capacity &- 1)) &* stride }

  @inlinable @inline(__always)
  func take<Element>(_ value: Element, at index: Int, _ offset: Int) {
    if positions[index] &- first >= backlog.bound, !makeRoom(for: index) { return }
    let position = positions[index]
    let waiting = position &- first
    if waiting == capacity { grow() }
    (row(position) + offset).assumingMemoryBound(to: Element.self).initialize(to: value)
    positions[index] = position &+ 1
    if waiting > 0 { return }
    behind &-= 1
    if behind > 0 { return }
    if _isConcrete(Element.self) { sendFirstRow() } else { sending(self) }
  }

  @inlinable
  func sendFirstRow() {
    let whole = shape.take(row(first))
    first &+= 1
    for index in 0..<elements.count where positions[index] == first { behind &+= 1 }
    receiver.next(whole)
    if someHaveEnded, !subscription.isDisposed { endIfExhausted() }
  }

  @inlinable
  func end(_ index: Int) {
    hasEnded[index] = true
    someHaveEnded = true
    // No other signal can be exhausted: one that completed earlier was checked then, and again after each
    // row; it gets no more values, so it drops none.
    if positions[index] == first { finish(.completed) }
  }

  /// After a row, which may have taken the last value of a signal that has completed.
  @usableFromInline
  func endIfExhausted() {
    for index in 0..<elements.count where hasEnded[index] && positions[index] == first {
      return finish(.completed)
    }
  }

  /// Makes room for a value; false if that is to be dropped.
  @usableFromInline
  func makeRoom(for index: Int) -> Bool {
    backlog.original.makeRoom(
      in: "zip", of: subscription,
      dropOldest: {
        dropOldest(of: index)
        return true
      }, fail: { finish(.failed($0)) })
  }

  private func dropOldest(of index: Int) {
    let element = elements[index]
    element.destroy(row(first))
    for position in first + 1..<positions[index] { element.move(row(position), row(position - 1)) }
    positions[index] -= 1
    if positions[index] == first { behind += 1 }
  }

  @usableFromInline
  func grow() {
    let old = ring
    let oldMask = capacity - 1
    capacity *= 2
    ring = .allocate(byteCount: capacity * stride, alignment: shape.alignment)
    for index in 0..<elements.count {
      for position in first..<positions[index] {
        elements[index].move(old + (position & oldMask) * stride, row(position))
      }
    }
    old.deallocate()
  }
}
