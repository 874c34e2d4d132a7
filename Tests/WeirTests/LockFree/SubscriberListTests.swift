// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

struct SubscriberListTests {
  @Test("what a send reads of the first entry is in the line of the inbox; the rest is in the next line")
  func layout() {
    let list = SubscriberList(destroyPayload: { _ in })
    let start = UInt(bitPattern: list.cell.hot)
    let entry = list.makeEntry(ordinal: 0)
    #expect(start % 64 == 0)
    #expect(UInt(bitPattern: list.turn.inbox.address) == start + 64)
    #expect(UInt(bitPattern: list.turnWords + SubscriberList.turnWordCount) <= entry.bits)
    #expect(UInt(entry.bits) == start + 96)
    #expect(UInt(bitPattern: entry.rear) == start + 128)
    for _ in 0..<2 { list.cell.release(entry) }
    list.letGo()
  }

  @Test("no two parts of a list's memory overlap")
  func parts() {
    let list = SubscriberList(destroyPayload: { _ in })
    let entry = list.makeEntry(ordinal: 5)
    let own = [list.deliveredCount, list.cell.deadCount, list.turn.inbox, list.turn.nodes.used]
    for (index, word) in own.enumerated() { word.storeRelaxed(100 + UInt64(index)) }
    entry.payload.initializeMemory(as: UInt64.self, repeating: .max, count: 3)
    entry.rear.initializeMemory(as: UInt64.self, repeating: .max, count: 3)
    #expect(own.map { $0.load() } == [100, 101, 102, 103])
    #expect(entry.number == 1 && entry.ordinal.pointee == 5 && entry.born.load() == 0)
    #expect(list.cell.cell.currentBlock().control.load() == 0)
    #expect(list.cell.cell.pool.used.load() == 1)
    #expect(list.cell.entries.used.load() == 1)
    #expect(list.cell.retired.load() == 0)
    for word in own { word.storeRelaxed(0) }
    for _ in 0..<2 { list.cell.release(entry) }
    list.letGo()
  }

  @Test("the first subscriber takes no memory of the list; the second one takes a chunk and an array")
  func first() async {
    await #expect(processExitsWith: .success) {
      let subject = Subject<Int, Never>()
      let before = weir_blocks_alive()
      let first = subject.subscribe { _ in }
      #expect(weir_blocks_alive() == before)
      let second = subject.subscribe { _ in }
      #expect(weir_blocks_alive() == before + 2)
      first.dispose()
      second.dispose()
    }
  }
}
