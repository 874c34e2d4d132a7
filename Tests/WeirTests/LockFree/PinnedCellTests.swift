// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct PinnedCellTests {
  private typealias Cell = PinnedCell<Resources.Resource>
  private let resources = Resources()

  private func withCell(_ body: (Cell) -> Void) {
    withWords(1 + Cell.wordCount) { words in
      let cell = Cell(current: words, words: words + 1)
      cell.publishFirst(resources.make())
      body(cell)
      cell.destroy()
    }
    #expect(resources.alive == 0)
  }

  /// Replaces the content, and recycles the old block unless somebody pins it.
  private func replace(_ cell: Cell) {
    let (block, _) = cell.pin(reclaim: cell.recycle)
    let new = cell.make(resources.make(), sequence: block.sequence.load() + 1)
    #expect(cell.replace(block, by: new))
    if cell.unpin(block) { cell.recycle(block) }
  }

  @Test("a replaced payload is destroyed at once if its block is not pinned")
  func replaced() {
    withCell { cell in
      #expect(resources.alive == 1)
      let first = cell.currentBlock()
      replace(cell)
      #expect(cell.currentBlock() != first)
      #expect(resources.alive == 1)
    }
  }

  @Test("a pinned payload is retained until the last unpin, which alone claims the block")
  func pinned() {
    withCell { cell in
      let (block, _) = cell.pin(reclaim: cell.recycle)
      let (again, _) = cell.pin(reclaim: cell.recycle)
      #expect(block == again)
      replace(cell)
      #expect(resources.alive == 2)
      #expect(!cell.unpin(block))
      #expect(resources.alive == 2)
      #expect(cell.unpin(again))
      cell.recycle(again)
      #expect(resources.alive == 1)
    }
  }

  @Test("O6: a block is reclaimed only after all reads under a pin; a replacement is seen complete")
  func threads() {
    typealias Place = UnsafeMutablePointer<Int>
    withWords(1 + PinnedCell<Place>.wordCount) { words in
      let cell = PinnedCell<Place>(current: words, words: words + 1)
      // Plain memory behind the payload: ThreadSanitizer sees who reads and writes it.
      @Sendable func place(of number: Int) -> Place {
        let place = Place.allocate(capacity: 1)
        place.initialize(to: number)
        return place
      }
      @Sendable func reclaim(_ block: PinnedBlock<Place>) {
        block.payload.pointee.pointee = 0
        block.payload.pointee.deallocate()
        cell.recycle(block)
      }
      cell.publishFirst(place(of: 1))
      let reclaimed = Counter()
      withThreads(4) { index in
        for round in 1...1_000 {
          let (block, _) = cell.pin(reclaim: reclaim)
          if block.payload.pointee.pointee == 0 { reclaimed.add() }
          if index < 2 {
            let new = cell.make(place(of: round), sequence: 0)
            if !cell.replace(block, by: new) { reclaim(new) }
          }
          if cell.unpin(block) { reclaim(block) }
        }
      }
      #expect(reclaimed.value == 0)
      cell.currentBlock().payload.pointee.deallocate()
      cell.destroy()
    }
  }

  @Test("unpinning the current block does not claim it")
  func unreplaced() {
    withCell { cell in
      let (block, _) = cell.pin(reclaim: cell.recycle)
      #expect(!cell.unpin(block))
      #expect(block == cell.currentBlock())
    }
  }

  @Test("a block that is no longer current cannot be replaced")
  func stale() {
    withCell { cell in
      let (block, _) = cell.pin(reclaim: cell.recycle)
      replace(cell)
      let late = cell.make(resources.make(), sequence: 9)
      #expect(!cell.replace(block, by: late))
      cell.recycle(late)
      if cell.unpin(block) { cell.recycle(block) }
      #expect(resources.alive == 1)
    }
  }

  @Test("a stray pin on a recycled block does not claim it again, and is kept when the block is reused")
  func strayPin() {
    withCell { cell in
      let first = cell.currentBlock()
      replace(cell)
      first.control.add(PinnedControl.pin)
      #expect(!cell.unpin(first))
      first.control.add(PinnedControl.pin)
      let revived = cell.make(resources.make(), sequence: 3)
      #expect(revived == first)
      #expect(revived.control.load() & PinnedControl.pins == PinnedControl.pin)
      #expect(!cell.unpin(revived))
      cell.recycle(revived)
    }
  }

  @Test("a block that could not be published is not used again while a thread has a ticket of it")
  func givenUp() {
    withCell { cell in
      let (block, _) = cell.pin(reclaim: cell.recycle)
      let late = cell.make(resources.make(), sequence: 2, tickets: 3)
      // A thread that has read the address before, when the block was current.
      late.control.add(PinnedControl.pin &+ PinnedControl.ticket)
      replace(cell)
      #expect(!cell.replace(block, by: late))
      #expect(!cell.giveUp(late, removing: 3))
      if cell.unpin(block) { cell.recycle(block) }
      let next = cell.make(resources.make(), sequence: 3)
      #expect(next != late)
      cell.recycle(next)
      // That thread finds that another block is current.
      #expect(cell.unpin(late))
      cell.recycle(late)
    }
  }

  @Test("tickets are counted beside the pins; pin(adding:) returns the count before")
  func tickets() {
    withCell { cell in
      for expected: UInt64 in 0..<3 {
        let (block, before) = cell.pin(adding: PinnedControl.ticket, reclaim: cell.recycle)
        #expect(before >> 32 == expected)
        #expect(!cell.unpin(block))
      }
      #expect(cell.currentBlock().control.load() == 3 * PinnedControl.ticket)
    }
  }

  @Test("blocks are reused: a thousand replacements take two")
  func reuse() {
    withCell { cell in
      for _ in 0..<1_000 { replace(cell) }
      #expect(cell.pool.used.load() == 2)
      #expect(cell.currentBlock().sequence.load() == 1_001)
    }
  }
}
