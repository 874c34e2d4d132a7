// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What a current value promises on one thread.
struct CurrentValueTests {
  @Test("J7: a newcomer gets the value at once, and then each later one once")
  func valueThenLive() {
    let current = CurrentValue<Int, Never>(1)
    let values = Box<[Int]>([])
    current.signal.subscribe { values.value.append($0) }
    #expect(values.value == [1])
    current.send(2)
    current.send(2)
    #expect(values.value == [1, 2, 2])
    #expect(current.value == 2)
    values.value = []
    current.signal.subscribe { values.value.append($0) }.dispose()
    #expect(values.value == [2])
  }

  @Test("J8: who comes after the end gets the last value, then the end")
  func afterTheEnd() {
    let current = CurrentValue<Int, Oops>(1)
    current.send(2)
    current.fail(Oops(code: 3))
    current.send(4)
    current.modify { _ in Issue.record("called after the end") }
    let events = Box<[Event<Int, Oops>]>([])
    current.signal.materialize().subscribe { events.value.append($0) }
    #expect(events.value == [.next(2), .failed(Oops(code: 3))])
    #expect(current.value == 2)
  }

  @Test("the value is the one being delivered; a nested send is queued and seen in its turn")
  func storedIsDelivered() {
    let current = CurrentValue<Int, Never>(0)
    let seen = Box<[[Int]]>([])
    current.signal.subscribe { [unowned current] value in
      if value == 1 {
        current.send(5)
        current.modify { $0 *= 2 }
      }
      seen.value.append([value, current.value])
    }
    current.send(1)
    #expect(seen.value == [[0, 0], [1, 1], [5, 5], [10, 10]])
  }

  @Test("J7: who subscribes inside a delivery gets the value being delivered, and what comes after it")
  func subscribeInside() {
    let current = CurrentValue<Int, Never>(0)
    let inner = Box<[Int]>([])
    current.signal.take(first: 2).subscribe { value in
      if value == 1 { current.signal.subscribe { inner.value.append($0) } }
    }
    current.send(1)
    current.send(2)
    #expect(inner.value == [1, 2])
  }

  @Test("who subscribes while another newcomer is let in becomes live as well")
  func subscribeWhileLetIn() {
    let current = CurrentValue<Int, Never>(0)
    let (first, second) = (Box<[Int]>([]), Box<[Int]>([]))
    current.signal.subscribe { [unowned current] value in
      guard value == 1 else { return }
      current.send(2)
      current.signal.subscribe { [unowned current] value in
        first.value.append(value)
        if value == 2 { current.signal.subscribe { second.value.append($0) } }
      }
    }
    current.send(1)
    current.send(3)
    #expect(first.value == [1, 2, 3])
    #expect(second.value == [2, 3])
  }

  @Test("modify changes in place and delivers")
  func modify() {
    let current = CurrentValue<[Int], Never>([])
    let lengths = Box<[Int]>([])
    current.signal.subscribe { lengths.value.append($0.count) }
    for value in 0..<3 { current.modify { $0.append(value) } }
    #expect(current.value == [0, 1, 2])
    #expect(lengths.value == [0, 1, 2, 3])
  }

  @Test("one value is kept, and it goes with the source")
  func memory() {
    final class Item: Sendable {}
    weak var first: Item?
    weak var second: Item?
    do {
      let item = Item()
      first = item
      let current = CurrentValue<Item, Never>(item)
      do {
        let other = Item()
        second = other
        current.signal.subscribe { _ in }
        current.send(other)
      }
      #expect(second != nil)
    }
    #expect(first == nil)
    #expect(second == nil)
  }
}
