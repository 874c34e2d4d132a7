// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of services that fail, of requests nobody waits for, and of devices that fall silent.
struct UpstreamRecipeTests {
  private let scheduler = VirtualScheduler()
  private let asked = Counter()

  /// A request that ends as the test says.
  private func request(_ breaker: Recipes.Breaker, _ answer: Subject<Int, any Error>) -> Recorder<
    Int, any Error
  > {
    Recorder(breaker.guarding(answer.signal.initially { [asked] in asked.add() }))
  }

  private func ask(_ breaker: Recipes.Breaker, answer: Int?) -> Recorder<Int, any Error> {
    let subject = Subject<Int, any Error>()
    let recorder = request(breaker, subject)
    if let answer { subject.send(answer) }
    if answer == nil { subject.fail(Oops()) } else { subject.complete() }
    return recorder
  }

  private func isRefused(_ recorder: Recorder<Int, any Error>) -> Bool {
    if case .failed(let error) = recorder.completion { error is Recipes.Breaker.IsOpen } else { false }
  }

  @Test("the breaker opens after five failures in a row, and then asks nothing for ten seconds")
  func opens() {
    let breaker = Recipes.Breaker(on: scheduler)
    for answer in [nil, nil, nil, nil, 1, nil, nil, nil, nil] {
      #expect(!isRefused(ask(breaker, answer: answer)))
    }
    #expect(breaker.state.value.phase == .closed)
    #expect(!isRefused(ask(breaker, answer: nil)))
    #expect(breaker.state.value.phase == .open)
    scheduler.advance(by: .milliseconds(9_999))
    #expect(isRefused(ask(breaker, answer: 1)))
    #expect(asked.value == 10)
  }

  private func halfOpen() -> Recipes.Breaker {
    let breaker = Recipes.Breaker(on: scheduler)
    for _ in 0..<5 { _ = ask(breaker, answer: nil) }
    scheduler.advance(by: .seconds(10))
    #expect(breaker.state.value.phase == .halfOpen)
    return breaker
  }

  @Test(
    "a single request tries, the others are refused meanwhile; its end closes the breaker or opens it again")
  func tries() {
    let (breaker, answer) = (halfOpen(), Subject<Int, any Error>())
    let trial = request(breaker, answer)
    #expect(isRefused(ask(breaker, answer: 1)))
    answer.fail(Oops())
    #expect(trial.completion != nil)
    #expect(breaker.state.value.phase == .open)
    scheduler.advance(by: .seconds(10))
    #expect(ask(breaker, answer: 7).values == [7])
    #expect(breaker.state.value.phase == .closed)
    #expect(asked.value == 7)
    scheduler.advance(by: .seconds(60))
    #expect(breaker.state.value.phase == .closed)
  }

  @Test("a trial that is disposed decides nothing: the next request is one")
  func disposedTrial() {
    let (breaker, answer) = (halfOpen(), Subject<Int, any Error>())
    request(breaker, answer).dispose()
    #expect(breaker.state.value.phase == .halfOpen)
    #expect(ask(breaker, answer: 7).values == [7])
    #expect(breaker.state.value.phase == .closed)
  }

  @Test("requests from before the breaker opened decide nothing")
  func late() {
    let breaker = Recipes.Breaker(on: scheduler)
    let answers = (0..<3).map { _ in Subject<Int, any Error>() }
    let early = answers.map { request(breaker, $0) }
    for _ in 0..<5 { _ = ask(breaker, answer: nil) }
    answers[0].complete()
    #expect(breaker.state.value.phase == .open)
    scheduler.advance(by: .seconds(10))
    let answer = Subject<Int, any Error>()
    let trial = request(breaker, answer)
    answers[1].fail(Oops())
    early[2].dispose()
    #expect(breaker.state.value.phase == .trying)
    answer.complete()
    #expect(trial.completion != nil)
    #expect(breaker.state.value.phase == .closed)
    #expect(early.prefix(2).allSatisfy { $0.completion != nil })
  }

  @Test("of three threads that ask a half-open breaker at once, one gets the trial")
  func threads() {
    let answer = Subject<Int, any Error>()
    for _ in 0..<200 {
      let (breaker, admitted, refused) = (halfOpen(), Counter(), Counter())
      withThreads(3) { _ in
        breaker.guarding(answer.initially { admitted.add() }).subscribe(failed: { _ in refused.add() })
      }
      #expect((admitted.value, refused.value) == (1, 2))
    }
  }

  @Test("all who wait get the answer of one request; it is kept for half a minute")
  func cached() {
    let answer = Subject<Recipes.Quote, any Error>()
    let quote = Recipes().cachedIfWanted(answer.initially { [asked] in asked.add() }, on: scheduler)
    let early = [Recorder(quote), Recorder(quote)]
    answer.send(Recipes.Quote(price: 1))
    #expect(early.allSatisfy { $0.values == [Recipes.Quote(price: 1)] && $0.completion != nil })
    scheduler.advance(by: .milliseconds(29_999))
    #expect(Recorder(quote).values == [Recipes.Quote(price: 1)])
    #expect(asked.value == 1)
    scheduler.advance(by: .milliseconds(1))
    #expect(Recorder(quote).values == [])
    #expect(asked.value == 2)
  }

  @Test("a cached answer says itself how long it is kept; a failure is kept, too, if it is made a value")
  func keptAsLong() {
    let (asked, scheduler) = (asked, scheduler)
    let request = Signal<Recipes.Quote, any Error>.deferred {
      asked.add() == 1 ? .fail(Oops()) : .just(Recipes.Quote(price: 40))
    }
    let cached =
      request
      .map { Result.success($0) }.catch { .just(.failure($0)) }
      .flatMap { (result: Result<Recipes.Quote, any Error>) in
        let seconds = (try? result.get())?.price ?? 10
        return Signal.never().take(for: .seconds(seconds), on: scheduler).startWith(result)
      }
      .share(replay: 1, disconnecting: .never)
      .take(first: 1)
      .tryMap { try $0.get() }
    func ask() -> Int? { Recorder(cached).values.first?.price }
    #expect(ask() == 40 && asked.value == 1)
    scheduler.advance(by: .milliseconds(39_999))
    #expect(ask() == 40 && asked.value == 1)
    scheduler.advance(by: .milliseconds(1))
    #expect(ask() == nil && asked.value == 2)
    scheduler.advance(by: .milliseconds(9_999))
    #expect(ask() == nil && asked.value == 2)
    scheduler.advance(by: .milliseconds(1))
    #expect(ask() == 40 && asked.value == 3)
  }

  @Test("a request is stopped when the last one who waits leaves; in the other form, half a minute later")
  func unwanted() {
    let answer = Subject<Recipes.Quote, any Error>()
    let quote = Recipes().cachedIfWanted(answer.signal, on: scheduler)
    let callers = [Recorder(quote), Recorder(quote)]
    callers[0].dispose()
    #expect(answer.subscriberCount == 1)
    callers[1].dispose()
    #expect(answer.subscriberCount == 0)
    let other = Recipes().cached(answer.signal, on: scheduler)
    Recorder(other).dispose()
    scheduler.advance(by: .milliseconds(29_999))
    #expect(answer.subscriberCount == 1)
    scheduler.advance(by: .milliseconds(1))
    #expect(answer.subscriberCount == 0)
  }

  @Test("a device is online from a reading until thirty seconds after its last one")
  func online() throws {
    let readings = try HotSignal<Int, Never>("-1--2-------3-|", on: scheduler, tick: .seconds(5))
    let isOnline = Recipes().isOnline(readings.map { Recipes.Reading(second: 0, value: $0) }, on: scheduler)
    let recorder = TimedRecorder(isOnline, on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: "-t--------f-t-(f|)", tick: .seconds(5)) == nil)
  }

  @Test("an alarm begins when a value has been too high for five seconds without a break, and ends at once")
  func alarm() throws {
    let isTooHigh = try HotSignal<Bool, Never>("-t--f-t-t-----f-|", on: scheduler, tick: .seconds(1))
    let recorder = TimedRecorder(Recipes().alarm(isTooHigh.signal, on: scheduler), on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: "f----------t--f-|", tick: .seconds(1)) == nil)
  }

  @Test("an alarm that is about to begin when the signal completes does not begin; one that has begun ends")
  func alarmAtTheEnd() throws {
    for (samples, alarms) in [("-t--|", "f---|"), ("-t------|", "f-----t-(f|)")] {
      let scheduler = VirtualScheduler()
      let isTooHigh = try HotSignal<Bool, Never>(samples, on: scheduler, tick: .seconds(1))
      let recorder = TimedRecorder(Recipes().alarm(isTooHigh.signal, on: scheduler), on: scheduler)
      scheduler.run()
      #expect(recorder.difference(from: alarms, tick: .seconds(1)) == nil)
    }
  }

  @Test("the peak is the highest sample of the last five minutes, and none after five minutes of silence")
  func peak() {
    let samples = Subject<Double, Never>()
    let recorder = Recorder(Recipes().peak(of: samples.signal, within: .seconds(300), on: scheduler))
    func send(_ sample: Double) {
      samples.send(sample)
      scheduler.advance(by: .seconds(100))
    }
    for sample in [5.0, 3, 4, 4, 1, 2] { send(sample) }
    #expect(recorder.values == [5, 4, 2])
    scheduler.advance(by: .seconds(200))
    #expect(recorder.values == [5, 4, 2, nil])
    #expect(samples.subscriberCount == 1)
    recorder.dispose()
    #expect(samples.subscriberCount == 0)
  }

  @Test("a status that is set above the timeout of a feed does not count as a value: the pauses grow")
  func status() {
    let (status, attempts) = (MutableProperty("off"), Counter())
    let feed = Signal<Recipes.Quote, any Error>.deferred {
      attempts.add() < 30 ? .fail(Oops()) : Signal.never().startWith(Recipes.Quote(price: 1))
    }
    let seen = Recorder(status.signal)
    let quotes: Signal<Recipes.Quote, Never> = Recipes().lasting(
      feed.initially { status.value = "connecting" }.doNext { _ in status.value = "connected" },
      on: scheduler
    ).assertNoFailure()
    let recorder = Recorder(quotes.take(first: 1))
    #expect(seen.values == ["off", "connecting"])
    scheduler.advance(by: .seconds(200))
    #expect((5...20).contains(attempts.value))
    scheduler.run()
    #expect(attempts.value == 31 && recorder.completion != nil)
    #expect(seen.values == ["off"] + Array(repeating: "connecting", count: 31) + ["connected"])
  }

  @Test("onRetry logs the attempts that are made again, and leaves the delays alone")
  func loggedAttempts() {
    let log = Box<[Int]>([])
    let recorder = TimedRecorder(
      Signal<Int, Oops>.fail(Oops()).retry(
        .upTo(2).backoff(from: .seconds(1), upTo: .seconds(9), jitter: .none, on: scheduler)
          .onRetry { _, attempt in log.value.append(attempt) }), on: scheduler)
    #expect(log.value == [1])
    scheduler.run()
    #expect(log.value == [1, 2])
    #expect(recorder.events.map(\.time) == [.seconds(3)])
  }
}
