// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Pairs, constants, side effects, and events as values.
struct EventTests {
  private let numbers = Signal<Int, Oops>(1...3)

  @Test("combinePrevious sends pairs from its initial value on, pairwise from the second value on")
  func previous() {
    let combined = numbers.combinePrevious(0).map { [$0.previous, $0.current] }
    for _ in 0..<2 { #expect(Recorder(combined).values == [[0, 1], [1, 2], [2, 3]]) }
    #expect(
      Recorder(numbers.pairwise().map { [$0.previous, $0.current] }).values == [[1, 2], [2, 3]])
  }

  @Test("an event prints as it is written, also in an array; a completion tells its error")
  func printing() {
    let events: [Event<String, Oops>] = [.next("a"), .failed(Oops(code: 1)), .completed]
    #expect("\(events[0])" == #".next("a")"#)
    #expect("\(events)" == #"[.next("a"), .failed(WeirTests.Oops(code: 1)), .completed]"#)
    #expect(Completion<Oops>.completed.isCompleted && Completion<Oops>.completed.error == nil)
    let failed = Completion.failed(Oops(code: 1))
    #expect(!failed.isCompleted && failed.error == Oops(code: 1))
  }

  @Test("mapReplace sends a constant, compactMap drops nil, and not negates")
  func mapping() {
    #expect(
      Recorder(numbers.mapReplace("x")).events == [.next("x"), .next("x"), .next("x"), .completed])
    #expect(Recorder(numbers.compactMap { $0 == 2 ? nil : $0 * 10 }).values == [10, 30])
    #expect(Recorder(Signal<Bool, Never>([true, false]).not()).values == [false, true])
  }

  @Test(
    "D9 AC42: materialize sends events as values and completes; dematerialize restores them, failures included"
  )
  func materialize() {
    let failing = numbers.concat(Signal.fail(Oops(code: 9)))
    #expect(
      Recorder(failing.materialize()).values == [
        .next(1), .next(2), .next(3), .failed(Oops(code: 9)),
      ])
    #expect(Recorder(failing.materialize()).completion == .completed)
    #expect(Recorder(failing.materialize().dematerialize()).events == Recorder(failing).events)
    let cut = Signal<Event<Int, Oops>, Never>([.next(1), .completed, .next(2)]).dematerialize()
    #expect(Recorder(cut).events == [.next(1), .completed])
    let open = Signal<Event<Int, Oops>, Never>([.next(1)]).dematerialize()
    #expect(Recorder(open).events == [.next(1), .completed])
  }

  @Test(
    "D11: side effects run before their event is passed on, in chain order (initially in reverse), not on disposal"
  )
  func effects() {
    let log = Box<[String]>([])
    let subject = Subject<Int, Oops>()
    let watched =
      subject.signal
      .initially { log.value.append("initially 1") }
      .doNext { log.value.append("next \($0)") }
      .doFailed { log.value.append("failed \($0.code)") }
      .doCompleted { log.value.append("completed") }
      .finally { log.value.append("finally") }
      .initially { log.value.append("initially 2") }
    let disposed = watched.subscribe(failed: { _ in })
    disposed.dispose()
    #expect(log.value == ["initially 2", "initially 1"])
    log.value = []
    watched.subscribe(
      next: { log.value.append("got \($0)") }, failed: { _ in log.value.append("end") })
    subject.send(1)
    subject.fail(Oops(code: 4))
    #expect(
      log.value == ["initially 2", "initially 1", "next 1", "got 1", "failed 4", "finally", "end"])
    log.value = []
    // Disposed during the last value, after which take(first:) would send the completion.
    let source = Subject<Int, Oops>()
    let ending = SerialDisposable()
    ending.swap(
      source.take(first: 1).finally { log.value.append("finally") }.subscribe { _ in ending.dispose() })
    source.send(1)
    #expect(log.value == [])
    Signal<Int, Oops>.empty().doCompleted { log.value.append("completed") }.finally {
      log.value.append("finally")
    }
    .subscribe(completed: { log.value.append("end") })
    #expect(log.value == ["completed", "finally", "end"])
  }
}
