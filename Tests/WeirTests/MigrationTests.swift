// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Migration.md gives in place of operators that Weir has left out.
struct MigrationTests {
  typealias Row = Int

  func mergeDelayingErrors(_ signals: [Signal<Row, any Error>]) -> Signal<Row, any Error> {
    .deferred {
      let first = MutableProperty<(any Error)?>(nil)
      let values = signals.map { signal in
        signal.catch(to: (any Error).self) { error in
          first.modify { $0 = $0 ?? error }
          return .empty()
        }
      }
      return Signal.merge(values).concat(Signal.deferred { first.value.map { .fail($0) } ?? .empty() })
    }
  }

  @Test("repeatWhen: a signal runs again after a pause, also after the last of a number of times")
  func repeatedAfterPause() {
    let scheduler = VirtualScheduler()
    let poll = Signal<Int, Never>.deferred { .just(1) }
    let forever = Recorder(
      poll.concat(.empty().delay(.seconds(5), on: scheduler)).repeat().timestamp(on: scheduler))
    let twice = Recorder(
      poll.concat(.empty().delay(.seconds(5), on: scheduler)).repeat(times: 2).timestamp(on: scheduler))
    scheduler.advance(by: .seconds(9))
    #expect(twice.completion == nil)
    scheduler.advance(by: .seconds(1))
    #expect(twice.values.map(\.instant.elapsed) == [.zero, .seconds(5)] && twice.completion == .completed)
    #expect(forever.values.map(\.instant.elapsed) == [.zero, .seconds(5), .seconds(10)])
    forever.dispose()
    #expect(scheduler.waitingCount == 0)
  }

  @Test("nwise: a sliding window is a scan into an array, also every second one")
  func slidingWindow() {
    let windows = Signal<Int, Never>(1...5)
      .scan(into: []) { $0 = ($0 + [$1]).suffix(3) }.filter { $0.count == 3 }
    #expect(Recorder(windows).values == [[1, 2, 3], [2, 3, 4], [3, 4, 5]])
    let everySecond = windows.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    #expect(Recorder(everySecond).values == [[1, 2, 3], [3, 4, 5]])
    #expect(Recorder(windows.map { $0.reduce(0, +) / 3 }).values == [2, 3, 4])
  }

  @Test("mergeDelayError: the others go on after a failure; then the first error is passed on")
  func delayedErrors() {
    let subjects = (0..<3).map { _ in Subject<Row, any Error>() }
    let merged = mergeDelayingErrors(subjects.map(\.signal))
    let recorder = Recorder(merged)
    subjects[0].send(1)
    subjects[1].fail(Oops(code: 1))
    subjects[2].fail(Oops(code: 2))
    subjects[0].send(2)
    #expect(recorder.completion == nil)
    subjects[0].complete()
    #expect(recorder.values == [1, 2])
    guard case .failed(let error) = recorder.completion else { return #expect(recorder.completion != nil) }
    #expect(error as? Oops == Oops(code: 1))
    // Without errors, and with none left from the run before.
    let fine = Recorder(mergeDelayingErrors([.just(1), .just(2)]))
    #expect(fine.values == [1, 2])
    guard case .completed = fine.completion else { return #expect(fine.completion != nil) }
  }

  func rows<Trigger>(
    _ rows: Signal<Row, any Error>, until trigger: Signal<Trigger, any Error>
  ) -> Signal<Row, any Error> {
    trigger.materialize()
      .compactMap { event -> Event<Row, any Error>? in
        switch event {
        case .next: .completed
        case .failed(let error): .failed(error)
        case .completed: nil
        }
      }
      .merge(with: rows.materialize())
      .dematerialize()
  }

  private func end(_ recorder: Recorder<Row, any Error>) -> String? {
    switch recorder.completion {
    case .completed: "completed"
    case .failed(let error): "\(error)"
    case nil: nil
    }
  }

  @Test("takeUntilOther: a failure of the trigger is passed on, its completion ignored, its value completes")
  func failingTrigger() {
    typealias Trigger = Subject<Int, any Error>
    for (event, expected) in [
      ({ (trigger: Trigger) in trigger.send(7) }, "completed"), ({ $0.fail(Oops(code: 1)) }, "Oops(code: 1)"),
      ({ $0.complete() }, nil),
    ] as [((Trigger) -> Void, String?)] {
      let (source, trigger) = (Subject<Row, any Error>(), Trigger())
      let recorder = Recorder(rows(source.signal, until: trigger.signal))
      source.send(1)
      event(trigger)
      #expect(end(recorder) == expected)
      #expect(source.subscriberCount == (expected == nil ? 1 : 0))
      #expect(trigger.subscriberCount == 0)
      source.send(2)
      source.complete()
      #expect(recorder.values == (expected == nil ? [1, 2] : [1]))
      #expect(end(recorder) == expected ?? "completed")
    }
    let (source, trigger) = (Subject<Row, any Error>(), Trigger())
    let recorder = Recorder(rows(source.signal, until: trigger.signal))
    source.fail(Oops(code: 2))
    #expect(end(recorder) == "Oops(code: 2)")
    #expect(trigger.subscriberCount == 0)
  }

  @Test("a run that is failed from outside, and one that completes before")
  func failedFromOutside() {
    for isLate in [false, true] {
      let (source, errors) = (Subject<Row, any Error>(), Subject<any Error, Never>())
      let rows = source.signal
      let failing: Signal<Row, any Error> =
        errors.map { .failed($0) }.merge(with: rows.materialize()).dematerialize()
      let recorder = Recorder(failing)
      source.send(1)
      if isLate { source.complete() }
      errors.send(Oops(code: 1))
      source.send(2)
      #expect(recorder.values == [1])
      #expect(end(recorder) == (isLate ? "completed" : "Oops(code: 1)"))
      #expect(source.subscriberCount + errors.subscriberCount == 0)
    }
  }

  @Test(
    "KillSwitch: a signal whose errors are replayed fails runs that begin later, also of rows sent at once")
  func killSwitch() {
    let errors = ReplaySubject<any Error, Never>(capacity: 1)
    func killable(_ rows: Signal<Row, any Error>) -> Signal<Row, any Error> {
      errors.map { .failed($0) }.merge(with: rows.materialize()).dematerialize()
    }
    let (source, runs) = (Subject<Row, any Error>(), Counter())
    let recorder = Recorder(killable(source.signal))
    source.send(1)
    #expect(end(Recorder(killable(Signal([1, 2])))) == "completed")
    errors.send(Oops(code: 1))
    let late = Recorder(killable(Signal([1, 2]).initially { runs.add() }))
    for recorder in [recorder, late] { #expect(end(recorder) == "Oops(code: 1)") }
    #expect((recorder.values, late.values, runs.value) == ([1], [], 0))

    let (stop, stopped) = (Subject<Never, Never>(), Counter())
    stop.complete()
    let rest = Recorder(Signal<Row, Never>([1, 2]).initially { stopped.add() }.take(until: stop))
    #expect(rest.events == [.completed] && stopped.value == 0)
  }

  @Test("expand: a function that calls itself sends a tree, and completes when all of it was sent")
  func expand() {
    @Sendable func children(_ node: Int) -> Signal<Int, Never> {
      Signal([2 * node, 2 * node + 1].filter { $0 < 8 })
    }
    @Sendable func tree(_ node: Int) -> Signal<Int, Never> {
      children(node).flatMap { tree($0) }.startWith(node)
    }
    let nodes = Recorder(tree(1))
    #expect(nodes.values == [1, 2, 4, 5, 3, 6, 7])
    #expect(nodes.completion != nil)
  }

  @Test("bufferToggle: each opening collects what a hot source sends until its closing")
  func toggle() {
    let (source, openings, closings) = (Subject<Int, Never>(), Subject<Int, Never>(), Subject<Int, Never>())
    let closing = { @Sendable (opening: Int) in closings.filter { $0 == opening } }
    let buffers = Recorder(
      openings.take(until: source.ignoreValues()).flatMap { source.take(until: closing($0)).collect() })
    source.send(0)
    openings.send(1)
    source.send(1)
    openings.send(2)
    source.send(2)
    closings.send(1)
    source.send(3)
    closings.send(2)
    source.send(4)
    openings.send(3)
    source.send(5)
    #expect(buffers.values == [[1, 2], [2, 3]])
    source.complete()
    openings.send(4)
    #expect(buffers.values == [[1, 2], [2, 3], [5]] && buffers.completion == .completed)
    #expect(openings.subscriberCount == 0 && closings.subscriberCount == 0)
  }

  @Test("bufferToggle of a source that can fail: its failure ends the result", arguments: [false, true])
  func toggleOfFailing(isOpen: Bool) {
    let (source, openings) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let closings = Subject<Int, Oops>()
    let closing = { @Sendable (opening: Int) in closings.filter { $0 == opening } }
    let buffers = Recorder(
      openings.take(until: source.ignoreValues().materialize())
        .flatMap { source.take(until: closing($0)).collect() }
        .merge(with: source.ignoreValues()))
    openings.send(1)
    source.send(1)
    closings.send(1)
    if isOpen { openings.send(2) }
    source.fail(Oops())
    #expect(buffers.values == [[1]] && buffers.completion == .failed(Oops()))
    #expect(openings.subscriberCount == 0 && closings.subscriberCount == 0)
  }

  @Test("interval with another first delay: the first tick is sent after it, the others in their rhythm")
  func firstDelay() {
    let scheduler = VirtualScheduler()
    let ticks = Signal.ticks(every: .seconds(2), on: scheduler).startWith(())
      .delaySubscription(.seconds(5), on: scheduler)
    let recorder = Recorder(ticks.timestamp(on: scheduler))
    scheduler.advance(by: .seconds(10))
    #expect(recorder.values.map(\.instant.elapsed) == [.seconds(5), .seconds(7), .seconds(9)])
    recorder.dispose()
    #expect(scheduler.waitingCount == 0)
  }

  @Test("delayWhen: values are sent in the order in which their own signals send")
  func delayWhen() {
    let timings = Subject<Int, Never>()
    let timing = { @Sendable (value: Int) in timings.filter { $0 == value } }
    let signal: Signal<Int, Never> = Signal([1, 2, 3])
    let delayed = Recorder(
      signal.flatMap { value in timing(value).take(first: 1).then { .just(value) } })
    timings.send(2)
    timings.send(1)
    timings.send(2)
    timings.send(3)
    #expect(delayed.values == [2, 1, 3] && delayed.completion == .completed)
  }

  @Test("delaySubscription by a signal: subscribed at its first value, or when it ends without one")
  func delayedSubscription() {
    let other = Subject<Void, Never>()
    let signal: Signal<Int, Never> = .just(1)
    let delayed = Recorder(other.take(first: 1).then { signal })
    #expect(delayed.values.isEmpty)
    other.send()
    #expect(delayed.values == [1] && delayed.completion == .completed)
  }

  @Test("debounce by a time for each value: the newest value has its own time")
  func debouncedByValue() throws {
    let scheduler = VirtualScheduler()
    let values = try HotSignal<Int, Never>("12-3----|", on: scheduler)
    let recorder = TimedRecorder(
      values.flatMap(.latest) { value in Signal.just(value).delay(.seconds(value), on: scheduler) },
      on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: "------3-|") == nil)
  }

  @Test("hysteresis: on above the upper threshold, off below the lower one")
  func hysteresis() {
    let values: Signal<Int, Never> = Signal([70, 78, 81, 78, 82, 74, 79, 90])
    let isOn = values.scan(false) { isOn, value in value > (isOn ? 75 : 80) }.distinctUntilChanged()
    #expect(Recorder(isOn).values == [false, true, false, true])
  }

  @Test("a deadline that moves: the timer follows it, also to a time that has passed")
  func deadline() throws {
    let scheduler = VirtualScheduler()
    let now = { @Sendable in scheduler.clock.now.elapsed }
    let deadlines = try HotSignal<Int, Never>("a-b--c---", on: scheduler, values: ["a": 3, "b": 7, "c": 1])
    let ends = deadlines.map { Duration.seconds($0) }
      .flatMap(.latest) { Signal.just(()).delay($0 - now(), on: scheduler) }
      .map { "x" }
    let recorder = TimedRecorder(ends, on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: "-----x---") == nil)
  }

  @Test("allSettled: a failure does not stop the others, and all results are there at the end")
  func settled() {
    let works = (0..<3).map { _ in Subject<Int, Oops>() }
    let all = Recorder(
      Signal.merge(works.map { $0.map { Result.success($0) }.catch { .just(.failure($0)) } }).collect())
    works[1].fail(Oops(code: 1))
    for index in [2, 0] {
      works[index].send(index)
      works[index].complete()
    }
    #expect(all.values == [[.failure(Oops(code: 1)), .success(2), .success(0)]])
  }
}
