// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct HeapTests {
  private final class Number: HeapEntry {
    let value: Int
    var place = 0
    init(_ value: Int) { self.value = value }
    func isBefore(_ other: Number) -> Bool { value < other.value }
  }

  @Test("entries are removed in order, whatever the order in which they were inserted")
  func sorted() {
    var random = SplitMix64(seed: 7)
    for count in [0, 1, 2, 3, 10, 100, 1_000] {
      let numbers = (0..<count).map { _ in Int(random.next() % 50) }
      var heap = Heap<Number>()
      for number in numbers { heap.insert(Number(number)) }
      #expect(heap.count == count && heap.first?.value == numbers.min())
      #expect(drained(&heap) == numbers.sorted())
    }
  }

  @Test("any entry can be removed, and the rest stays in order")
  func removed() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<50 {
      var heap = Heap<Number>()
      let numbers = (0..<100).map { _ in Number(Int(random.next() % 60)) }
      for number in numbers { heap.insert(number) }
      let gone = numbers.shuffled(using: &random).prefix(40)
      for number in gone { heap.remove(number) }
      let left = numbers.filter { number in !gone.contains { $0 === number } }
      #expect(drained(&heap) == left.map(\.value).sorted())
    }
  }

  @Test("removeAll removes all matching entries, and the rest stays in order")
  func filtered() {
    var heap = Heap<Number>()
    let numbers = (0..<100).reversed().map { Number($0) }
    for number in numbers { heap.insert(number) }
    heap.removeAll { $0.value % 3 == 0 }
    // All that are left know their places, even those that were not moved up or down.
    for number in numbers where number.value % 3 == 1 { heap.remove(number) }
    #expect(drained(&heap) == (0..<100).filter { $0 % 3 == 2 })
  }

  private func drained(_ heap: inout Heap<Number>) -> [Int] {
    var values: [Int] = []
    while let next = heap.first {
      heap.remove(next)
      values.append(next.value)
    }
    return values
  }
}
