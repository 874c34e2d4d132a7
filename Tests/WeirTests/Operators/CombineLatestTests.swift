// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct CombineLatestTests {
  private let left = Subject<Int, Oops>()
  private let right = Subject<Int, Oops>()
  private let recorder: Recorder<[Int], Oops>

  init() { recorder = Recorder(left.combineLatest(with: right).map { [$0.0, $0.1] }) }

  @Test(
    "C5 AC23: combineLatest sends once every signal has a value, then at each change, in order of arrival")
  func order() {
    left.send(1)
    #expect(recorder.events == [])
    right.send(2)
    left.send(3)
    right.send(4)
    #expect(recorder.values == [[1, 2], [3, 2], [3, 4]])
  }

  @Test("C5: of the values sent before the other signals have one, only the last is used")
  func lastOfEarlyValues() {
    for value in 1...5 { right.send(value) }
    left.send(9)
    #expect(recorder.values == [[9, 5]])
  }

  @Test("C6: combineLatest completes only when all signals have completed")
  func completion() {
    left.send(1)
    left.complete()
    right.send(2)
    right.send(3)
    #expect(recorder.completion == nil)
    right.complete()
    #expect(recorder.events == [.next([1, 2]), .next([1, 3]), .completed])
    #expect(recorder.subscription.isDisposed)
  }

  @Test("C6: a signal that completes without a value prevents values, but not the completion")
  func emptySide() {
    left.complete()
    right.send(1)
    right.complete()
    #expect(recorder.events == [.completed])
  }

  @Test(
    "a failure of either signal is sent at once, and values of the other are ignored after it",
    arguments: [false, true])
  func failure(isLeft: Bool) {
    left.send(1)
    right.send(1)
    (isLeft ? left : right).fail(Oops())
    (isLeft ? right : left).send(2)
    #expect(recorder.events == [.next([1, 1]), .failed(Oops())])
    #expect(recorder.subscription.isDisposed)
  }

  @Test(
    "C7: only the last value of a synchronous signal counts; stored values are released when the run ends",
    arguments: [0, 1, 2])
  func lastValues(end: Int) {
    let resources = Resources()
    let values = Subject<Resources.Resource, Oops>()
    let numbers = Subject<Int, Oops>()
    let seen = Box<[Int]>([])
    let subscription = Signal<Int, Oops>(0..<10).combineLatest(with: numbers, values).subscribe(
      next: { first, second, _ in seen.value += [first, second] }, failed: { _ in })
    for number in 1...3 {
      values.send(resources.make())
      numbers.send(number)
    }
    #expect(resources.alive == 1)
    #expect(seen.value == [9, 1, 9, 1, 9, 2, 9, 2, 9, 3])
    switch end {
    case 0: subscription.dispose()
    case 1: values.fail(Oops())
    default:
      values.complete()
      numbers.complete()
    }
    #expect(resources.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("AC24: combineLatest and zip complete at once for no signals, and send the values of a single signal")
  func fewSignals() {
    #expect(Recorder(Signal<Int, Never>.combineLatest([])).events == [.completed])
    #expect(Recorder(Signal<Int, Never>.zip([])).events == [.completed])
    let one = Signal<Int, Never>([1, 2])
    let expected: [Event<[Int], Never>] = [.next([1]), .next([2]), .completed]
    #expect(Recorder(Signal.combineLatest([one])).events == expected)
    #expect(Recorder(Signal.zip([one])).events == expected)
  }

  @Test("signals after one that fails while it is being subscribed are not run")
  func failsAtOnce() {
    let runs = Counter()
    let later = Signal<Int, Oops>.deferred {
      runs.add()
      return .never()
    }
    let failing = Signal<Int, Oops>.fail(Oops(code: 3))
    func expectFailure<Whole: Sendable>(_ row: Signal<Whole, Oops>) {
      #expect(Recorder(row).completion == .failed(Oops(code: 3)))
      #expect(runs.value == 0)
    }
    expectFailure(failing.combineLatest(with: later))
    expectFailure(failing.combineLatest(with: later, later, later))
    expectFailure(failing.zip(with: later))
    expectFailure(failing.zip(with: later, later, later))
    expectFailure(later.withLatest(from: failing))
    expectFailure(later.withLatest(from: failing, later, later))
    expectFailure(Signal.combineLatest([failing, later]))
    expectFailure(Signal.zip([failing, later]))
  }

  @Test("AC25 C4: a signal combined with itself is subscribed twice")
  func sameTwice() {
    let runs = Counter()
    let signal = Signal<Int, Never>.deferred {
      runs.add()
      return .just(1)
    }
    #expect(
      Recorder(signal.combineLatest(with: signal).map { $0.0 + $0.1 }).events == [.next(2), .completed])
    #expect(runs.value == 2)
  }

  @Test("combineLatest of seven signals stores small, aligned, empty, optional and reference values intact")
  func shapes() {
    let text = Subject<String, Never>()
    let recorder = Recorder(
      Signal<UInt8, Never>.just(7).combineLatest(
        with: Signal<Int64, Never>.just(-1), Signal<Void, Never>.just(()), text,
        Signal<Bool, Never>.just(true), Signal<Int16?, Never>.just(nil), Signal<[Double], Never>.just([0.5])
      ).map { byte, number, _, text, flag, missing, list in
        "\(byte) \(number) \(text) \(flag) \(missing == nil) \(list)"
      })
    text.send("a")
    text.send("b")
    #expect(recorder.values == ["7 -1 a true true [0.5]", "7 -1 b true true [0.5]"])
  }

  @Test("a value sent during a delivery is delivered after it")
  func nested() {
    let log = Box<[String]>([])
    left.combineLatest(with: right).subscribe(
      next: { [right] pair in
        log.value.append("begin \(pair)")
        if pair.1 < 3 { right.send(pair.1 + 1) }
        log.value.append("end \(pair)")
      }, failed: { _ in })
    right.send(1)
    left.send(0)
    #expect(
      log.value == ["begin (0, 1)", "end (0, 1)", "begin (0, 2)", "end (0, 2)", "begin (0, 3)", "end (0, 3)"])
  }

  @Test(
    "combineLatest of an array sends arrays, retains only the latest objects, and releases them on failure")
  func array() {
    let resources = Resources()
    let subjects = (0..<3).map { _ in Subject<Resources.Resource, Oops>() }
    let counts = Box<[Int]>([])
    let subscription = Signal.combineLatest(subjects.map(\.signal)).subscribe(
      next: { counts.value.append($0.count) }, failed: { _ in })
    for _ in 0..<2 { for subject in subjects { subject.send(resources.make()) } }
    #expect(counts.value == [3, 3, 3, 3])
    #expect(resources.alive == 3)
    subjects[1].fail(Oops())
    #expect(resources.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("logical `and` and `or` take a signal that cannot fail beside one that can")
  func logicBesideOneThatCannotFail() {
    let (flags, isOn) = (Subject<Bool, Oops>(), MutableProperty(true))
    let all = Recorder(flags.and(isOn.signal).map { !$0 })
    let any = Recorder(flags.or(isOn.signal).map { !$0 })
    flags.send(false)
    isOn.value = false
    flags.send(true)
    flags.fail(Oops(code: 3))
    let failed = Event<Bool, Oops>.failed(Oops(code: 3))
    #expect(all.events == [.next(true), .next(true), .next(true), failed])
    #expect(any.events == [.next(false), .next(true), .next(false), failed])
  }

  @Test("logical `and` and `or` combine the latest values of all signals")
  func booleans() {
    let (one, two, three) = (Subject<Bool, Never>(), Subject<Bool, Never>(), Subject<Bool, Never>())
    let all = Recorder(one.and(two, three))
    let any = Recorder(one.or(two, three))
    for subject in [one, two, three] { subject.send(false) }
    for subject in [one, two, three] { subject.send(true) }
    #expect(all.values == [false, false, false, true])
    #expect(any.values == [false, true, true, true])
  }

  @Test(
    "withLatest of three signals sends at each source value once all have one, and completes with the source")
  func withLatest() {
    let (first, second, third) = (Subject<String, Oops>(), Subject<Bool, Oops>(), Subject<Int, Oops>())
    let gone = Counter()
    let last = third.on(disposed: { gone.add() })
    let recorder = Recorder(
      left.withLatest(from: first, second, last).map { value, text, flag, number in
        "\(value) \(text) \(flag) \(number)"
      })
    first.send("a")
    left.send(1)
    second.send(true)
    third.send(5)
    left.send(2)
    first.send("b")
    left.send(3)
    first.complete()
    #expect(gone.value == 0)
    left.complete()
    #expect(recorder.events == [.next("2 a true 5"), .next("3 b true 5"), .completed])
    #expect(gone.value == 1)
  }
}
