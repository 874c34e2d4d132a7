// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
import Testing
import WeirTesting

@testable import Weir

struct NodePoolTests {
  private func withPool<Element>(of type: Element.Type, _ body: (NodePool<Void, Element>) -> Void) {
    withPool(of: type, fronts: Void.self, body)
  }

  private func withPool<Front, Element>(
    of type: Element.Type, fronts: Front.Type, _ body: (NodePool<Front, Element>) -> Void
  ) {
    withWords(NodePool<Front, Element>.wordCount) { words in
      let pool = NodePool<Front, Element>(words: words)
      body(pool)
      pool.destroy()
    }
  }

  @Test("node numbers fill chunks of 2, 4, 8, … nodes without a gap, and of 1, 2, 4, … if nodes have fronts")
  func chunks() {
    func check<Front>(_ first: Int, _ fronts: Front.Type) {
      var expected = (index: 0, offset: 0)
      for number: UInt32 in 1...10_000 {
        let chunk = NodePool<Front, Int>.chunk(of: number)
        #expect(chunk == expected)
        expected.offset += 1
        if expected.offset == first << expected.index { expected = (expected.index + 1, 0) }
      }
    }
    check(2, Void.self)
    check(1, UInt64.self)
  }

  @Test("nodes do not overlap, stay where they are, and keep their contents")
  func memory() {
    withPool(of: (Int, Int8).self) { pool in
      let numbers = (0..<1_000).map { _ in pool.take() }
      #expect(numbers == Array(1...1_000))
      let addresses = numbers.map { pool.element(of: $0) }
      for (index, number) in numbers.enumerated() {
        pool.element(of: number).initialize(to: (index, Int8(index % 100)))
        pool.setNext(of: number, to: number + 1)
        pool.setNote(of: number, to: number + 2)
      }
      for (index, number) in numbers.enumerated() {
        #expect(pool.element(of: number) == addresses[index])
        #expect(addresses[index].pointee == (index, Int8(index % 100)))
        #expect(pool.next(of: number) == number + 1)
        #expect(pool.note(of: number) == number + 2)
        #expect(UInt(bitPattern: addresses[index]) % 8 == 0)
      }
    }
  }

  @Test("the fronts of a chunk lie side by side, and overlap neither each other nor nodes")
  func fronts() {
    withPool(of: (Int, Int8).self, fronts: InlineArray<4, UInt64>.self) { pool in
      let numbers = (0..<1_000).map { _ in pool.take() }
      for number in numbers {
        pool.front(of: number).storeBytes(
          of: .init(repeating: UInt64(number)), as: InlineArray<4, UInt64>.self)
        pool.element(of: number).initialize(to: (Int(number), -1))
        pool.setNext(of: number, to: number + 1)
        pool.setNote(of: number, to: number + 2)
      }
      for number in numbers {
        let front = pool.front(of: number).load(as: InlineArray<4, UInt64>.self)
        #expect((0..<4).allSatisfy { front[$0] == UInt64(number) })
        #expect(pool.element(of: number).pointee == (Int(number), -1))
        #expect(pool.next(of: number) == number + 1)
        #expect(pool.note(of: number) == number + 2)
        #expect(UInt(bitPattern: pool.front(of: number)) % 32 == 0)
        let isFirstOfChunk = number.nonzeroBitCount == 1
        if !isFirstOfChunk { #expect(pool.front(of: number) == pool.front(of: number - 1) + 32) }
      }
    }
  }

  @Test("close() returns the number of free nodes; a closed pool takes no node back")
  func closed() {
    withPool(of: Int.self) { pool in
      let numbers = (0..<5).map { _ in pool.take() }
      pool.setNext(of: numbers[1], to: numbers[0])
      #expect(pool.giveBack(numbers[1], through: numbers[0]))
      #expect(pool.giveBack(numbers[2], through: numbers[2]))
      #expect(pool.close() == 3)
      #expect(!pool.giveBack(numbers[3], through: numbers[3]))
      #expect(pool.close() == 0)
    }
  }

  @Test("elements are aligned, also those whose alignment exceeds a word")
  func alignment() {
    func check<Element>(_ type: Element.Type) {
      withPool(of: type) { pool in
        for _ in 0..<20 {
          let address = UInt(bitPattern: pool.element(of: pool.take()))
          #expect(address % UInt(MemoryLayout<Element>.alignment) == 0, "\(type)")
        }
      }
    }
    check(UInt8.self)
    check((UInt64, UInt8).self)
    check(SIMD2<Double>.self)
    check(SIMD8<Double>.self)
    check(SIMD64<Double>.self)
  }

  @Test("nodes that are given back are reused, and no new ones are made")
  func reuse() {
    withPool(of: Int.self) { pool in
      let numbers = (0..<5).map { _ in pool.take() }
      for (older, newer) in zip(numbers.dropFirst(), numbers) { pool.setNext(of: newer, to: older) }
      pool.giveBack(numbers[0], through: numbers[4])
      for _ in 0..<1_000 {
        let taken = (0..<5).map { _ in pool.take() }
        #expect(Set(taken) == Set(numbers))
        for number in taken { pool.giveBack(number, through: number) }
      }
      #expect(pool.used.load() == 5)
    }
  }

  @Test("every take and give-back changes the tag, so a stalled take cannot succeed")
  func tag() {
    withPool(of: Int.self) { pool in
      let number = pool.take()
      pool.giveBack(number, through: number)
      let before = pool.free.load()
      #expect(pool.take() == number)
      pool.giveBack(number, through: number)
      #expect(UInt32(truncatingIfNeeded: before) == UInt32(truncatingIfNeeded: pool.free.load()))
      #expect(pool.free.load() != before)
      #expect(!pool.free.compareExchange(before, 0))
    }
  }

  @Test("no two threads own the same node at once")
  func threads() {
    withPool(of: Int.self) { pool in
      let shared = Box(pool)
      let collisions = Counter()
      withThreads(4) { index in
        let pool = shared.value
        for round in 0..<2_000 {
          let taken = (pool.take(), pool.take())
          for number in [taken.0, taken.1] { pool.element(of: number).initialize(to: index * 10_000 + round) }
          for number in [taken.0, taken.1] where pool.element(of: number).pointee != index * 10_000 + round {
            collisions.add()
          }
          pool.setNext(of: taken.0, to: taken.1)
          pool.giveBack(taken.0, through: taken.1)
        }
      }
      #expect(collisions.value == 0)
      #expect(pool.used.load() <= 8)
    }
  }

  @Test("the first two nodes take one block, four more a second one; the seventh adds the table of chunks")
  func small() async {
    await #expect(processExitsWith: .success) {
      let before = weir_blocks_alive()
      withWords(NodePool<Void, Int>.wordCount) { words in
        let pool = NodePool<Void, Int>(words: words)
        for blocks in [1, 1, 2, 2, 2, 2, 4] {
          _ = pool.take()
          #expect(weir_blocks_alive() == before + 1 + Int64(blocks))
        }
        pool.destroy()
      }
      #expect(weir_blocks_alive() == before)
    }
  }

  @Test("a thread that opens a later chunk does not need those that have taken numbers of the earlier ones")
  func stalled() {
    for taken: UInt64 in [1, 2, 5, 6, 20] {
      withPool(of: UInt64.self) { pool in
        pool.used.storeRelaxed(taken)
        let number = pool.take()
        #expect(UInt64(number) == taken + 1)
        pool.element(of: number).initialize(to: taken)
        #expect(pool.element(of: number).pointee == taken)
      }
    }
  }

  @Test("the first chunk may be in memory of the owner, which is not freed with the pool")
  func lent() async {
    await #expect(processExitsWith: .success) {
      typealias Pool = NodePool<InlineArray<4, UInt64>, Int>
      let before = weir_blocks_alive()
      withWords(Pool.wordCount) { words in
        let (pool, lent) = (Pool(words: words), weir_block_allocate(Pool.chunkSize(0)))
        pool.begin(in: lent)
        for blocks in [0, 1, 1, 3] {
          _ = pool.take()
          #expect(weir_blocks_alive() == before + 2 + Int64(blocks))
        }
        #expect(pool.front(of: 1) == lent)
        pool.destroy(keeping: lent)
        #expect(weir_blocks_alive() == before + 2)
        weir_block_free(lent, Pool.chunkSize(0))
      }
    }
  }

  @Test("destroying a pool frees all its memory")
  func blocks() async {
    await #expect(processExitsWith: .success) {
      let before = weir_blocks_alive()
      withWords(NodePool<Void, Int>.wordCount) { words in
        let pool = NodePool<Void, Int>(words: words)
        for _ in 0..<100 { _ = pool.take() }
        #expect(weir_blocks_alive() > before + 1)
        pool.destroy()
      }
      #expect(weir_blocks_alive() == before)
    }
  }

  @Test(
    "a large block reads as zero, but takes no memory before it is written to",
    .disabled(if: weir_atomics_are_hooked(), "a sanitizer keeps memory of its own for each block"))
  func largeBlocks() async {
    await #expect(processExitsWith: .success) {
      let size = 256 << 20
      // Not only the first one, which the system might zero in any case.
      for _ in 0..<3 {
        let before = try #require(residentPages())
        let block = weir_block_allocate(size)
        #expect(try #require(residentPages()) - before < 256)
        let bytes = block.assumingMemoryBound(to: UInt8.self)
        #expect([0, size / 2, size - 1].allSatisfy { bytes[$0] == 0 })
        for offset in stride(from: 0, to: size, by: 4_096) { bytes[offset] = 1 }
        weir_block_free(block, size)
      }
    }
  }
}

/// How many pages of memory the process has resident: the second number in the file.
private func residentPages() -> Int? {
  guard let file = fopen("/proc/self/statm", "r") else { return nil }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return nil }
  let numbers = String(decoding: line.map(UInt8.init), as: UTF8.self).split(separator: " ")
  return Int(numbers[1])
}
