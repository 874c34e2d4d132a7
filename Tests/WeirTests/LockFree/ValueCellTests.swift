// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

struct ValueCellTests {
  private func withCell<Value>(_ first: @autoclosure () -> Value, _ body: (ValueCell<Value>) -> Void) {
    withWords(ValueCell<Value>.wordCount) { words in
      let cell = ValueCell<Value>(words: words)
      cell.publishFirst(first())
      body(cell)
      cell.destroy()
    }
  }

  @Test("plain values of up to eight bytes stand in a word, all others in a block")
  func kinds() {
    #expect(ValueCell<Int>.isWord)
    #expect(ValueCell<Int32?>.isWord)
    #expect(ValueCell<(Int8, Int32)>.isWord)
    #expect(ValueCell<Void>.isWord)
    #expect(!ValueCell<Int?>.isWord)
    #expect(!ValueCell<String>.isWord)
    #expect(!ValueCell<Resources.Resource>.isWord)
    #expect(!ValueCell<(Int, Int, Int)>.isWord)
  }

  @Test("each replacement has the next version, and answers what it replaced")
  func versions() {
    func check<Value: Equatable>(_ values: [Value]) {
      withCell(values[0]) { cell in
        #expect(cell.loadVersioned() == (values[0], 1))
        for (index, value) in values.enumerated().dropFirst() {
          #expect(cell.exchange(value) == values[index - 1])
          #expect(cell.loadVersioned() == (value, UInt64(index + 1)))
          #expect(cell.load() == value)
        }
      }
    }
    check([1, 2, 2, 3])
    check(["a", "b", "b", "c"])
    check([true, false, false])
    check([[1], [1, 2, 3]])
  }

  @Test(
    "a replacement of a version happens if the value still has it, not if it has an equal value of a later one"
  )
  func conditional() {
    func check<Value: Equatable>(_ one: Value, _ two: Value) {
      withCell(one) { cell in
        #expect(cell.compareExchange(1, two))
        #expect(cell.loadVersioned() == (two, 2))
        #expect(!cell.compareExchange(1, one))
        #expect(cell.compareExchange(2, one))
        #expect(!cell.compareExchange(1, two))
        #expect(cell.loadVersioned() == (one, 3))
      }
    }
    check(1, 2)
    check("one", "two")
  }

  @Test("who reads a value sees what was done before it was put there")
  func publication() {
    withWords(ValueCell<Int>.wordCount) { words in
      let cell = ValueCell<Int>(words: words)
      cell.publishFirst(0)
      // Plain memory, each place of which is written before its number is put into the cell: ThreadSanitizer
      // sees who reads it.
      nonisolated(unsafe) let places = UnsafeMutablePointer<Int>.allocate(capacity: 2_001)
      places[0] = 0
      let wrong = Counter()
      withThreads(3) { index in
        for number in 1...2_000 {
          switch index {
          case 0:
            places[number] = number
            _ = cell.exchange(number)
          case 1: if case let seen = cell.load(), places[seen] != seen { wrong.add() }
          default: if case let seen = cell.loadVersioned().value, places[seen] != seen { wrong.add() }
          }
        }
      }
      #expect(wrong.value == 0)
      places.deallocate()
      cell.destroy()
    }
  }

  @Test("what is replaced is released at once, and so is what was not taken")
  func releases() {
    let resources = Resources()
    withCell(resources.make()) { cell in
      for _ in 0..<20 { _ = cell.exchange(resources.make()) }
      #expect(resources.alive == 1)
      #expect(!cell.compareExchange(1, resources.make()))
      #expect(resources.alive == 1)
    }
    #expect(resources.alive == 0)
  }

  @Test("a cell that is cleared releases its value, and neither holds nor takes another one")
  func clearing() {
    let resources = Resources()
    withCell(resources.make()) { cell in
      _ = cell.exchange(resources.make())
      let last = cell.loadVersioned().version
      cell.clear()
      #expect(resources.alive == 0 && cell.loadUnlessCleared()?.version == nil)
      let replaced = cell.exchangeUnlessCleared(resources.make())
      #expect(replaced == nil && resources.alive == 0)
      #expect(!cell.compareExchange(last, resources.make()))
      cell.clear()
      #expect(cell.loadUnlessCleared()?.version == nil && resources.alive == 0)
    }
  }

  @Test("a value is released by the last who reads it, if the cell is cleared meanwhile")
  func clearingBesideReader() {
    let resources = Resources()
    withCell(resources.make()) { cell in
      let block = cell.pin()
      cell.clear()
      #expect(resources.alive == 1)
      cell.unpin(block)
      #expect(resources.alive == 0)
    }
  }

  @Test("a pair of words is replaced as one, or not at all")
  func pairs() {
    withWords(2) { words in
      #expect(weir_compare_exchange_seq_cst_pair(words, 0, 0, 1, 2))
      #expect(!weir_compare_exchange_seq_cst_pair(words, 1, 1, 5, 5))
      #expect(!weir_compare_exchange_seq_cst_pair(words, 2, 2, 5, 5))
      #expect((words[0], words[1]) == (1, 2))
      #expect(weir_compare_exchange_seq_cst_pair(words, 1, 2, .max, .max))
      #expect((words[0], words[1]) == (.max, .max))
    }
  }
}
