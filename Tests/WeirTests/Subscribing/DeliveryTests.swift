// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What is delivered to a subscriber, and when that stops.
struct DeliveryTests {
  @Test("A1 AC1: nothing is delivered after disposal, although the source continues to send")
  func disposedBetweenTwoValues() {
    let held = Held<Never>(nil)
    let recorder = Recorder(
      Signal<Int, Never>.create { observer in
        held.value = observer
        observer.send(0)
        return nil
      })
    recorder.dispose()
    held.value?.send(1)
    held.value?.complete()
    #expect(recorder.events == [.next(0)])
  }

  @Test("A1: events that are sent after subscribe has returned are delivered until disposal")
  func lateValue() {
    let held = Held<Never>(nil)
    let recorder = Recorder(
      Signal<Int, Never>.create { observer in
        held.value = observer
        return nil
      })
    held.value?.send(1)
    held.value?.complete()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test(
    "A2: disposal during a synchronous delivery drops later events, and does not interrupt the block of create"
  )
  func disposedInsideSynchronousValue() {
    let log = Box<[String]>([])
    let subscription = Box<Subscription?>(nil)
    let outer = Subject<Int, Never>()
    let inner = Signal<Int, Never>.create { observer in
      observer.send(0)
      log.value.append("first sent")
      observer.send(1)
      observer.complete()
      log.value.append("block done")
      return ActionDisposable { log.value.append("cleaned") }
    }
    subscription.value = outer.flatMap { _ in inner }.subscribe(
      next: { value in
        log.value.append("got \(value)")
        subscription.value?.dispose()
      }, completed: { log.value.append("completed") })
    outer.send(7)
    #expect(log.value == ["got 0", "first sent", "block done", "cleaned"])
  }

  @Test(
    "A3: an operator can end a synchronous signal; the subscription, which is not returned yet, cannot"
  )
  func synchronousSignal() {
    let early = Box<Subscription?>(nil)
    let values = Box<[Int]>([])
    let signal = Signal<Int, Never>.create { observer in
      for value in 0..<3 { observer.send(value) }
      return nil
    }
    early.value = signal.subscribe(next: { value in
      values.value.append(value)
      early.value?.dispose()
    })
    #expect(values.value == [0, 1, 2])
    #expect(Recorder(signal.take(first: 1)).events == [.next(0), .completed])
  }

  @Test("A5: nothing is delivered after a terminal event", arguments: [false, true])
  func afterTerminal(fails: Bool) {
    let recorder = Recorder(
      Signal<Int, Oops>.create { observer in
        observer.send(0)
        if fails { observer.fail(Oops()) } else { observer.complete() }
        observer.send(1)
        observer.complete()
        return nil
      })
    #expect(recorder.events == [.next(0), fails ? .failed(Oops()) : .completed])
  }

  @Test("A5 AC6: no value is delivered after a terminal event that races with sends")
  func racingTerminal() {
    for _ in 0..<100 {
      let completions = Counter()
      let grammar = Grammar<Int, Never>(terminated: { _ in completions.add() })
      let held = Held<Never>(nil)
      let subscription = grammar.subscribe(
        to: Signal.create { observer in
          held.value = observer
          return nil
        })
      withThreads(31) { index in
        if index == 15 { held.value?.complete() } else { held.value?.send(index) }
      }
      #expect(completions.value == 1)
      #expect(grammar.violations == 0)
      #expect(subscription.isDisposed)
    }
  }
}
