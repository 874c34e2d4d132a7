// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Migration.md gives for names of Reactor and RxJava, in addition to those of ``MigrationWordsTests``.
struct MigrationReactorTests {
  private let scheduler = VirtualScheduler()

  func ending<Value, Failure>(
    _ signal: Signal<Value, Failure>, _ action: @escaping @Sendable (_ how: String) -> Void
  ) -> Signal<Value, Failure> {
    .deferred {
      let how = MutableProperty("cancelled")
      return
        signal
        .doCompleted { how.value = "completed" }
        .doFailed { _ in how.value = "failed" }
        .on(disposed: { action(how.value) })
    }
  }

  func headed<Frame: Sendable, Row, Failure>(
    _ frames: Signal<Frame, Failure>,
    body: @escaping @Sendable (_ header: Frame, _ rest: Signal<Frame, Failure>) -> Signal<Row, Failure>
  ) -> Signal<Row, Failure> {
    .deferred {
      let isOver = Subject<Never, Never>()
      return frames.materialize().take(until: isOver).group(by: { _ in 0 })
        .setFailureType(to: Failure.self)
        .flatMap { all in
          all.take(first: 1).setFailureType(to: Failure.self).flatMap { first -> Signal<Row, Failure> in
            switch first {
            case .next(let header): body(header, all.dematerialize()).on(disposed: { isOver.complete() })
            case .failed(let error): .fail(error)
            case .completed: .empty()
            }
          }
        }
    }
  }

  @Test("doOnCancel, doFinally: a run ends once, and tells how")
  func endings() {
    let ends = Box<[String]>([])
    func run(_ signal: Signal<Int, Oops>, first count: Int = 9) {
      Recorder(ending(signal) { ends.value.append($0) }.take(first: count)).dispose()
    }
    run(Signal([1, 2]))
    run(Signal([1, 2]), first: 1)
    run(.fail(Oops()))
    run(Subject<Int, Oops>().signal)
    #expect(ends.value == ["completed", "cancelled", "failed", "cancelled"])
    // An operator behind it fails: for the signal in front of it that is a cancellation.
    let failing = ending(Signal<Int, Oops>([1])) { ends.value.append($0) }
      .map { (value: Int) throws(Oops) in if value == 1 { throw Oops() } }
    #expect(Recorder(failing).completion == .failed(Oops()) && ends.value.last == "cancelled")
  }

  @Test("doFinally: `disposed` is called before the source is cleaned up, a resource is disposed after that")
  func order() {
    let order = Box<[String]>([])
    let source = Signal<Int, Never>.create { _ in ActionDisposable { order.value.append("source") } }
    Recorder(source.on(disposed: { order.value.append("disposed") })).dispose()
    #expect(order.value == ["disposed", "source"])
    let using = Signal<Int, Never>.using(
      resource: { ActionDisposable { order.value.append("resource") } }, signal: { _ in source })
    Recorder(using).dispose()
    #expect(order.value.suffix(2) == ["source", "resource"])
  }

  @Test("switchOnFirst: a body that ends early stops the frames, and the result completes")
  func earlyBody() {
    let frames = Subject<Int, Oops>()
    let recorder = Recorder(headed(frames.signal) { header, rest in rest.take(first: 1).map { $0 + header } })
    frames.send(10)
    #expect(frames.subscriberCount == 1)
    frames.send(1)
    #expect(recorder.events == [.next(11), .completed] && frames.subscriberCount == 0)

    let header = Recorder(headed(Signal<Int, Oops>([10, 1, 2])) { header, _ in .just(header) })
    #expect(header.events == [.next(10), .completed])
  }

  @Test("switchOnFirst: a body may catch the failure of the frames, and send a last row")
  func bodyCatches() {
    let frames = Subject<Int, Oops>()
    let recorder = Recorder(
      headed(frames.signal) { header, rest in
        rest.map { "\(header): \($0)" }.catch { (error: Oops) in .just("failed \(error.code)") }
      })
    for frame in 1...2 { frames.send(frame) }
    frames.fail(Oops(code: 7))
    #expect(recorder.events == [.next("1: 2"), .next("failed 7"), .completed])
  }

  @Test("switchOnFirst: what ends the frames or the result ends all", arguments: ["|", "#", "dispose"])
  func headedEnds(how: String) {
    let frames = Subject<Int, Oops>()
    let recorder = Recorder(headed(frames.signal) { header, rest in rest.map { $0 + header } })
    for frame in [10, 1, 2] { frames.send(frame) }
    switch how {
    case "|": frames.complete()
    case "#": frames.fail(Oops())
    default: recorder.dispose()
    }
    #expect(recorder.values == [11, 12] && frames.subscriberCount == 0)
    #expect(recorder.completion == (how == "|" ? .completed : how == "#" ? .failed(Oops()) : nil))
  }

  @Test(
    "switchOnFirst: a body that waits first keeps the frames that come meanwhile with replay(), and all ends",
    arguments: ["|", "#", "dispose", "refused"])
  func headedWaits(how: String) {
    let (frames, answer) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let recorder = Recorder(
      headed(frames.signal) { _, rest in
        let kept = rest.replay()
        return answer.take(first: 1).flatMap { _ in kept }
      })
    let hasty = Recorder(headed(frames.signal) { _, rest in answer.take(first: 1).flatMap { _ in rest } })
    for frame in 0..<3 { frames.send(frame) }
    if how == "refused" { answer.fail(Oops(code: 1)) } else { answer.send(0) }
    frames.send(3)
    switch how {
    case "|": frames.complete()
    case "#": frames.fail(Oops(code: 2))
    default: [recorder, hasty].forEach { $0.dispose() }
    }
    #expect(recorder.values == (how == "refused" ? [] : [1, 2, 3]))
    #expect(hasty.values == (how == "refused" ? [] : [3]))
    let failure = how == "refused" ? Oops(code: 1) : how == "#" ? Oops(code: 2) : nil
    #expect(recorder.completion == (how == "|" ? .completed : failure.map { .failed($0) }))
    #expect(frames.subscriberCount == 0 && answer.subscriberCount == 0)
  }

  @Test(
    "MergeHub: sources that come and go; the end of one is not the end, and after `complete` the last one is")
  func mergeHub() {
    let (hub, sources) = (Subject<Signal<Int, Never>, Never>(), (0..<3).map { _ in Subject<Int, Never>() })
    let recorder = Recorder(hub.flatten())
    for source in sources.prefix(2) { hub.send(source.signal) }
    sources[0].send(1)
    sources[0].complete()
    sources[1].send(2)
    hub.complete()
    hub.send(sources[2].signal)
    sources[1].send(3)
    #expect(recorder.events == [.next(1), .next(2), .next(3)] && sources[2].subscriberCount == 0)
    sources[1].complete()
    #expect(recorder.completion == .completed)

    let rows = Subject<Int, Never>()
    let forwarded = Recorder(rows)
    for source in [[1, 2], [3]] { Signal<Int, Never>(source).forward(to: rows) }
    #expect(forwarded.events == [.next(1), .next(2), .completed])
  }

  @Test("switchOnFirst: without a header there is no body, and the frames' end is passed on")
  func withoutHeader() {
    let body = { @Sendable (header: Int, _: Signal<Int, Oops>) in Signal<Int, Oops>.just(header) }
    #expect(Recorder(headed(Signal<Int, Oops>.empty(), body: body)).events == [.completed])
    #expect(Recorder(headed(Signal<Int, Oops>.fail(Oops()), body: body)).events == [.failed(Oops())])
  }

  @Test("filterWhen: values whose test says yes, in their order; a test without an answer says no")
  func filteredByTests() {
    let scheduler = scheduler
    let test = { @Sendable (value: Int) -> Signal<Bool, Never> in
      value == 3 ? .empty() : Signal.just(value.isMultiple(of: 2)).delay(.seconds(9 - value), on: scheduler)
    }
    let even = Recorder(
      Signal<Int, Never>([1, 2, 3, 4]).flatMap(.ordered(limit: 8)) { value in
        test(value).take(first: 1).filter { $0 }.mapReplace(value)
      })
    scheduler.run()
    #expect(even.events == [.next(2), .next(4), .completed])
  }

  @Test(
    "delayUntil: a value passes when what was done with it has completed, and then the next one's turn comes")
  func delayedByWork() {
    let scheduler = scheduler
    let act = { @Sendable (_: Int) in Signal<Void, Never>.just(()).delay(.seconds(1), on: scheduler) }
    let values = TimedRecorder(
      Signal<Int, Never>([1, 2]).flatMap(.concat) { value in act(value).then { .just(value) } }, on: scheduler
    )
    scheduler.run()
    #expect(values.difference(from: "-1(2|)") == nil)
  }

  @Test("onErrorContinue: what fails is reported and left out, by a closure or by a signal for each value")
  func continued() {
    let reported = Counter()
    let parse = { @Sendable (line: String) throws(Oops) -> Int in
      guard let number = Int(line) else { throw Oops() }
      return number
    }
    let log = { @Sendable (_: any Error) in _ = reported.add() }
    let lines = Signal<String, Never>(["1", "x", "2"])
    let parsed = lines.compactMap { line in do { return try parse(line) } catch { log(error); return nil } }
    #expect(Recorder(parsed).events == [.next(1), .next(2), .completed] && reported.value == 1)
    let load = { @Sendable (line: String) in
      Signal<Int, Oops>(catching: { () throws(Oops) in try parse(line) })
    }
    let loaded = lines.flatMap { line in
      load(line).catch { error in
        log(error)
        return .empty()
      }
    }
    #expect(Recorder(loaded).events == [.next(1), .next(2), .completed] && reported.value == 2)
  }

  @Test("scan sends its seed, takeUntil the value that ends it, repeat counts; then, onErrorComplete")
  func likeRxJava() {
    let numbers = Signal<Int, Oops>([1, 2, 3])
    #expect(Recorder(numbers.scan(10, +).startWith(10)).values == [10, 11, 13, 16])
    #expect(Recorder(numbers.take(until: { $0 == 2 }, boundary: .included)).values == [1, 2])
    #expect(Recorder(numbers.repeat(times: 2)).values == [1, 2, 3, 1, 2, 3])
    #expect(Recorder(numbers.then { .just("a") }).events == [.next("a"), .completed])
    let failing = numbers.concat(.fail(Oops()))
    let completed: Signal<Int, Never> = failing.catch { _ in .empty() }
    #expect(Recorder(completed).events == [.next(1), .next(2), .next(3), .completed])
    #expect(Recorder(failing.then { .just("a") }).events == [.failed(Oops())])
  }

  @Test("throttleLast: the newest value of each period, none twice, and none after the completion")
  func throttleLast() throws {
    let source = try ColdSignal<Int, Never>("12--3-----4|", on: scheduler)
    let recorder = TimedRecorder(
      source.enumerated().sample(every: .seconds(3), on: scheduler).distinctUntilKeyChanged { $0.offset }
        .map(\.element), on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: "---2--3----|") == nil)
  }

  @Test("unicast: values wait for the first subscriber, which gets them and what follows; nothing is kept")
  func unicast() {
    let (source, isPaused) = (Subject<Recipes.Booking, Never>(), MutableProperty(true))
    let held = Recipes().holding(source.signal, while: isPaused).publish()
    held.connect()
    for number in 1...2 { source.send(Recipes.Booking(account: "a", number: number)) }
    let first = Recorder(held.signal)
    #expect(first.values.isEmpty)
    isPaused.value = false
    source.send(Recipes.Booking(account: "a", number: 3))
    let second = Recorder(held.signal)
    source.complete()
    #expect(first.values.map(\.number) == [1, 2, 3] && first.completion == .completed)
    #expect(second.values.isEmpty && second.completion == .completed)
  }

  @Test("windows and groups that wait for their turn have lost values; with `replay` in front of it, none")
  func waitingWindows() {
    let scheduler = scheduler
    func run<Inner: SignalConvertible<Int, Never>>(
      _ inner: Signal<Inner, Never>, _ source: Subject<Int, Never>
    ) -> [[Int]] {
      let arrays = Recorder(
        inner.flatMap(.concat) { $0.signal.collect().delay(.seconds(1), on: scheduler) })
      for number in 1...6 { source.send(number) }
      source.complete()
      scheduler.run()
      return arrays.values
    }
    func source() -> Subject<Int, Never> { Subject() }
    let sources = (0..<4).map { _ in source() }
    #expect(run(sources[0].window(count: 2), sources[0]) == [[1, 2], [], []])
    #expect(run(sources[1].window(count: 2).map { $0.replay() }, sources[1]) == [[1, 2], [3, 4], [5, 6]])
    #expect(run(sources[2].group(by: { $0 % 3 }), sources[2]) == [[1, 4], [], []])
    #expect(
      run(sources[3].group(by: { $0 % 3 }).map { $0.replay() }, sources[3]) == [[1, 4], [2, 5], [3, 6]])
  }
}
