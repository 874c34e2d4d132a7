// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators on failures, and closures that throw.
struct FailureTests {
  private typealias Numbers = Signal<Int, Oops>
  private let numbers = Signal<Int, Oops>(1...3)
  private struct Other: Error, Equatable { var code = 0 }

  private static func positive(_ value: Int) throws(Oops) -> Int {
    if value < 0 { throw Oops(code: value) }
    return value
  }

  @Test("an operator takes closures that throw the signal's failure type, and closures that throw nothing")
  func typedFailures() {
    let source = Numbers([1, -2, 3])
    #expect(Recorder(source.map(Self.positive)).events == [.next(1), .failed(Oops(code: -2))])
    #expect(Recorder(source.map { abs($0) }).events == [.next(1), .next(2), .next(3), .completed])
    let checked = source.doNext { (value) throws(Oops) in _ = try Self.positive(value) }
    #expect(Recorder(checked).events == [.next(1), .failed(Oops(code: -2))])
    let never: Signal<Int, Never> = Signal<Int, Never>([1, -2]).map { -$0 }
    #expect(Recorder(never).events == [.next(-1), .next(2), .completed])
  }

  @Test("a signal whose failure type is any Error takes closures that throw any error")
  func anyFailure() {
    func positive(_ values: [Int]) -> Signal<Int, any Error> {
      Signal<Int, any Error>(values).map { value in
        if value == -2 { throw Other(code: value) }
        return try Self.positive(value)
      }
    }
    let other = Recorder(positive([1, -2, 3]).mapError { $0 as? Other ?? Other() })
    #expect(other.events == [.next(1), .failed(Other(code: -2))])
    let oops = Recorder(positive([1, -3, 3]).mapError { $0 as? Oops ?? Oops() })
    #expect(oops.events == [.next(1), .failed(Oops(code: -3))])
  }

  @Test("tryMap and attempt take closures that throw any error, whatever the signal's failure type")
  func trying() {
    @Sendable func check(_ value: Int) throws {
      if value == 2 { throw Other(code: value) }
      if value == 3 { throw Oops(code: value) }
    }
    let fromNever = Signal<Int, Never>([1, 2]).tryMap { value -> String in
      try check(value)
      return "\(value)"
    }
    #expect(
      Recorder(fromNever.mapError { $0 as? Other ?? Other() }).events == [
        .next("1"), .failed(Other(code: 2)),
      ])
    let fromTyped = Numbers([1, 3]).attempt(check)
    #expect(
      Recorder(fromTyped.mapError { $0 as? Oops ?? Oops() }).events == [.next(1), .failed(Oops(code: 3))])
    let passing = Numbers.fail(Oops(code: 7)).attempt(check).mapError { $0 as? Oops ?? Oops() }
    #expect(Recorder(passing).events == [.failed(Oops(code: 7))])
    #expect(Recorder(numbers.tryMap { $0 }.mapError { _ in Oops() }).events == Recorder(numbers).events)
  }

  @Test("an error thrown in tryMap stops the source")
  func tryingStops() {
    let cleanup = Counter()
    let held = Held<Never>(nil)
    let source = Signal<Int, Never>.create { observer in
      held.value = observer
      return ActionDisposable { cleanup.add() }
    }
    let recorder = Recorder(source.tryMap { _ -> Int in throw Oops() }.mapError { _ in Other() })
    held.value?.send(1)
    held.value?.send(2)
    #expect(recorder.events == [.failed(Other())])
    #expect(cleanup.value == 1)
  }

  @Test("mapError changes the failure type, setFailureType gives one to a signal that cannot fail")
  func errors() {
    let failing = Numbers.fail(Oops(code: 7)).mapError { Other(code: $0.code) }
    #expect(Recorder(failing).events == [.failed(Other(code: 7))])
    let widened = Signal<Int, Never>([1]).setFailureType(to: Oops.self).concat(Numbers.fail(Oops()))
    #expect(Recorder(widened).events == [.next(1), .failed(Oops())])
    let infinite = Signal<Int, Never>(0...).setFailureType(to: Oops.self).mapError { _ in Other() }
    #expect(Recorder(infinite.take(first: 2)).events == [.next(0), .next(1), .completed])
  }

  @Test("mapError(to:) and catch(to:) name the new failure type, and operators with closures may follow")
  func namedFailures() {
    let source = Numbers([1, 2]).concat(Numbers.fail(Oops(code: 7)))
    let mapped = source.mapError(to: Other.self) { Other(code: $0.code) }.map { $0 + 1 }.filter { $0 > 2 }
    #expect(Recorder(mapped).events == [.next(3), .failed(Other(code: 7))])
    let caught = source.catch(to: Other.self) { .just($0.code) }.scan(0) { $0 + $1 }
    #expect(Recorder(caught).events == [.next(1), .next(3), .next(10), .completed])
    let again = source.catch(to: Other.self) { .fail(Other(code: $0.code)) }.doNext { _ in }.flatMap {
      .just($0)
    }
    #expect(Recorder(again).events == [.next(1), .next(2), .failed(Other(code: 7))])
  }

  @Test("mapError does not call its closure for a failure after disposal")
  func mapErrorAfterDisposal() {
    let calls = Counter()
    let slot = SerialDisposable()
    let subject = Subject<Int, Oops>()
    let source = subject.doNext { (_) throws(Oops) in
      slot.dispose()
      throw Oops()
    }
    slot.swap(
      source.mapError { error in
        calls.add()
        return error
      }.subscribe(failed: { _ in calls.add() }))
    subject.send(1)
    #expect(calls.value == 0)
  }

  @Test("catch with a signal that cannot fail needs no type annotation, also in the middle of a chain")
  func catchWithoutType() {
    let failing = numbers.concat(Numbers.fail(Oops()))
    #expect(Recorder(failing.catch { _ in .just(9) }.filter { $0 > 1 }).values == [2, 3, 9])
    #expect(Recorder(failing.catch { $0.code == 0 ? .empty() : .just(9) }).values == [1, 2, 3])
  }

  @Test(
    "catchTo continues with its signal after a failure, and only then; the signal may fail or be a subject")
  func catchTo() {
    #expect(
      Recorder(numbers.concat(Numbers.fail(Oops())).catchTo(Signal<Int, Never>.just(9))).events == [
        .next(1), .next(2), .next(3), .next(9), .completed,
      ])
    #expect(Recorder(numbers.catchTo(Signal<Int, Never>.just(9))).values == [1, 2, 3])
    #expect(
      Recorder(Numbers.fail(Oops()).catchTo(Signal<Int, Other>.fail(Other(code: 4)))).events == [
        .failed(Other(code: 4))
      ])
    let fallback = Subject<Int, Never>()
    let recorder = Recorder(Numbers.fail(Oops()).catchTo(fallback))
    fallback.send(5)
    #expect(recorder.events == [.next(5)])
  }

  @Test("catchAndReturn sends its value in place of a failure, then completes, and cannot fail")
  func catchAndReturn() {
    let failing: Signal<Int, Never> = numbers.concat(Numbers.fail(Oops())).catchAndReturn(9)
    #expect(Recorder(failing).events == [.next(1), .next(2), .next(3), .next(9), .completed])
    #expect(Recorder(numbers.catchAndReturn(9)).events == [.next(1), .next(2), .next(3), .completed])
    #expect(Recorder(Numbers.empty().catchAndReturn(9)).events == [.completed])
    #expect(
      Recorder(Signal<Int?, Oops>.fail(Oops()).catchAndReturn(nil)).events == [.next(nil), .completed])
  }

  @Test(
    "catchAndReturn disposes the failed source before it sends its value, and sends nothing after disposal")
  func catchAndReturnDisposed() {
    let log = Box<[String]>([])
    let held = Held<Oops>(nil)
    let source = Signal<Int, Oops>.create { observer in
      held.value = observer
      return ActionDisposable { log.value.append("source disposed") }
    }
    let slot = SerialDisposable()
    slot.swap(
      source.catchAndReturn(9).subscribe(
        next: { value in
          log.value.append("\(value)")
          slot.dispose()
        }, completed: { log.value.append("completed") }))
    held.value?.fail(Oops())
    #expect(log.value == ["source disposed", "9"])

    log.value = []
    let subscription = source.catchAndReturn(9).subscribe { log.value.append("\($0)") }
    subscription.dispose()
    held.value?.fail(Oops())
    #expect(log.value == ["source disposed"])
  }

  @Test("catch does not run the returned signal when its closure disposes the subscription")
  func catchDisposed() {
    let slot = SerialDisposable()
    let runs = Counter()
    let source = Subject<Int, Oops>()
    slot.swap(
      source.catch { _ in
        slot.dispose()
        return Signal<Int, Never>.deferred {
          runs.add()
          return .just(1)
        }
      }.subscribe())
    source.fail(Oops())
    #expect(runs.value == 0)
  }

  @Test("assertNoFailure passes on values and completion as a signal that cannot fail")
  func assertNoFailure() {
    let signal: Signal<Int, Never> = numbers.assertNoFailure()
    #expect(Recorder(signal).events == [.next(1), .next(2), .next(3), .completed])
  }

  @Test("assertNoFailure traps on a failure, and names the error and the line of the call")
  func assertNoFailureTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FailureTests.fail()
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    let expected =
      "weir: assertNoFailure at \(#fileID):\(Self.failingLine): the signal failed with Oops(code: 6)"
    #expect(message.contains(expected), "\(message)")
  }

  // Outside of the macro, whose expansion has line numbers of its own.
  private static let failingLine = #line + 1
  private static func fail() { Signal<Int, Oops>.fail(Oops(code: 6)).assertNoFailure().subscribe() }
}
