// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// create and deferred.
struct CreateTests {
  @Test("the closure of create runs once per subscription, and not before")
  func oncePerSubscription() {
    let runs = Counter()
    let signal = Signal<Int, Never>.create { observer in
      observer.send(runs.add())
      observer.complete()
      return nil
    }
    #expect(runs.value == 0)
    #expect(Recorder(signal).events == [.next(0), .completed])
    #expect(Recorder(signal).events == [.next(1), .completed])
  }

  @Test(
    "create disposes what its closure returned on completion, failure and disposal",
    arguments: ["complete", "fail", "dispose"])
  func disposed(end: String) {
    let cleanup = Counter()
    let held = Held<Oops>(nil)
    let recorder = Recorder(
      Signal<Int, Oops>.create { observer in
        held.value = observer
        return ActionDisposable { cleanup.add() }
      })
    #expect(cleanup.value == 0)
    switch end {
    case "complete": held.value?.complete()
    case "fail": held.value?.fail(Oops())
    default: recorder.dispose()
    }
    #expect(cleanup.value == 1)
    held.value = nil
    #expect(cleanup.value == 1)
  }

  @Test("create disposes at once what its closure returns after a synchronous completion")
  func disposedAfterSynchronousEnd() {
    let resource = ActionDisposable {}
    Signal<Int, Never>.create { observer in
      observer.complete()
      #expect(!resource.isDisposed)
      return resource
    }.subscribe()
    #expect(resource.isDisposed)
  }

  @Test("isEnded of the observer becomes true when the subscription is disposed")
  func isEnded() {
    let held = Held<Never>(nil)
    let recorder = Recorder(
      Signal<Int, Never>.create { observer in
        held.value = observer
        return nil
      })
    #expect(held.value?.isEnded == false)
    recorder.dispose()
    #expect(held.value?.isEnded == true)
  }

  @Test("an observer delivers events sent as Event values, up to the terminal event")
  func eventsAsValues() {
    let signal = Signal<Int, Oops>.create { observer in
      let events: [Event<Int, Oops>] = [.next(1), .next(2), .failed(Oops()), .completed]
      for event in events { observer.send(event) }
      return nil
    }
    #expect(Recorder(signal).events == [.next(1), .next(2), .failed(Oops())])
    let completed = Signal<Int, Oops>.create { observer in
      observer.send(.completed)
      return nil
    }
    #expect(Recorder(completed).events == [.completed])
  }

  @Test("a source may send from several threads at once, and no value is lost")
  func anyThread() {
    let values = Counter()
    let signal = Signal<Int, Never>.create { observer in
      withThreads(4) { _ in for _ in 0..<100 { observer.send(1) } }
      observer.complete()
      return nil
    }
    let completions = Counter()
    signal.subscribe(next: { values.add($0) }, completed: { completions.add() })
    #expect((values.value, completions.value) == (400, 1))
  }

  @Test("documentation example: a closure that loops runs on a thread of its own until it is disposed")
  func loop() async {
    let (readers, count) = (WorkerPool(threads: 1, name: "readers"), Counter())
    let read = { @Sendable in count.add() }
    let samples = Signal<Int, Never>.create { observer in
      while !observer.isEnded { observer.send(read()) }
      return nil
    }.subscribing(on: readers)
    #expect(await samples.take(first: 3).allValues() == [0, 1, 2])
    // The loop has ended: it would keep the thread.
    #expect(await readers.shutdown(within: .seconds(3_600)).isComplete)
    #expect(count.value == 3)
  }

  @Test("the closure of deferred runs once per subscription, and not before")
  func deferred() {
    let calls = Counter()
    let signal = Signal<Int, Never>.deferred { Signal.just(calls.add()) }
    #expect(calls.value == 0)
    #expect(Recorder(signal).events == [.next(0), .completed])
    #expect(Recorder(signal).events == [.next(1), .completed])
  }

  @Test("deferred can return the signal of a subject")
  func deferredSubject() {
    let subject = Subject<Int, Never>()
    let recorder = Recorder(Signal<Int, Never>.deferred { subject.signal })
    subject.send(1)
    #expect(recorder.values == [1])
  }
}
