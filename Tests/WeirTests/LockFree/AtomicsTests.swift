// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

/// Every primitive of the shim, by value.
struct AtomicsTests {
  @Test("a 64-bit load returns what was stored, with every ordering")
  func word64() {
    var word: UInt64 = 0
    for (index, store) in [weir_store_relaxed_u64, weir_store_release_u64].enumerated() {
      for load in [weir_load_relaxed_u64, weir_load_acquire_u64, weir_load_seq_cst_u64] {
        let value = UInt64.max - UInt64(index)
        store(&word, value)
        #expect(load(&word) == value)
      }
    }
  }

  @Test("a 32-bit load returns what was stored, with every ordering; neighbouring words are unchanged")
  func word32() {
    var words: [UInt32] = [7, 0, 9]
    words.withUnsafeMutableBufferPointer { buffer in
      guard let word = buffer.baseAddress.map({ $0 + 1 }) else { return }
      let stores = [weir_store_fenced_u32, weir_store_relaxed_u32, weir_store_release_u32]
      for (index, store) in stores.enumerated() {
        for load in [weir_load_relaxed_u32, weir_load_acquire_u32, weir_load_seq_cst_u32] {
          let value = UInt32.max - UInt32(index)
          store(word, value)
          #expect(load(word) == value)
        }
      }
    }
    #expect(words == [7, UInt32.max - 2, 9])
  }

  @Test("an exchange returns the previous value")
  func exchange() {
    var word: UInt64 = 1
    #expect(weir_exchange_seq_cst_u64(&word, 1 << 40) == 1)
    #expect(word == 1 << 40)
  }

  @Test("a compare-exchange replaces the expected value, and no other")
  func compareExchange() {
    var word: UInt64 = 0
    for compareExchange in [weir_compare_exchange_relaxed_u64, weir_compare_exchange_seq_cst_u64] {
      word = 1 << 40
      #expect(!compareExchange(&word, 0, 9))
      #expect(word == 1 << 40)
      #expect(compareExchange(&word, 1 << 40, 9))
      #expect(word == 9)
    }
  }

  @Test("64-bit arithmetic and bit operations return the previous value; arithmetic wraps around")
  func arithmetic64() {
    var word: UInt64 = 0
    for add in [weir_add_relaxed_u64, weir_add_acq_rel_u64, weir_add_seq_cst_u64] {
      word = .max
      #expect(add(&word, 3) == .max)
      #expect(word == 2)
    }
    for subtract in [weir_sub_relaxed_u64, weir_sub_seq_cst_u64] {
      word = 2
      #expect(subtract(&word, 3) == 2)
      #expect(word == .max)
    }
    for union in [weir_or_acq_rel_u64, weir_or_seq_cst_u64] {
      word = 0b1100
      #expect(union(&word, 0b1010) == 0b1100)
      #expect(word == 0b1110)
    }
    word = 0b1100
    #expect(weir_and_acq_rel_u64(&word, 0b1010) == 0b1100)
    #expect(word == 0b1000)
  }

  @Test("a 32-bit addition returns the previous value, and wraps around")
  func addition32() {
    var word: UInt32 = .max
    #expect(weir_add_seq_cst_u32(&word, 3) == .max)
    #expect(word == 2)
  }

  @Test("concurrent additions are all counted")
  func additionsMeet() {
    let counter = Counter()
    withThreads(4) { _ in
      for _ in 0..<5_000 {
        counter.add()
        weir_pause()
      }
      weir_yield()
    }
    #expect(counter.value == 20_000)
  }

  @Test("weir_thread() is constant and not zero in a thread, and distinct among live threads")
  func threads() {
    let names = Box<[UInt64]>([0, 0, 0])
    let turn = [Door(), Door(), Door()]
    turn[0].open()
    withThreads(3) { index in
      turn[index].pass()
      names.value[index] = weir_thread() == weir_thread() ? weir_thread() : 0
      if index < 2 { turn[index + 1].open() }
      if index < 2 { turn[index].pass() } else { for door in turn.dropLast() { door.open() } }
    }
    #expect(Set(names.value).count == 3)
    #expect(!names.value.contains(0))
  }

  @Test("blocks are counted from when somebody first asks for their number")
  func uncountedBlocks() async {
    await #expect(processExitsWith: .success) {
      let block = weir_block_allocate(64)
      #expect(weir_blocks_alive() == 0)
      weir_block_free(block, 64)
      #expect(weir_blocks_alive() == -1)
    }
  }

  @Test("blocks are zeroed, aligned and counted")
  func blocks() async {
    await #expect(processExitsWith: .success) {
      let before = weir_blocks_alive()
      let sizes = [1, 8, 64, 65, 1_000]
      for _ in 0..<3 {
        let blocks = sizes.map { weir_block_allocate($0) }
        #expect(weir_blocks_alive() == before + Int64(sizes.count))
        for (block, size) in zip(blocks, sizes) {
          #expect(UInt(bitPattern: block) % 64 == 0)
          let bytes = UnsafeMutableRawBufferPointer(start: block, count: (size + 63) / 64 * 64)
          #expect(bytes.allSatisfy { $0 == 0 })
          for index in bytes.indices { bytes[index] = 0xAB }
        }
        for (block, size) in zip(blocks, sizes) { weir_block_free(block, size) }
        #expect(weir_blocks_alive() == before)
        for size in sizes {
          let block = weir_block_allocate_unaligned(size)
          #expect(UInt(bitPattern: block) % 16 == 0)
          let bytes = UnsafeMutableRawBufferPointer(start: block, count: (size + 63) / 64 * 64)
          #expect(bytes.allSatisfy { $0 == 0 })
          for index in bytes.indices { bytes[index] = 0xAB }
          weir_block_free(block, size)
        }
        #expect(weir_blocks_alive() == before)
      }
    }
  }

  @Test("concurrent additions are all counted under perturbation, too")
  func perturbed() async {
    await #expect(processExitsWith: .success) {
      weir_perturb(1, 42)
      let counter = Counter()
      withThreads(2) { _ in for _ in 0..<100 { counter.add() } }
      weir_perturb(0, 0)
      #expect(counter.value == 200)
    }
  }
}
