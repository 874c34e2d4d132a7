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

  @Test("trivial values of up to eight bytes are stored in a word, all others in a block")
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

  @Test("an exchange returns the previous value and increments the version")
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
    "compareExchange succeeds only at the expected version, and not for an equal value of a later one"
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

  @Test("a reader of a value sees the writes made before it was stored")
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

  @Test("a replaced value is released at once, and so is one that compareExchange rejects")
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

  @Test("a cleared cell releases its value, and accepts no other one")
  func clearing() {
    let resources = Resources()
    withCell(resources.make()) { cell in
      _ = cell.exchange(resources.make())
      let last = cell.loadVersioned().version
      cell.clear()
      #expect(resources.alive == 0 && cell.loadUnlessCleared()?.version == nil)
      #expect(!cell.set(resources.make()) && resources.alive == 0)
      #expect(!cell.compareExchange(last, resources.make()))
      cell.clear()
      #expect(cell.loadUnlessCleared()?.version == nil && resources.alive == 0)
    }
  }

  @Test("a value that is being read while its cell is cleared is released after the read")
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

  @Test("a compare-exchange of a pair of words replaces both or neither")
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
