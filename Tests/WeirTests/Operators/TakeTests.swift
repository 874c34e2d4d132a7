// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct TakeTests {
  @Test("B8 AC18: take(first:) delivers exactly its count when the subscriber sends during each delivery")
  func reentrant() {
    let subject = Subject<Int, Never>()
    let events = Box<[Event<Int, Never>]>([])
    subject.take(first: 3).subscribe(
      next: { value in
        events.value.append(.next(value))
        subject.send(value + 1)
      }, completed: { events.value.append(.completed) })
    subject.send(0)
    #expect(events.value == [.next(0), .next(1), .next(2), .completed])
  }

  @Test("B8: take(first:) delivers no more than its count when a source calls its sink re-entrantly")
  func nestedBySource() {
    let sink = Box<Sink<Int, Never>?>(nil)
    let source = Signal<Int, Never>.attaching { sink.value = $0 }
    let events = Box<[Event<Int, Never>]>([])
    source.take(first: 2).subscribe(
      next: { value in
        events.value.append(.next(value))
        if value < 5 { sink.value?.next(value + 1) }
      }, completed: { events.value.append(.completed) })
    sink.value?.next(0)
    #expect(events.value == [.next(0), .next(1), .completed])
  }

  static let closing = [
    OperatorCase("take(first:)") { signal, _ in signal.take(first: 1) },
    OperatorCase("take(while:boundary:)") { signal, _ in
      signal.take(while: { _ in false }, boundary: .included)
    },
    OperatorCase("any") { signal, _ in signal.any { _ in true }.map { _ in 0 } },
  ]

  @Test(
    "B8: an upstream failure during the delivery of the last value does not replace the completion",
    arguments: closing)
  func nestedFailure(_ closing: OperatorCase) {
    let sink = Box<Sink<Int, Oops>?>(nil)
    let source = Signal<Int, Oops>.attaching { sink.value = $0 }
    let events = Box<[Event<Int, Oops>]>([])
    let failing = source.map { (value) throws(Oops) in
      if value > 0 { throw Oops() }
      return value
    }
    closing.apply(failing).subscribe(
      next: { value in
        events.value.append(.next(value))
        sink.value?.next(value + 1)
      },
      failed: { events.value.append(.failed($0)) }, completed: { events.value.append(.completed) })
    sink.value?.next(0)
    #expect(events.value == [.next(0), .completed])
  }

  @Test("B9: take(first:) completes with its last value and stops a source that never completes")
  func completes() {
    let cleanup = Counter()
    let held = Held<Never>(nil)
    let source = Signal<Int, Never>.create { observer in
      held.value = observer
      return ActionDisposable { cleanup.add() }
    }
    let recorder = Recorder(source.take(first: 2))
    held.value?.send(1)
    #expect(cleanup.value == 0)
    held.value?.send(2)
    #expect(recorder.events == [.next(1), .next(2), .completed])
    #expect(cleanup.value == 1)
    held.value?.send(3)
    #expect(recorder.events.count == 3)
  }

  @Test("B9: take(first: 0) completes immediately and does not run the source")
  func nothing() {
    let runs = Counter()
    let source = Signal<Int, Never>.create { _ in
      runs.add()
      return nil
    }
    #expect(Recorder(source.take(first: 0)).events == [.completed])
    #expect(runs.value == 0)
  }

  @Test("take(first:) stops an infinite synchronous source at the last value, before it produces another")
  func infinite() {
    let asked = Counter()
    let source = Signal<Int, Never>(0...).map { value in
      asked.add()
      return value
    }
    #expect(Recorder(source.take(first: 3)).events == [.next(0), .next(1), .next(2), .completed])
    #expect(asked.value == 3)
  }

  @Test("take(first:) forwards fewer values than its count with the terminal event of the source")
  func fewer() {
    #expect(Recorder(Signal<Int, Never>([1]).take(first: 2)).events == [.next(1), .completed])
    #expect(Recorder(Signal<Int, Oops>.fail(Oops()).take(first: 2)).events == [.failed(Oops())])
  }

  @Test("take(first:) counts anew for each subscription; of chained counts, the smallest applies")
  func countPerSubscription() {
    let signal = Signal<Int, Never>(0...).take(first: 4).take(first: 2).take(first: 3)
    #expect(Recorder(signal).values == [0, 1])
    #expect(Recorder(signal).values == [0, 1])
  }

  @Test("a completion that the source sends during the delivery of the last value is delivered once")
  func endInsideLastValue() {
    let subject = Subject<Int, Oops>()
    let events = Box<[Event<Int, Oops>]>([])
    subject.take(first: 1).subscribe(
      next: { value in
        events.value.append(.next(value))
        subject.complete()
      }, failed: { events.value.append(.failed($0)) }, completed: { events.value.append(.completed) })
    subject.send(1)
    #expect(events.value == [.next(1), .completed])
  }

  @Test("take(first:) delivers exactly its count and one completion when several threads send")
  func concurrent() {
    for _ in 0..<50 {
      let subject = Subject<Int, Never>()
      let values = Counter()
      let ends = Counter()
      subject.take(first: 10).subscribe(next: { _ in values.add() }, completed: { ends.add() })
      withThreads(4) { _ in for value in 0..<10 { subject.send(value) } }
      #expect((values.value, ends.value) == (10, 1))
    }
  }
}
