// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// The test kit tells when something is wrong.
struct TestKitTests {
  @Test("the grammar checker counts a nested delivery")
  func nestedDelivery() {
    let sink = Box<Sink<Int, Never>?>(nil)
    let grammar = Grammar<Int, Never>(next: { value in if value == 0 { sink.value?.next(1) } })
    let subscription = grammar.subscribe(to: Signal<Int, Never>(connecting: { sink.value = $0 }))
    sink.value?.next(0)
    #expect(grammar.violations == 1)
    subscription.dispose()
    sink.value = nil
  }

  @Test("the grammar checker counts deliveries that overlap")
  func overlappingDeliveries() {
    let sink = Box<Sink<Int, Never>?>(nil)
    let (entered, leave) = (Door(), Door())
    let grammar = Grammar<Int, Never>(next: { value in
      guard value == 0 else { return leave.open() }
      entered.open()
      leave.pass()
    })
    let subscription = grammar.subscribe(to: Signal<Int, Never>(connecting: { sink.value = $0 }))
    withThreads(2) { index in
      if index == 1 { entered.pass() }
      sink.value?.next(index)
    }
    #expect(grammar.violations == 1)
    subscription.dispose()
    sink.value = nil
  }

  @Test("the grammar checker counts nothing where all is well, and passes events on")
  func wellBehaved() {
    let events = Box<[Event<Int, Oops>]>([])
    let grammar = Grammar<Int, Oops>(
      next: { events.value.append(.next($0)) }, terminated: { events.value.append(Event($0)) })
    _ = grammar.subscribe(to: Signal<Int, Oops>([1, 2]).concat(Signal.fail(Oops())))
    #expect(events.value == [.next(1), .next(2), .failed(Oops())])
    #expect(grammar.violations == 0)
  }

  @Test("a recorder keeps events, values and the end apart")
  func recorder() {
    let recorder = Recorder(Signal<Int, Oops>([1, 2]).concat(Signal.fail(Oops())))
    #expect(recorder.events == [.next(1), .next(2), .failed(Oops())])
    #expect(recorder.values == [1, 2])
    #expect(recorder.completion == .failed(Oops()))
    #expect(Recorder(Signal<Int, Oops>.never()).completion == nil)
  }

  @Test("resources count what is alive")
  func resources() {
    let resources = Resources()
    var kept: [Resources.Resource] = [resources.make(), resources.make()]
    #expect(resources.alive == 2)
    kept.removeLast()
    #expect(resources.alive == 1)
    kept.removeAll()
    #expect(resources.alive == 0)
  }

  @Test("threads run once each, all at the same time, and are awaited")
  func threads() {
    let (here, doors) = (Counter(), [Door(), Door()])
    withThreads(2) { index in
      // Each waits for the other: one after the other would never end.
      doors[1 - index].open()
      doors[index].pass()
      here.add()
    }
    #expect(here.value == 2)
  }
}
