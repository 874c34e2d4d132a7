// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// The grammar checker reports which rule was broken, and where.
struct GrammarTests {
  @Test("the grammar checker counts a nested delivery")
  func nestedDelivery() {
    let sink = Box<Sink<Int, Never>?>(nil)
    let grammar = Grammar<Int, Never>(next: { value in if value == 0 { sink.value?.next(1) } })
    let subscription = grammar.subscribe(to: Signal<Int, Never>.attaching { sink.value = $0 })
    sink.value?.next(0)
    #expect(grammar.violations == 1)
    let (violation, thread) = (grammar.firstViolations.first, weir_thread())
    #expect(violation?.rule == .nested && violation?.kind == .value)
    #expect(violation?.place.event == 2 && violation?.place.thread == thread)
    #expect(violation?.other?.event == 1 && violation?.other?.thread == thread)
    let number = String(thread, radix: 16)
    #expect(
      violation?.description
        == "event 2 (value) came on thread \(number) while event 1 was being delivered on thread \(number): "
        + "events must not come inside each other")
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
    let subscription = grammar.subscribe(to: Signal<Int, Never>.attaching { sink.value = $0 })
    withThreads(2) { index in
      if index == 1 { entered.pass() }
      sink.value?.next(index)
    }
    #expect(grammar.violations == 1)
    let violation = grammar.firstViolations.first
    #expect(violation?.rule == .overlapping && violation?.place.event == 2 && violation?.other?.event == 1)
    #expect(violation?.place.thread != violation?.other?.thread)
    #expect(violation?.description.hasSuffix(": events must come one at a time") == true)
    subscription.dispose()
    sink.value = nil
  }

  @Test("the grammar checker counts nothing when no rule is broken, and passes events on")
  func wellBehaved() {
    let events = Box<[Event<Int, Oops>]>([])
    let grammar = Grammar<Int, Oops>(
      next: { events.value.append(.next($0)) }, terminated: { events.value.append(Event($0)) })
    grammar.subscribe(to: Signal<Int, Oops>([1, 2]).concat(Signal.fail(Oops())))
    #expect(events.value == [.next(1), .next(2), .failed(Oops())])
    #expect(grammar.violations == 0 && grammar.problem == nil)
  }

  @Test("the grammar checker counts events after the terminal event")
  func afterEnd() {
    let sinks = Box<[Sink<Int, Oops>]>([])
    let source = Signal<Int, Oops>.attaching { sinks.value.append($0) }
    let grammar = Grammar<Int, Oops>()
    // Two subscriptions of one checker: the second does not know that the first has ended.
    grammar.subscribe(to: source)
    let second = grammar.subscribe(to: source)
    sinks.value[0].next(1)
    sinks.value[0].terminate(.failed(Oops()))
    sinks.value[1].next(2)
    sinks.value[1].terminate(.completed)
    #expect(grammar.violations == 2)
    #expect(grammar.firstViolations.map(\.rule) == [.afterEnd, .afterEnd])
    #expect(grammar.firstViolations.map(\.kind) == [.value, .completion])
    #expect(grammar.firstViolations.allSatisfy { $0.other?.event == 2 })
    #expect(grammar.problem?.description.contains(" had ended the signal on thread ") == true)
    #expect(grammar.problem?.description.hasSuffix(": nothing may come after the terminal event") == true)
    #expect(second.isDisposed)
    sinks.value = []
  }

  @Test("the grammar checker names no event as the end if the terminal event was a nested delivery")
  func afterNestedEnd() {
    let sinks = Box<[Sink<Int, Never>]>([])
    let source = Signal<Int, Never>.attaching { sinks.value.append($0) }
    let grammar = Grammar<Int, Never>(next: { if $0 == 0 { sinks.value[1].terminate(.completed) } })
    // Two subscriptions of one checker: the first does not know that the second has ended.
    let first = grammar.subscribe(to: source)
    grammar.subscribe(to: source)
    sinks.value[0].next(0)
    sinks.value[0].next(1)
    #expect(grammar.firstViolations.map(\.rule) == [.nested, .afterEnd])
    #expect(grammar.firstViolations.map(\.other?.event) == [1, nil])
    first.dispose()
    sinks.value = []
  }

  @Test(
    "the grammar checker counts events on the disposing thread after disposal, and describes the violation")
  func afterDisposal() {
    let sinks = Box<[Sink<Int, Never>]>([])
    let source = Signal<Int, Never>.attaching { sinks.value.append($0) }
    let grammar = Grammar<Int, Never>()
    let first = grammar.subscribe(to: source)
    let second = grammar.subscribe(to: source)
    grammar.dispose(first)
    sinks.value[0].next(1)
    #expect(grammar.problem == nil)
    sinks.value[1].next(2)
    let thread = String(weir_thread(), radix: 16)
    #expect(
      grammar.problem?.description == """
        rules of signals were broken: 1
          event 1 (value) came on thread \(thread): nothing may come on a thread that has disposed the subscription
        """)
    second.dispose()
    sinks.value = []
  }

  @Test("the grammar checker keeps the first ten violations, and counts all of them")
  func many() {
    let sink = Box<Sink<Int, Never>?>(nil)
    let grammar = Grammar<Int, Never>(next: { value in if value > 0 { sink.value?.next(value - 1) } })
    let subscription = grammar.subscribe(to: Signal<Int, Never>.attaching { sink.value = $0 })
    sink.value?.next(25)
    #expect(grammar.violations == 25 && Set(grammar.firstViolations).count == 10)
    subscription.dispose()
    sink.value = nil
  }
}
