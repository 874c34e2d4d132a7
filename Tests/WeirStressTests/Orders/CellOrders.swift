// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

extension Stress.Orders {
  /// A list, and its walk.
  private final class Listed: Sendable {
    private let hot = Words(SnapshotWalker.wordCount)
    private let cold = Words(SnapshotCell.coldWordCount)
    let cell: SnapshotCell

    init() {
      cell = SnapshotCell(hot: hot.words, cold: cold.words) {
        // A plain store, which is seen; what the library does to the payload is not.
        let payload = SnapshotEntry(at: $0).payload
        payload.assumingMemoryBound(to: Int.self)[1] = 0
        _ = payload.assumingMemoryBound(to: Unguarded.self).deinitialize(count: 1)
      }
      for _ in 0..<SnapshotCell.leastCapacity { stay() }
    }
    deinit { cell.destroy() }

    /// Adds an entry that stays.
    func stay() { cell.release(append()) }

    func comeAndGo() { discard(append()) }

    func discard(_ entry: SnapshotEntry) { if entry.die() { cell.discard(entry) } }

    func append() -> SnapshotEntry {
      let entry = cell.makeEntry(ordinal: 0)
      entry.payload.initializeMemory(as: Unguarded.self, repeating: Unguarded(), count: 1)
      entry.payload.assumingMemoryBound(to: Int.self)[1] = 1
      _ = cell.append(entry)
      return entry
    }

    func walk() {
      let walker = SnapshotWalker(hot.words)
      walker.walk(walker.protectCurrent()) {
        $0.payload.assumingMemoryBound(to: Unguarded.self).pointee.touch()
      }
      _ = walker.hazard.exchange(0)
      if walker.hasRetired { cell.scavenge() }
    }
  }

  @Test(
    "a thread that walks a snapshot list sees each entry initialized, also in a list that was just replaced")
  func snapshotCell() {
    expectOrdered(
      setup: { Listed() },
      between: [{ it in it.walk() }],
      and: [
        { it in it.stay() },
        { it in it.comeAndGo() },
        { it in it.cell.compact() },
      ])
  }

  /// A list with an entry that leaves, once.
  private final class Visited: Sendable {
    private let list = Listed()
    private let guest: SnapshotEntry

    init() { guest = list.append() }

    func leave() { list.discard(guest) }

    func useAgain() {
      list.cell.compact()
      list.stay()
    }
  }

  @Test("the payload of a list entry is destroyed before the entry is reused")
  func snapshotEntry() {
    expectOrdered(setup: { Visited() }, between: [{ $0.leave() }], and: [{ $0.useAgain() }])
  }

  private final class Cell: Sendable {
    private let words = Words(1 + PinnedCell<Unguarded>.wordCount)
    let cell: PinnedCell<Unguarded>

    init() {
      cell = PinnedCell(current: words.words, words: words.words + 1)
      cell.publishFirst(Unguarded())
      for _ in 0..<4 { cell.update { $0 = Unguarded() } }
    }
    deinit { cell.destroy() }

    func read() -> Int {
      let (block, _) = cell.pin(reclaim: cell.recycle)
      defer { if cell.unpin(block) { cell.recycle(block) } }
      return block.payload.pointee.touches
    }
  }

  @Test("the value of a pinned cell is read whole and released after its last reader")
  func pinnedCell() {
    expectOrdered(
      setup: { Cell() },
      [
        { it in _ = it.read() },
        { it in it.cell.update { $0 = Unguarded(1) } },
        { it in for number in 0..<3 { it.cell.update { $0 = Unguarded(number) } } },
      ])
  }

  /// A cell whose first value has a reader that stays: so the second change takes a block of a new chunk.
  private final class Held: Sendable {
    private let words = Words(1 + PinnedCell<Unguarded>.wordCount)
    let cell: PinnedCell<Unguarded>
    private let held: UInt64

    init() {
      cell = PinnedCell(current: words.words, words: words.words + 1)
      cell.publishFirst(Unguarded())
      held = cell.pin(reclaim: { _ in }).block.bits
    }
    deinit {
      if let block = PinnedBlock<Unguarded>(bits: held), cell.unpin(block) { cell.recycle(block) }
      cell.destroy()
    }
  }

  @Test("a block of a pinned cell can be used by other threads, also in a chunk that was just allocated")
  func pinnedCellChunk() {
    expectOrdered(
      setup: { Held() },
      [
        { it in
          let (block, _) = it.cell.pin(reclaim: it.cell.recycle)
          if it.cell.unpin(block) { it.cell.recycle(block) }
        },
        { it in for number in 0..<3 { it.cell.update { $0 = Unguarded(number) } } },
      ])
  }

  private final class Value: Sendable {
    private let words = Words(ValueCell<Unguarded>.wordCount)
    let cell: ValueCell<Unguarded>

    init() {
      cell = ValueCell(words: words.words)
      cell.publishFirst(Unguarded())
    }
    deinit { cell.destroy() }
  }

  @Test("the value of a value cell is read whole")
  func valueCell() {
    expectOrdered(
      setup: { Value() },
      [
        { it in _ = it.cell.load().touches },
        { it in _ = it.cell.loadVersioned().value.touches },
        { it in _ = it.cell.exchange(Unguarded(1)).touches },
        { it in _ = it.cell.compareExchange(it.cell.loadVersioned().version, Unguarded(2)) },
      ])
  }
}
