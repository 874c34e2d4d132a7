// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// A snapshot cell whose payloads are counted resources beside a number.
private final class TestCell {
  private typealias Payload = (number: Int, resource: Resources.Resource)

  let resources = Resources()
  let cell: SnapshotCell
  private let hot: UnsafeMutablePointer<UInt64>
  private let cold: UnsafeMutablePointer<UInt64>

  init() {
    hot = .allocate(capacity: SnapshotWalker.wordCount)
    hot.initialize(repeating: 0, count: SnapshotWalker.wordCount)
    cold = .allocate(capacity: SnapshotCell.coldWordCount)
    cold.initialize(repeating: 0, count: SnapshotCell.coldWordCount)
    cell = SnapshotCell(hot: hot, cold: cold) {
      _ = SnapshotEntry(at: $0).payload.assumingMemoryBound(to: Payload.self).deinitialize(count: 1)
    }
  }

  deinit {
    cell.destroy()
    hot.deallocate()
    cold.deallocate()
  }

  var walker: SnapshotWalker { SnapshotWalker(hot) }

  func make(_ number: Int) -> SnapshotEntry {
    let entry = cell.makeEntry(ordinal: UInt64(number))
    entry.payload.initializeMemory(as: Payload.self, repeating: (number, resources.make()), count: 1)
    return entry
  }

  /// Lists an entry; nil if the cell is closed.
  func append(_ number: Int, as kind: SnapshotKind = .plain) -> SnapshotEntry? {
    let entry = make(number)
    if cell.append(entry, as: kind) { return entry }
    cell.release(entry)
    discard(entry)
    return nil
  }

  func fill(_ count: Int) -> [SnapshotEntry] { (0..<count).compactMap { append($0) } }

  func discard(_ entry: SnapshotEntry?) {
    guard let entry else { return }
    if entry.die() { cell.discard(entry) } else { cell.release(entry) }
  }

  func numbers(in block: SnapshotCell.Block) -> [Int] {
    var numbers = [Int]()
    walker.walk(block) { numbers.append(number(of: $0)) }
    return numbers
  }

  private func number(of entry: SnapshotEntry) -> Int {
    entry.payload.assumingMemoryBound(to: Payload.self).pointee.number
  }

  /// The numbers in the current snapshot, by kind.
  func kinds() -> (plain: [Int], marked: [Int]) {
    var numbers: (plain: [Int], marked: [Int]) = ([], [])
    for bits in walker.slots(of: walker.protectCurrent()) {
      let slot = SnapshotSlot(bits: bits)
      if let entry = slot.livePlainEntry { numbers.plain.append(number(of: entry)) }
      if let entry = slot.liveMarkedEntry { numbers.marked.append(number(of: entry)) }
    }
    leave()
    return numbers
  }

  /// Walks the current snapshot as a holder of the turn does, and runs `body` inside the walk.
  @discardableResult
  func walk(_ body: (SnapshotCell.Block) -> Void = { _ in }) -> [Int] {
    let block = walker.protectCurrent()
    body(block)
    let numbers = numbers(in: block)
    leave()
    return numbers
  }

  func leave() {
    _ = walker.hazard.exchange(0)
    if walker.hasRetired { cell.scavenge() }
  }
}

struct SnapshotCellTests {
  private let test = TestCell()

  @Test("an entry keeps the kind with which it was appended until it is dead, also when the list is renewed")
  func kinds() {
    let entries = (0..<40).map { test.append($0, as: $0.isMultiple(of: 3) ? .marked : .plain) }
    #expect(test.kinds().marked == (0..<40).filter { $0.isMultiple(of: 3) })
    #expect(test.kinds().plain == (0..<40).filter { !$0.isMultiple(of: 3) })
    for number in 0..<30 { test.discard(entries[number]) }
    #expect(test.kinds() == ([31, 32, 34, 35, 37, 38], [30, 33, 36, 39]))
    for number in 30..<40 { test.discard(entries[number]) }
    #expect(test.kinds() == ([], []))
    #expect(test.resources.problem == nil)
  }

  @Test("a slot is empty, sealed, or holds a plain or a marked entry")
  func slots() throws {
    let entry = try #require(test.append(0))
    defer { test.discard(entry) }
    #expect(SnapshotSlot(bits: SnapshotSlot.empty).entry == nil)
    #expect(SnapshotSlot(bits: SnapshotSlot.sealed).entry == nil)
    for kind in [SnapshotKind.plain, .marked] {
      let slot = SnapshotSlot(entry, kind)
      #expect(slot.entry?.bits == entry.bits)
      #expect((slot.livePlainEntry != nil) == (kind == .plain))
      #expect((slot.liveMarkedEntry != nil) == (kind == .marked))
    }
  }

  @Test("an entry is the front of a node of its pool, and finds the node, whatever the state of the entry")
  func node() {
    let (cell, entries) = (test.cell, test.fill(300))
    for (index, entry) in entries.enumerated() {
      #expect(entry.number == UInt32(index) + 1)
      #expect(entry.base == cell.entries.front(of: entry.number))
      #expect(entry.rear == cell.entries.node(entry.number))
      #expect(entry.ordinal.pointee == UInt64(index))
      entry.retain()
      #expect(entry.die())
      #expect(entry.rear == cell.entries.node(entry.number))
      cell.release(entry)
      cell.discard(entry)
    }
    #expect(test.resources.problem == nil)
  }

  @Test(
    "a walk visits the entries in the order of appending, whatever their number",
    arguments: [0, 1, 16, 17, 300])
  func order(count: Int) {
    let entries = test.fill(count)
    #expect(test.walk() == Array(0..<count))
    for entry in entries { test.discard(entry) }
    #expect(test.walk() == [])
    #expect(test.resources.alive == 0)
  }

  @Test("a discarded entry is released at once, and no later walk visits it")
  func discarded() {
    let entries = test.fill(5)
    test.discard(entries[2])
    #expect(test.resources.alive == 4)
    #expect(test.walk() == [0, 1, 3, 4])
    for index in [0, 1, 3, 4] { test.discard(entries[index]) }
  }

  @Test("die() returns true only the first time")
  func diesOnce() {
    let entry = test.append(1)
    #expect(entry?.die() == true)
    #expect(entry?.die() == false)
    #expect(entry?.isDead == true)
    if let entry { test.cell.discard(entry) }
    #expect(test.resources.alive == 0)
  }

  @Test("an entry discarded during a walk is not visited any more, and is released when the walk ends")
  func discardedInsideWalk() {
    let entries = test.fill(3)
    let seen = test.walk { _ in
      test.discard(entries[1])
      #expect(test.resources.alive == 3)
    }
    #expect(seen == [0, 2])
    #expect(test.resources.alive == 2)
    for index in [0, 2] { test.discard(entries[index]) }
  }

  @Test(
    "an entry appended after the snapshot of a walk is released at once when discarded, even during the walk")
  func youngerThanTheWalk() {
    let old = test.fill(16)
    test.walk { _ in
      for _ in 0..<100 {
        test.discard(test.append(99))
        #expect(test.resources.alive == 16)
      }
    }
    #expect(test.walk() == Array(0..<16))
    for entry in old { test.discard(entry) }
  }

  @Test("a walk retains its snapshot when the list is renewed during it; nothing is left at the end")
  func renewedInsideWalk() {
    let old = test.fill(16)
    var later = [SnapshotEntry]()
    let seen = test.walk { block in
      later = test.fill(100)
      for entry in later { test.discard(entry) }
      #expect(test.cell.cell.currentBlock() != block)
    }
    #expect(seen == Array(0..<16))
    #expect(test.walk() == Array(0..<16))
    for entry in old { test.discard(entry) }
    #expect(test.resources.alive == 0)
  }

  @Test("a list of mostly dead entries is compacted")
  func compaction() {
    let entries = test.fill(1_000)
    for entry in entries.dropFirst(10) { test.discard(entry) }
    let listed = test.cell.cell.currentBlock().control.load() >> 32
    #expect(listed < 64)
    #expect(test.walk() == Array(0..<10))
    for entry in entries.prefix(10) { test.discard(entry) }
  }

  @Test("as soon as an entry is listed, the slot of the first array is not empty, wherever the entry is")
  func firstSlot() {
    // So many that died before they were listed make the empty list crowded, and have it made anew.
    let early = (0...SnapshotCell.leastCapacity).map { test.make($0) }
    for entry in early where entry.die() { test.cell.discard(entry) }
    #expect(test.walk() == [])
    let entry = test.append(20)
    #expect(test.walk() == [20])
    #expect(test.walker.firstSlot.load() != SnapshotSlot.empty)
    for entry in early { test.cell.release(entry) }
    test.discard(entry)
    #expect(test.resources.alive == 0)
  }

  @Test("a closed list stays closed when so many of its entries leave that an open one would be made anew")
  func staysClosed() {
    let entries = test.fill(40)
    if let last = test.cell.close() { test.cell.unpin(last) }
    for entry in entries { test.discard(entry) }
    #expect(test.append(40) == nil && test.resources.alive == 0)
    #expect(test.cell.close() == nil)
  }

  @Test("each listed entry is a pin of the block that lists it, and of no block that was replaced")
  func pins() {
    func pins(_ block: SnapshotCell.Block) -> UInt64 {
      (block.control.load() & PinnedControl.pins) / PinnedControl.pin
    }
    var entries = test.fill(10)
    let first = test.cell.cell.currentBlock()
    #expect(pins(first) == 10)
    for entry in entries.prefix(4) { test.discard(entry) }
    #expect(pins(first) == 10)
    entries = entries.dropFirst(4) + test.fill(10)
    let second = test.cell.cell.currentBlock()
    #expect(second != first)
    #expect(pins(second) == 16)
    #expect(pins(first) == 0)
    #expect(first.control.load() & PinnedControl.claimed != 0)
    for entry in entries { test.discard(entry) }
  }

  @Test("entries and blocks are reused: appending and discarding repeatedly takes a bounded number")
  func reuse() {
    let stay = test.fill(20)
    for _ in 0..<200 { test.discard(test.append(0)) }
    let used = (test.cell.entries.used.load(), test.cell.cell.pool.used.load())
    for _ in 0..<20_000 { test.discard(test.append(0)) }
    #expect(test.cell.entries.used.load() == used.0)
    #expect(test.cell.cell.pool.used.load() == used.1)
    #expect(test.walk() == Array(0..<20))
    for entry in stay { test.discard(entry) }
  }

  @Test(
    "a closed list rejects and releases new entries; its last snapshot stays valid",
    arguments: [0, 5, 40])
  func closed(count: Int) {
    let entries = test.fill(count)
    let last = test.cell.close()
    #expect(last != nil)
    #expect(test.cell.close() == nil)
    #expect(test.append(9) == nil)
    #expect(test.resources.alive == count)
    if let last {
      test.walker.protect(last)
      #expect(test.numbers(in: last) == Array(0..<count))
      test.cell.unpin(last)
      for entry in entries { test.discard(entry) }
      test.leave()
    }
    #expect(test.resources.alive == 0)
    #expect(test.walk() == [])
  }

  @Test("destroying a cell releases the payloads of its entries")
  func destroyed() {
    let resources: Resources
    do {
      let cell = TestCell()
      resources = cell.resources
      for entry in cell.fill(20) { cell.cell.release(entry) }
      #expect(resources.alive == 20)
    }
    #expect(resources.alive == 0)
  }

  @Test("an entry that could not be listed keeps its payload for the thread that asks before it dies")
  func keptPayload() {
    #expect(test.cell.close().map { test.cell.unpin($0) } != nil)
    for isFirst in [true, false] {
      let entry = test.make(0)
      #expect(!test.cell.append(entry))
      if !isFirst { test.discard(entry) }
      #expect(entry.keepPayload() == isFirst)
      if isFirst { test.discard(entry) }
      #expect(test.resources.alive == (isFirst ? 1 : 0))
      test.cell.release(entry)
      #expect(test.resources.alive == 0)
    }
  }

  @Test("a published hazard that no longer names the current block is moved to it")
  func validation() {
    let entries = test.fill(16)
    let published = test.walker.current
    test.walker.protect(published)
    #expect(test.walker.validated(published) == published)
    let more = test.fill(1)
    let valid = test.walker.validated(published)
    #expect(valid == test.walker.current)
    #expect(valid != published)
    #expect(test.walker.hazard.load() == valid.bits | 1)
    test.leave()
    for entry in entries + more { test.discard(entry) }
  }
}
