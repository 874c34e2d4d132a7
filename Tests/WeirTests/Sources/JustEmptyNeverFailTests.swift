// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// just, empty, never and fail.
struct JustEmptyNeverFailTests {
  @Test("just sends its value to each subscriber, and completes")
  func just() {
    let signal = Signal<Int, Never>.just(1)
    for _ in 0..<2 {
      let recorder = Recorder(signal)
      #expect(recorder.events == [.next(1), .completed])
      #expect(recorder.subscription.isDisposed)
    }
  }

  private enum Choice: Equatable { case one, other(UInt8) }

  /// Subscribes to the signal itself, through operators (one wraps it, one stores it), and in another signal.
  private func expectSent<Value: Equatable & Sendable>(
    _ value: Value, by signal: Signal<Value, Never>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let wrapped = signal.map { $0 }
    let kept = signal.take(first: 1)
    for signal in [signal, wrapped, kept] {
      let recorder = Recorder(signal)
      #expect(recorder.events == [.next(value), .completed], sourceLocation: sourceLocation)
    }
    for strategy in [FlattenStrategy<Never>.merge, .concat, .latest, .race] {
      let recorder = Recorder(Signal<Int, Never>(0..<2).flatMap(strategy) { _ in signal })
      let events = recorder.events
      #expect(events.first == .next(value) && events.last == .completed, sourceLocation: sourceLocation)
    }
  }

  @Test("just sends values of any size and kind unchanged")
  func justOfAll() {
    expectSent(true, by: .just(true))
    expectSent(UInt8.max, by: .just(.max))
    expectSent(Int32.min, by: .just(.min))
    expectSent(-1, by: .just(-1))
    expectSent(-0.5, by: .just(-0.5))
    expectSent(Choice.other(7), by: .just(.other(7)))
    expectSent(Int?.some(.min), by: .just(.min))
    expectSent(Int?.none, by: .just(nil))
    expectSent(SIMD4<Int>(1, 2, 3, 4), by: .just(SIMD4(1, 2, 3, 4)))
    expectSent(
      "a string that is too long to be plain bits", by: .just("a string that is too long to be plain bits"))
    expectSent([1, 2], by: .just([1, 2]))
  }

  @Test("just of nil sends nil")
  func justNil() {
    #expect(Recorder(Signal<Int?, Never>.just(nil)).events == [.next(nil), .completed])
  }

  @Test("empty completes at once")
  func empty() { #expect(Recorder(Signal<Int, Never>.empty()).events == [.completed]) }

  @Test("fail fails at once")
  func fail() { #expect(Recorder(Signal<Int, Oops>.fail(Oops(code: 3))).events == [.failed(Oops(code: 3))]) }

  @Test("never sends nothing, and stays open until it is disposed")
  func never() {
    let recorder = Recorder(Signal<Int, Oops>.never())
    #expect(recorder.events.isEmpty)
    #expect(!recorder.subscription.isDisposed)
    recorder.dispose()
    #expect(recorder.subscription.isDisposed)
    #expect(recorder.events.isEmpty)
  }

  @Test("a task does not wait for never, but for a signal that retains its observer")
  func neverInTasks() async {
    let never = Signal<Int, Never>.never()
    for await _ in never.values() { Issue.record("a value of never") }
    #expect(await never.firstValue() == nil)
    #expect(await !never.completion())

    let ended = Counter()
    let held = Signal<Int, Never>.create { observer in ActionDisposable { _ = observer } }
    do {
      let iterator = held.on(disposed: { ended.add() }).values().makeAsyncIterator()
      withExtendedLifetime(iterator) { #expect(ended.value == 0) }
    }
    #expect(ended.value == 1)
  }

  @Test("the value of just is released with the signal")
  func justReleases() {
    let resources = Resources()
    do {
      let signal = Signal<Resources.Resource, Never>.just(resources.make())
      signal.subscribe()
      #expect(resources.alive == 1)
    }
    #expect(resources.alive == 0)
  }

  @Test("just, empty, never and fail can be arguments without a type in front of their dot")
  func asArguments() {
    let numbers = Signal<Int, Oops>([1, 2])
    #expect(Recorder(numbers.concat(.just(3), .empty(), .just(4))).values == [1, 2, 3, 4])
    #expect(Recorder(numbers.combineLatest(with: .just("a")).map { "\($0)\($1)" }).values == ["2a"])
    #expect(Recorder(numbers.merge(with: .empty())).events.last == .completed)
    #expect(Recorder(numbers.merge(with: .never())).completion == nil)
    #expect(Recorder(numbers.concat(.fail(Oops(code: 3)))).events.last == .failed(Oops(code: 3)))
    let anyError = Recorder(numbers.mapError { $0 as any Error }.concat(.fail(CancellationError())))
    guard case .failed(let error) = anyError.completion else { return #expect(anyError.completion != nil) }
    #expect(error is CancellationError)
  }

  @Test(
    "timer and interval can be arguments without a type in front of their dot, timer whatever the failure")
  func timerAsArgument() {
    let (numbers, scheduler) = (Subject<Int, Oops>(), VirtualScheduler())
    let recorder = Recorder(numbers.take(until: .timer(after: .seconds(2), on: scheduler)))
    scheduler.advance(by: .seconds(1))
    numbers.send(1)
    scheduler.advance(by: .seconds(1))
    #expect(recorder.events == [.next(1), .completed])
    let ticks = Signal<Int, Never>([1, 2]).zip(with: .interval(.seconds(1), on: scheduler))
    let paced = Recorder(ticks.map { number, _ in number })
    scheduler.advance(by: .seconds(1))
    #expect(paced.values == [1])
    scheduler.run()
    #expect(paced.values == [1, 2])
  }

  @Test("events and completions convert into each other")
  func events() {
    #expect(Event<Int, Oops>(.completed) == .completed)
    #expect(Event<Int, Oops>(.failed(Oops(code: 1))) == .failed(Oops(code: 1)))
    #expect(Event<Int, Oops>.completed.completion == .completed)
    #expect(Event<Int, Oops>.failed(Oops(code: 1)).completion == .failed(Oops(code: 1)))
    #expect(Event<Int, Oops>.next(1).completion == nil)
    #expect(Event<Int, Oops>.next(1).value == 1 && Event<Int, Oops>.next(1).error == nil)
    let (failed, completed) = (Event<Int, Oops>.failed(Oops(code: 1)), Event<Int, Oops>.completed)
    #expect(failed.error == Oops(code: 1) && failed.value == nil)
    #expect(completed.error == nil && completed.value == nil)
    #expect(Set<Event<Int, Oops>>([.next(1), .next(1), .completed]).count == 2)
  }
}
