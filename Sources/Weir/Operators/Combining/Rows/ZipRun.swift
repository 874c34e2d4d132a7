// Part of Weir. SPDX-License-Identifier: Apache-2.0

// One run of zip: a ring of rows that are filled from the oldest on.
//
// Invariants: signal i has stored its values `first ..< positions[i]`, numbered from the start of the run, in
// the rows of these numbers. `behind` signals have none in row `first`; when there are none such, that row is
// complete: it is moved out and sent, and `first` advances. So a tuple is moved as a whole, and nothing has
// to look for the shortest queue.

@usableFromInline
final class ZipRun<Shape: Row, Failure: Error>: RowRun, @unchecked Sendable {
  // Unchecked: used within serial delivery only.
  @usableFromInline let shape: Shape
  @usableFromInline let stride: Int
  @usableFromInline let backlog: Backlog<Failure>
  @usableFromInline let positions: UnsafeMutablePointer<Int>
  @usableFromInline let hasEnded: UnsafeMutablePointer<Bool>
  @exclusivity(unchecked) @usableFromInline var ring: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline var capacity = 4
  @exclusivity(unchecked) @usableFromInline var first = 0
  @exclusivity(unchecked) @usableFromInline var behind: Int
  @exclusivity(unchecked) @usableFromInline var someHaveEnded = false
  /// Takes rows and the terminal event, ungated: the delivery has checked whether the run has ended. Its
  /// words lie before the positions.
  @usableFromInline let receiver: Receiver<Shape.Whole, Failure>
  @usableFromInline let subscription: Subscription
  @exclusivity(unchecked) @usableFromInline unowned(unsafe) var core: DeliveryCore?
  /// ``sendFirstRow()``, specialised if the run is created where the types are known: for signals from the
  /// third on, whose code is not specialised.
  @usableFromInline let sending: (ZipRun) -> Void

  @inlinable
  init(_ shape: Shape, waiting backlog: Backlog<Failure>, to sink: Sink<Shape.Whole, Failure>) {
    precondition(backlog.bound > 0, "weir: zip: the bound of the backlog must be positive")
    self.shape = shape
    stride = shape.stride
    self.backlog = backlog
    behind = shape.elements.count
    // In one allocation.
    let offset = 8 * Receiver<Shape.Whole, Failure>.wordCount
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: offset + behind * (MemoryLayout<Int>.size + 1), alignment: MemoryLayout<Int>.alignment)
    receiver = Receiver(at: memory)
    receiver.initialize(to: sink.route, terminate: sink.terminate)
    positions = (memory + offset).bindMemory(to: Int.self, capacity: behind)
    positions.initialize(repeating: 0, count: behind)
    hasEnded = UnsafeMutableRawPointer(positions + behind).bindMemory(to: Bool.self, capacity: behind)
    hasEnded.initialize(repeating: false, count: behind)
    ring = .allocate(byteCount: 4 * shape.stride, alignment: shape.alignment)
    subscription = sink.subscription
    sending = { $0.sendFirstRow() }
  }

  @inlinable
  deinit {
    for (index, element) in shape.elements.enumerated() {
      for position in first..<positions[index] { element.destroy(row(position)) }
    }
    ring.deallocate()
    receiver.any.destroy()
    receiver.place.deallocate()
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
    for index in 0..<shape.elements.count where positions[index] == first { behind &+= 1 }
    receiver.next(whole)
    if someHaveEnded, !subscription.isDisposed { endIfExhausted() }
  }

  @inlinable
  func end(_ index: Int) {
    hasEnded[index] = true
    someHaveEnded = true
    // No other signal can be exhausted: one that completed earlier was checked then, and again after each
    // row; it gets no more values, so it drops none.
    if positions[index] == first { finish(.finished) }
  }

  /// After a row, which may have taken the last value of a signal that has completed.
  @usableFromInline
  func endIfExhausted() {
    for index in 0..<shape.elements.count where hasEnded[index] && positions[index] == first {
      return finish(.finished)
    }
  }

  /// Makes room for a value; false if that is to be dropped.
  @usableFromInline
  func makeRoom(for index: Int) -> Bool {
    backlog.makeRoom(
      in: "zip", of: subscription,
      dropOldest: {
        dropOldest(of: index)
        return true
      }, fail: { finish(.failed($0)) })
  }

  private func dropOldest(of index: Int) {
    let element = shape.elements[index]
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
    for (index, element) in shape.elements.enumerated() {
      for position in first..<positions[index] {
        element.move(old + (position & oldMask) * stride, row(position))
      }
    }
    old.deallocate()
  }
}
