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
    "what the closure answers is disposed at the end, whatever the reason",
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

  @Test("what the closure answers after a synchronous end is disposed at once")
  func disposedAfterSynchronousEnd() {
    let resource = ActionDisposable {}
    Signal<Int, Never>.create { observer in
      observer.complete()
      #expect(!resource.isDisposed)
      return resource
    }.subscribe()
    #expect(resource.isDisposed)
  }

  @Test("the observer tells a source when to stop")
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

  @Test("an observer takes events as values")
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

  @Test("the source may send from any thread")
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

  @Test("deferred asks for its signal once per subscription, and not before")
  func deferred() {
    let calls = Counter()
    let signal = Signal<Int, Never>.deferred { Signal.just(calls.add()) }
    #expect(calls.value == 0)
    #expect(Recorder(signal).events == [.next(0), .completed])
    #expect(Recorder(signal).events == [.next(1), .completed])
  }

  @Test("deferred takes a subject")
  func deferredSubject() {
    let subject = Subject<Int, Never>()
    let recorder = Recorder(Signal<Int, Never>.deferred { subject.signal })
    subject.send(1)
    #expect(recorder.values == [1])
  }
}
