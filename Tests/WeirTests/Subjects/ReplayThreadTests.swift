// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// A subscriber that blocks in its replay delays nobody else.
struct ReplayThreadTests {
  @Test(
    "a newcomer that blocks in its replay delays neither senders nor those who are live nor other newcomers")
  func blockedReplay() {
    let subject = ReplaySubject<Int, Never>(capacity: 3)
    for value in 0..<3 { subject.send(value) }
    let live = Box<[Int]>([])
    subject.signal.subscribe { live.value.append($0) }
    let (entered, leave) = (Door(), Door())
    let (slow, quick) = (Box<[Int]>([]), Box<[Int]>([]))
    withThreads(2) { index in
      if index == 0 {
        subject.signal.subscribe { value in
          slow.value.append(value)
          if value == 1 {
            entered.open()
            leave.pass()
          }
        }
      } else {
        entered.pass()
        for value in 3..<200 { subject.send(value) }
        #expect(live.value == Array(0..<200))
        subject.signal.subscribe { quick.value.append($0) }.dispose()
        #expect(quick.value == [197, 198, 199])
        leave.open()
      }
    }
    #expect(slow.value == Array(0..<200))
    subject.send(200)
    #expect(slow.value == live.value)
  }

  @Test("J15: a newcomer gets its history on its own thread, also while another one is delivering")
  func ownThread() {
    let subject = ReplaySubject<Int, Never>(capacity: 2)
    let (entered, leave) = (Door(), Door())
    let history = Box<[Int]>([])
    subject.signal.subscribe { value in
      guard value == 2 else { return }
      entered.open()
      leave.pass()
    }
    subject.send(1)
    withThreads(2) { index in
      if index == 0 { return subject.send(2) }
      entered.pass()
      subject.signal.subscribe { history.value.append($0) }
      #expect(history.value == [1, 2])
      subject.send(3)
      leave.open()
    }
    #expect(history.value == [1, 2, 3])
  }

  @Test("a late subscriber after the end is not held up by one that blocks in its terminal event")
  func blockedEnd() {
    let subject = ReplaySubject<Int, Never>(capacity: 1)
    subject.send(1)
    subject.complete()
    let (entered, leave) = (Door(), Door())
    withThreads(2) { index in
      if index == 0 {
        subject.signal.subscribe(completed: {
          entered.open()
          leave.pass()
        })
      } else {
        entered.pass()
        let ended = Box(false)
        subject.signal.subscribe(completed: { ended.value = true })
        #expect(ended.value)
        leave.open()
      }
    }
  }

  @Test("reading a current value does not wait for a delivery under way")
  func readDuringDelivery() {
    let current = CurrentValue<[Int], Never>([0])
    let (entered, leave) = (Door(), Door())
    current.signal.subscribe { value in
      guard value == [1] else { return }
      entered.open()
      leave.pass()
    }
    withThreads(2) { index in
      if index == 0 { return current.send([1]) }
      entered.pass()
      #expect(current.value == [1])
      current.send([2])
      #expect(current.value == [1])
      leave.open()
    }
    #expect(current.value == [2])
  }
}
