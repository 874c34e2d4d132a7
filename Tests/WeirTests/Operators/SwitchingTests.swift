// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators that go from one signal to another.
struct SwitchingTests {
  private typealias Numbers = Signal<Int, Oops>
  private let numbers = Signal<Int, Oops>(1...3)

  @Test("AC37 D8: catch continues with another signal, forwards its failure, and disposes it on disposal")
  func catching() {
    let failing = numbers.concat(Numbers.fail(Oops(code: 7)))
    let recovered = failing.catch { Signal<Int, Never>([$0.code, 8]) }
    #expect(Recorder(recovered).events == [.next(1), .next(2), .next(3), .next(7), .next(8), .completed])
    #expect(
      Recorder(failing.catch { _ in Numbers.fail(Oops(code: 1)) }).events.last == .failed(Oops(code: 1)))
    #expect(Recorder(numbers.catch { _ in Numbers.never() }).events.last == .completed)
    let cleanup = Counter()
    let waiting = Recorder(
      failing.catch { _ in
        Signal<Int, Never>.create { observer in
          ActionDisposable { [observer] in
            _ = observer
            cleanup.add()
          }
        }
      })
    #expect(cleanup.value == 0)
    waiting.dispose()
    #expect(cleanup.value == 1)
  }

  @Test("then creates and runs the second signal only when the first has completed")
  func thenAfterCompletion() {
    let made = Counter()
    let subject = Subject<Int, Oops>()
    let recorder = Recorder(
      subject.then {
        made.add()
        return Signal<String, Oops>.just("done")
      })
    subject.send(1)
    #expect(made.value == 0)
    subject.complete()
    #expect(recorder.events == [.next("done"), .completed])
    #expect(Recorder(Numbers.fail(Oops()).then { Numbers.just(1) }).events == [.failed(Oops())])
  }

  @Test("switchIfEmpty takes a signal that cannot fail in place of one that can")
  func insteadOfOneThatCanFail() {
    let replacement = Signal<Int, Never>([7, 8])
    #expect(Recorder(Numbers.empty().switchIfEmpty(replacement)).events == [.next(7), .next(8), .completed])
    #expect(Recorder(Numbers.fail(Oops()).switchIfEmpty(replacement)).events == [.failed(Oops())])
    #expect(Recorder(numbers.switchIfEmpty(replacement).map { $0 + 1 }).values == [2, 3, 4])
  }

  @Test("defaultIfEmpty and switchIfEmpty act only on a completion without values")
  func empty() {
    let once = Numbers.empty().defaultIfEmpty(9)
    for _ in 0..<2 { #expect(Recorder(once).events == [.next(9), .completed]) }
    #expect(Recorder(numbers.defaultIfEmpty(9)).values == [1, 2, 3])
    #expect(Recorder(Numbers.empty().switchIfEmpty(numbers)).values == [1, 2, 3])
    #expect(Recorder(Numbers.fail(Oops()).defaultIfEmpty(9)).events == [.failed(Oops())])
  }

  @Test("defaultIfEmpty looks for values anew for each subscription")
  func emptyNextTime() {
    let runs = Counter()
    let filledOnce = Numbers.deferred {
      runs.add()
      return runs.value == 1 ? .just(1) : .empty()
    }.defaultIfEmpty(9)
    for expected in [1, 9] { #expect(Recorder(filledOnce).events == [.next(expected), .completed]) }
  }

  @Test(
    "D1 D4 AC32: take(until:) completes on a value or completion of the trigger, after disposing the source"
  )
  func takeUntil() {
    for fire in [{ @Sendable in $0.send(0) }, { $0.complete() }] as [@Sendable (Subject<Int, Never>) -> Void]
    {
      let (source, trigger) = (Subject<Int, Oops>(), Subject<Int, Never>())
      let log = Box<[String]>([])
      let watched = Numbers.create { observer in
        let inner = source.forward(to: observer)
        return CompoundDisposable([inner, ActionDisposable { log.value.append("disposed") }])
      }
      watched.finally { log.value.append("finally") }.take(until: trigger).subscribe(
        next: { log.value.append("\($0)") }, failed: { _ in }, completed: { log.value.append("completed") })
      source.send(1)
      fire(trigger)
      source.send(2)
      #expect(log.value == ["1", "disposed", "completed"])
    }
  }

  @Test("D2: take(until:) does not run the source when the trigger fires on subscription")
  func takeUntilAtOnce() {
    let runs = Counter()
    let source = Numbers.deferred {
      runs.add()
      return .just(1)
    }
    #expect(Recorder(source.take(until: Signal<Int, Never>.just(0))).events == [.completed])
    #expect(Recorder(source.take(until: Signal<Int, Never>.empty())).events == [.completed])
    #expect(runs.value == 0)
  }

  @Test("D3 AC33: take(until:) continues after its trigger fails")
  func takeUntilFailingTrigger() {
    let (source, trigger) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let recorder = Recorder(source.take(until: trigger))
    trigger.fail(Oops())
    source.send(1)
    source.fail(Oops(code: 5))
    #expect(recorder.events == [.next(1), .failed(Oops(code: 5))])
  }

  @Test("D5: take(until:) does not deliver the triggering value of a subject that is its own trigger")
  func takeUntilItself() {
    let subject = Subject<Int, Oops>()
    let recorder = Recorder(subject.take(until: subject))
    subject.send(1)
    #expect(recorder.events == [.completed])
  }

  @Test("G1 AC35: switchToLatest follows the newest signal, and completes when it and the outer one have")
  func switching() {
    let outer = Subject<Numbers, Oops>()
    let (first, second) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let recorder = Recorder(outer.switchToLatest())
    outer.send(first.signal)
    first.send(1)
    outer.send(second.signal)
    first.send(2)
    second.send(3)
    first.fail(Oops())
    outer.complete()
    #expect(recorder.events == [.next(1), .next(3)])
    second.complete()
    #expect(recorder.events == [.next(1), .next(3), .completed])

    let other = Recorder(outer.signal.switchToLatest())
    #expect(other.events == [.completed])
    let empty = Recorder(Signal<Numbers, Oops>([numbers, .empty()]).switchToLatest())
    #expect(empty.events == [.next(1), .next(2), .next(3), .completed])
  }

  @Test("G2: switchToLatest is cold: each subscription runs the outer signal")
  func switchingIsCold() {
    let runs = Counter()
    let signal = Signal<Numbers, Oops>.deferred {
      runs.add()
      return .just(.just(1))
    }.switchToLatest()
    for _ in 0..<2 { #expect(Recorder(signal).events == [.next(1), .completed]) }
    #expect(runs.value == 2)
  }

  @Test(
    "switchToLatest passes on a failure of the outer or the newest inner signal, after disposing the other",
    arguments: [false, true])
  func switchingFails(ofOuter: Bool) {
    let (inner, outer) = (Subject<Int, Oops>(), Subject<Numbers, Oops>())
    let (log, events) = (Box<[String]>([]), Box<[Event<Int, Oops>]>([]))
    let source = outer.on(disposed: { log.value.append("disposed") })
    // Materialized, as otherwise the failure would end the whole chain on its way.
    source.switchToLatest().materialize().subscribe { event in
      log.value.append("sent")
      events.value.append(event)
    }
    outer.send(inner.on(disposed: { log.value.append("disposed") }))
    inner.send(1)
    if ofOuter { outer.fail(Oops(code: 1)) } else { inner.fail(Oops(code: 1)) }
    inner.send(2)
    outer.send(.just(3))
    #expect(log.value == ["sent", "disposed", "disposed", "sent"])
    #expect(events.value == [.next(1), .failed(Oops(code: 1))])
    #expect(Recorder(Signal<Numbers, Oops>.fail(Oops()).switchToLatest()).events == [.failed(Oops())])
  }

  @Test("G4: an inner signal's failure is reported, not delivered, when its clean-up switches to a newer one")
  func lateFailure() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[String]>([])
      UnhandledErrors.setHandler { reported.value.append("\($0.error) \($0.name ?? "")") }
      let (old, new) = (Subject<Int, Oops>(), Subject<Int, Oops>())
      let outer = Subject<Signal<Int, Oops>, Oops>()
      let recorder = Recorder(outer.switchToLatest().named("whole"))
      outer.send(
        old.on(disposed: {
          outer.send(new.signal)
          new.send(5)
        }))
      old.fail(Oops(code: 4))
      new.send(6)
      #expect(recorder.events == [.next(5), .next(6)])
      #expect(reported.value == ["Oops(code: 4) whole"])
      new.fail(Oops(code: 5))
      #expect(recorder.events.last == .failed(Oops(code: 5)))
      #expect(reported.value.count == 1)
    }
  }

  @Test("G3: switchToLatest disposes the inner signal before it subscribes to the next")
  func switchingOrder() {
    let log = Box<[String]>([])
    func inner(_ name: String) -> Numbers {
      .create { observer in
        log.value.append("subscribe \(name)")
        observer.send(1)
        return ActionDisposable { [observer] in
          withExtendedLifetime(observer) { log.value.append("dispose \(name)") }
        }
      }
    }
    let outer = Subject<Numbers, Oops>()
    let recorder = Recorder(outer.switchToLatest())
    outer.send(inner("first"))
    outer.send(inner("second"))
    #expect(log.value == ["subscribe first", "dispose first", "subscribe second"])
    #expect(recorder.values == [1, 1])
    recorder.dispose()
    #expect(log.value.last == "dispose second")
  }

  @Test("G4: a queued value of the old inner signal is not delivered after a switch on another thread")
  func switchingAcrossThreads() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    let outer = Subject<Subject<Int, Never>, Never>()
    let (entered, leave) = (Door(), Door())
    let values = Box<[Int]>([])
    let grammar = Grammar<Int, Never>(next: { value in
      values.value.append(value)
      guard value == 1 else { return }
      entered.open()
      leave.pass()
    })
    let subscription = grammar.subscribe(to: outer.switchToLatest())
    outer.send(first)
    withThreads(2) { index in
      guard index == 1 else { return first.send(1) }
      entered.pass()
      first.send(2)
      outer.send(second)
      first.send(3)
      second.send(4)
      leave.open()
    }
    second.send(5)
    #expect(values.value == [1, 4, 5])
    #expect(grammar.violations == 0)
    subscription.dispose()
  }

  @Test("G4: a value that waits for a delivery to end is dropped if a newer signal arrives in that delivery")
  func switchingInDelivery() {
    let (outer, values) = (Subject<Subject<Int, Never>, Never>(), Box<[Int]>([]))
    let inner = (0..<3).map { _ in Subject<Int, Never>() }
    outer.switchToLatest().subscribe { value in
      values.value.append(value)
      guard value == 1 else { return }
      outer.send(inner[1])
      inner[1].send(2)
      outer.send(inner[2])
      inner[2].send(3)
    }
    outer.send(inner[0])
    inner[0].send(1)
    #expect(values.value == [1, 3])
  }

  @Test(
    "G1: switchToLatest completes although an older signal reports its completion after the newest one did")
  func lateEnd() {
    let signals = Subject<Signal<Int, Never>, Never>()
    let old = Subject<Int, Never>()
    let completions = Counter()
    signals.switchToLatest().subscribe(completed: { completions.add() })
    // On completion, what was added is disposed before the completion is forwarded: at that point
    // a newer signal comes and ends.
    signals.send(
      .create { [unowned signals] observer in
        observer.adopt(old.forward(to: observer))
        return ActionDisposable { signals.send(.empty()) }
      })
    old.complete()
    #expect(completions.value == 0)
    signals.complete()
    #expect(completions.value == 1)
  }

  @Test("then fails with what its closure throws")
  func thenThrows() {
    let source = Subject<Int, Oops>()
    let recorder = Recorder(
      source.then { () throws(Oops) -> Signal<String, Oops> in throw Oops(code: 4) }.map(\.count))
    source.send(1)
    #expect(recorder.events.isEmpty)
    source.complete()
    #expect(recorder.events == [.failed(Oops(code: 4))])
  }

  @Test("errors of a switch without a matching case can be compared")
  func comparedErrors() {
    #expect(SwitchError.noMatchingCase(key: 1) == .noMatchingCase(key: 1))
    #expect(SwitchError.noMatchingCase(key: 1) != .noMatchingCase(key: 2))
    #expect(SwitchError.noMatchingCase(key: 1) != .noMatchingCase(key: "1"))
  }
}
