// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What authors of operators and sources build on: a signal whose closure receives the sink itself.
struct SinkTests {
  /// Passes on values until one is negative, and completes there.
  private func untilNegative(_ source: Signal<Int, Never>) -> Signal<Int, Never> {
    Signal.attaching { sink in
      let (next, terminate) = (sink.next, sink.terminate)
      source.attach(
        sink.upstream(
          next: { value in if value < 0 { terminate(.completed) } else { next(value) } }, terminate: terminate
        )
      )
    }
  }

  @Test("an operator made with upstream(next:terminate:) passes events on, and can end the run")
  func operatorOfOnesOwn() {
    #expect(Recorder(untilNegative(Signal([1, 2]))).events == [.next(1), .next(2), .completed])
    let asked = Counter()
    let falling = Signal<Int, Never>(0...).map { value in
      asked.add()
      return 2 - value
    }
    #expect(Recorder(untilNegative(falling)).events == [.next(2), .next(1), .next(0), .completed])
    #expect(asked.value == 4)
  }

  @Test("an operator that completes disposes the subscription, and drops later values of a hot source")
  func disposal() {
    let subject = Subject<Int, Never>()
    let recorder = Recorder(untilNegative(subject.signal))
    subject.send(1)
    subject.send(-1)
    subject.send(2)
    #expect(recorder.events == [.next(1), .completed])
    #expect(recorder.subscription.isDisposed)
  }

  @Test(
    "a sink drops all events after its terminal event, and isEnded is true from then on",
    arguments: [false, true])
  func rawSource(fails: Bool) {
    let sink = Box<Sink<Int, Oops>?>(nil)
    let recorder = Recorder(Signal<Int, Oops>.attaching { sink.value = $0 })
    #expect(sink.value?.isEnded == false)
    sink.value?.next(1)
    sink.value?.terminate(fails ? .failed(Oops()) : .completed)
    #expect(sink.value?.isEnded == true)
    sink.value?.next(2)
    sink.value?.terminate(.completed)
    #expect(recorder.events == [.next(1), fails ? .failed(Oops()) : .completed])
  }

  @Test("a disposable that a source adds to the sink's subscription is disposed with it")
  func resources() {
    let cleanup = Counter()
    let recorder = Recorder(
      Signal<Int, Never>.attaching { sink in sink.subscription.add(ActionDisposable { cleanup.add() }) })
    #expect(cleanup.value == 0)
    recorder.dispose()
    #expect(cleanup.value == 1)
  }

  @Test("a custom sink receives the values of a signal until its subscription is disposed")
  func attached() {
    let values = Box<[Int]>([])
    let ends = Counter()
    let subscription = Subscription()
    let sink = Sink<Int, Never>(
      next: { value in
        values.value.append(value)
        if value == 2 { subscription.dispose() }
      }, terminate: { _ in ends.add() }, subscription: subscription)
    Signal<Int, Never>(0...).map { $0 * 2 }.attach(sink)
    #expect(values.value == [0, 2])
    #expect(ends.value == 0)
  }
}
