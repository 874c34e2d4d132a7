// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Sends that overlap: on several threads, or nested in each other.
struct SerialDeliveryTests {
  private func open(_ held: Held<Never>) -> Signal<Int, Never> {
    .create { observer in
      held.value = observer
      return nil
    }
  }

  @Test("A13 AC5: concurrent sends are serialised, and none is lost")
  func concurrentSends() {
    for _ in 0..<100 {
      let values = Box<[Int]>([])
      let held = Held<Never>(nil)
      let grammar = Grammar<Int, Never>(next: { values.value.append($0) })
      let subscription = grammar.subscribe(to: open(held))
      withThreads(20) { index in held.value?.send(index) }
      #expect(values.value.sorted() == Array(0..<20))
      #expect(grammar.violations == 0)
      subscription.dispose()
    }
  }

  @Test("A13: the sends of one thread keep their order")
  func orderOfOneThread() {
    let values = Box<[Int]>([])
    let held = Held<Never>(nil)
    open(held).subscribe(next: { values.value.append($0) })
    withThreads(3) { index in for value in 0..<1_000 { held.value?.send(index * 1_000 + value) } }
    for index in 0..<3 {
      #expect(values.value.filter { $0 / 1_000 == index } == Array(index * 1_000..<(index + 1) * 1_000))
    }
  }

  @Test("A13: nested sends into an observer are queued in the order of sending")
  func nestedSends() {
    let log = Box<[String]>([])
    let held = Held<Never>(nil)
    open(held).subscribe(
      next: { value in
        log.value.append("begin \(value)")
        if value < 10 {
          held.value?.send(value * 10)
          held.value?.send(value * 10 + 1)
        }
        log.value.append("end \(value)")
      })
    held.value?.send(1)
    #expect(log.value == ["begin 1", "end 1", "begin 10", "end 10", "begin 11", "end 11"])
  }

  @Test(
    "A13: a nested terminal event is delivered after the values sent before it; values sent after it are dropped"
  )
  func nestedTerminal() {
    let held = Held<Never>(nil)
    let events = Box<[Event<Int, Never>]>([])
    open(held).subscribe(
      next: { value in
        events.value.append(.next(value))
        guard value == 1 else { return }
        held.value?.send(2)
        held.value?.complete()
        held.value?.send(3)
      }, completed: { events.value.append(.completed) })
    held.value?.send(1)
    #expect(events.value == [.next(1), .next(2), .completed])
  }

  @Test("A14: disposal on another thread lets at most the delivery in progress finish")
  func disposedFromAnotherThread() {
    let held = Held<Never>(nil)
    let (entered, leave) = (Door(), Door())
    let values = Box<[Int]>([])
    let subscription = open(held).subscribe(
      next: { value in
        if values.value.isEmpty {
          entered.open()
          leave.pass()
        }
        values.value.append(value)
      })
    withThreads(2) { index in
      if index == 0 { return held.value?.send(1) ?? () }
      entered.pass()
      held.value?.send(2)
      held.value?.send(3)
      subscription.dispose()
      leave.open()
    }
    held.value?.send(4)
    #expect(values.value == [1])
  }

  @Test(
    "A14: disposal on another thread lets at most a subject's delivery in progress finish; others receive all values"
  )
  func disposedFromAnotherThreadOnSubject() {
    let subject = Subject<Int, Never>()
    let (entered, leave) = (Door(), Door())
    let values = Box<[Int]>([])
    let subscription = subject.subscribe(
      next: { value in
        if values.value.isEmpty {
          entered.open()
          leave.pass()
        }
        values.value.append(value)
      })
    let others = Box<[Int]>([])
    subject.subscribe { others.value.append($0) }
    withThreads(2) { index in
      if index == 0 { return subject.send(1) }
      entered.pass()
      subject.send(2)
      subject.send(3)
      subscription.dispose()
      leave.open()
    }
    #expect(values.value == [1])
    #expect(others.value == [1, 2, 3])
  }
}
