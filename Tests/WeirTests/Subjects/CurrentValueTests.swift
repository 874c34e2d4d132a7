// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What a current value promises on one thread.
struct CurrentValueTests {
  @Test("J7: a new subscriber receives the current value at once, and then each later value once")
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

  @Test("J8: a subscriber added after the terminal event receives the last value, then that event")
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

  @Test("value returns the value being delivered; nested changes are queued behind it")
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

  @Test("J7: a subscriber added during a delivery receives the value being delivered and later ones")
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

  @Test("a subscriber added while another new one is being admitted also receives later values")
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

  @Test("modify changes the value in place and delivers it")
  func modify() {
    let current = CurrentValue<[Int], Never>([])
    let lengths = Box<[Int]>([])
    current.signal.subscribe { lengths.value.append($0.count) }
    for value in 0..<3 { current.modify { $0.append(value) } }
    #expect(current.value == [0, 1, 2])
    #expect(lengths.value == [0, 1, 2, 3])
  }

  @Test("only the current value is retained: it is released when it is replaced, or with the source")
  func memory() {
    let resources = Resources()
    do {
      let current = CurrentValue<Resources.Resource, Never>(resources.make())
      current.signal.subscribe { _ in }
      #expect(resources.alive == 1)
      for _ in 0..<100 {
        weak let replaced = current.value
        current.send(resources.make())
        #expect(replaced == nil && resources.alive == 1)
      }
    }
    #expect(resources.alive == 0)
  }
}
