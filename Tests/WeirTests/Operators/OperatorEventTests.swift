// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// How events pass through each operator.
struct OperatorEventTests {
  @Test("values and completion of a synchronous signal are forwarded", arguments: OperatorCase.all)
  func synchronous(operation: OperatorCase) {
    let recorder = Recorder(operation.apply(Signal([1, 2, 3])))
    #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    #expect(recorder.subscription.isDisposed)
  }

  @Test("values and completion of a created signal are forwarded", arguments: OperatorCase.all)
  func created(operation: OperatorCase) {
    let signal = Signal<Int, Oops>.create { observer in
      observer.send(1)
      observer.send(2)
      observer.complete()
      return nil
    }
    #expect(Recorder(operation.apply(signal)).events == [.next(1), .next(2), .completed])
  }

  @Test("values and completion of a subject are forwarded", arguments: OperatorCase.all)
  func hot(operation: OperatorCase) {
    let subject = Subject<Int, Oops>()
    let recorder = Recorder(operation.apply(subject))
    subject.send(1)
    subject.send(2)
    #expect(recorder.events == [.next(1), .next(2)])
    subject.complete()
    #expect(recorder.events == [.next(1), .next(2), .completed])
    #expect(recorder.subscription.isDisposed)
  }

  @Test("a failure is forwarded immediately", arguments: OperatorCase.all)
  func failure(operation: OperatorCase) {
    let subject = Subject<Int, Oops>()
    let recorder = Recorder(operation.apply(subject))
    subject.send(1)
    subject.fail(Oops(code: 2))
    #expect(recorder.events == [.next(1), .failed(Oops(code: 2))])
    #expect(recorder.subscription.isDisposed)
  }

  @Test("a failure or completion on subscription is forwarded", arguments: OperatorCase.all)
  func noValues(operation: OperatorCase) {
    #expect(Recorder(operation.apply(Signal.fail(Oops()))).events == [.failed(Oops())])
    #expect(Recorder(operation.apply(Signal.empty())).events == [.completed])
  }

  @Test(
    "an error thrown by the closure fails the signal and stops the source",
    arguments: OperatorCase.withClosure)
  func throwing(operation: OperatorCase) {
    let cleanup = Counter()
    let held = Held<Oops>(nil)
    let source = Signal<Int, Oops>.create { observer in
      held.value = observer
      return ActionDisposable { cleanup.add() }
    }
    let recorder = Recorder(
      operation.apply(source) { value throws(Oops) in if value == 2 { throw Oops(code: value) } })
    held.value?.send(1)
    held.value?.send(2)
    #expect(cleanup.value == 1)
    held.value?.send(3)
    #expect(recorder.events == [.next(1), .failed(Oops(code: 2))])
  }

  @Test(
    "an error thrown by the closure stops an infinite synchronous source", arguments: OperatorCase.withClosure
  )
  func throwingOnInfiniteSource(operation: OperatorCase) {
    let calls = Counter()
    let recorder = Recorder(
      operation.apply(Signal(0...)) { value throws(Oops) in
        calls.add()
        if value == 2 { throw Oops() }
      })
    #expect(recorder.events == [.next(0), .next(1), .failed(Oops())])
    #expect(calls.value == 3)
  }

  @Test("take stops an infinite synchronous source through the operator", arguments: OperatorCase.stoppable)
  func infiniteSource(operation: OperatorCase) {
    #expect(
      Recorder(operation.apply(Signal(0...)).take(first: 2)).events == [.next(0), .next(1), .completed])
  }

  @Test("take stops an infinite created source that checks isEnded", arguments: OperatorCase.stoppable)
  func infiniteCreatedSource(operation: OperatorCase) {
    let source = Signal<Int, Oops>.create { observer in
      var value = 0
      while !observer.isEnded {
        observer.send(value)
        value += 1
      }
      return nil
    }
    #expect(Recorder(operation.apply(source).take(first: 2)).events == [.next(0), .next(1), .completed])
  }

  @Test("events sent during a delivery are delivered after it", arguments: OperatorCase.all)
  func nested(operation: OperatorCase) {
    let subject = Subject<Int, Oops>()
    let log = Box<[String]>([])
    operation.apply(subject).subscribe(
      next: { value in
        log.value.append("begin \(value)")
        if value < 3 { subject.send(value + 1) } else { subject.complete() }
        log.value.append("end \(value)")
      }, failed: { _ in }, completed: { log.value.append("completed") })
    subject.send(1)
    #expect(log.value == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3", "completed"])
  }

  @Test("values sent concurrently are delivered one at a time, none lost", arguments: OperatorCase.all)
  func concurrent(operation: OperatorCase) {
    let subject = Subject<Int, Oops>()
    let values = Box<[Int]>([])
    let grammar = Grammar<Int, Oops>(next: { values.value.append($0) })
    let subscription = grammar.subscribe(to: operation.apply(subject))
    withThreads(3) { index in for value in 0..<30 { subject.send(index * 30 + value) } }
    #expect(values.value.sorted() == Array(0..<90))
    #expect(grammar.violations == 0)
    subscription.dispose()
  }
}
