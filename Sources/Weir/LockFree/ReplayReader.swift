// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The reading side of a ReplayLog, whose invariants are at the head of ReplayLog.swift.

/// Reads a ``ReplayLog`` from its oldest element on. It pins what it has not read yet, until ``leave()``.
@frozen @usableFromInline
struct ReplayReader<Element: Sendable> {
  @usableFromInline typealias Block = PinnedBlock<ReplaySegment>

  @usableFromInline let log: ReplayLog<Element>
  @usableFromInline var block: Block
  /// The number of the next element.
  @usableFromInline var position: UInt64
  /// The slot of that element in the segment.
  @usableFromInline var place = 0

  /// Starts with the oldest element that has not expired.
  @inlinable
  init(_ log: ReplayLog<Element>) {
    self.log = log
    block = log.cell.pin(reclaim: log.recycle).block
    // After the pin, by invariant 4.
    position = log.oldest
    place = block.payload.pointee.place(of: position)
    advance()
    if let age = log.age { skip(to: log.count, olderThan: age.pointee.now() - age.pointee.limit) }
  }

  /// Calls `visit` with the elements up to number `end`, until it returns false; after that only ``leave()``
  /// may be called.
  @inlinable @inline(__always)
  mutating func read(to end: UInt64, _ visit: (Element) -> Bool) {
    while position < end {
      let run = run(to: end)
      var element = block.payload.pointee.slots(of: Element.self) + place
      let last = element + run
      while element != last {
        if !visit(element.pointee) { return }
        element += 1
      }
      step(by: run)
    }
  }

  /// How many elements from here on, up to number `end`, are contiguous in memory; at least one.
  ///
  /// The caller has seen that there are so many: a successor that is not linked yet starts with a later one.
  @inlinable
  mutating func run(to end: UInt64) -> Int {
    advance()
    var limit = end
    if let successor = Block(bits: block.link.loadAcquire()) {
      limit = min(limit, successor.payload.pointee.base)
    }
    return min(Int(limit &- position), block.payload.pointee.size - place)
  }

  /// Removes the pin. To be called once, and last. Call ``ReplayLog/expire()`` in the turn afterwards, if the
  /// log is lagging.
  @inlinable
  func leave() { log.unpin(block) }

  /// Advances by `count` elements, which are contiguous.
  @inlinable @inline(__always)
  mutating func step(by count: Int) {
    position &+= UInt64(count)
    place = place + count == block.payload.pointee.size ? 0 : place + count
  }

  /// Moves on to the successor, if the position is there, and pins it; until then its predecessor pins it.
  @inlinable
  mutating func advance() {
    while let successor = Block(bits: block.link.loadAcquire()), position >= successor.payload.pointee.base {
      successor.control.add(PinnedControl.pin)
      log.unpin(block)
      block = successor
      place = block.payload.pointee.place(of: position)
    }
  }

  @inlinable
  mutating func skip(to end: UInt64, olderThan time: Duration) {
    while position < end {
      advance()
      guard let times = block.payload.pointee.times, times[place] <= time else { return }
      step(by: 1)
    }
  }
}
