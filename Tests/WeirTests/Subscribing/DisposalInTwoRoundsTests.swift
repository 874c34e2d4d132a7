// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What a clean-up of a run does to other parts of that run, which are disposed after it.
struct DisposalInTwoRoundsTests {
  private typealias Numbers = Signal<Int, Oops>

  static let strategies: [FlattenStrategy<Oops>] = [
    .merge, .merge(limit: 2), .ordered(limit: 2), .latest, .first, .race,
  ]

  @Test(
    "a clean-up of a disposed run cannot make flatMap start a signal, not even an endless one",
    arguments: 0..<6)
  func starts(strategy: Int) {
    let (source, started) = (Subject<Int, Oops>(), Counter())
    let endless = Numbers.deferred {
      started.add(1)
      return .repeatElement(1)
    }
    let run = source.flatMap(Self.strategies[strategy]) { _ in endless }
      .take(first: 3)
      .on(disposed: { source.send(0) })
      .subscribe(failed: { _ in })
    run.dispose()
    #expect(started.value == 0)
  }

  /// Two signals, the second of which is retried as long as it fails.
  private static let combining: [@Sendable (Numbers, Numbers) -> Numbers] = [
    { $0.merge(with: $1) },
    { $0.combineLatest(with: $1).map { $0.0 } },
    { $0.zip(with: $1).map { $0.0 } },
    { $0.withLatest(from: $1).map { $0.0 } },
    { $0.sample(on: $1) },
    { $0.take(untilReplacement: $1) },
    { first, second in Signal<Numbers, Oops>([first, second]).flatMap(.merge(limit: 2)) { $0 } },
    { first, second in Numbers.merge([first, second, .never()]) },
  ]

  @Test(
    "a clean-up of one signal cannot make its sibling be retried when both are disposed", arguments: 0..<8)
  func retried(way: Int) {
    let (first, connection, attempts) = (Subject<Int, Oops>(), Subject<Int, Oops>(), Counter())
    let second = Numbers.deferred {
      attempts.add(1)
      return attempts.value < 100 ? connection.signal : .never()
    }.retry()
    let run = Self.combining[way](first.on(disposed: { connection.fail(Oops()) }), second)
      .subscribe(failed: { _ in })
    run.dispose()
    #expect(attempts.value == 1)
  }

  @Test(
    "a clean-up of one signal cannot make its sibling be retried when the failure of a third one ends both")
  func retriedAfterFailure() {
    let (first, connection, attempts) = (Subject<Int, Oops>(), Subject<Int, Oops>(), Counter())
    let third = Subject<Int, Oops>()
    let second = Numbers.deferred {
      attempts.add(1)
      return attempts.value < 100 ? connection.signal : .never()
    }.retry()
    let recorder = Recorder(
      Numbers.merge([first.on(disposed: { connection.fail(Oops()) }), second, third.signal]))
    third.fail(Oops(code: 3))
    #expect(attempts.value == 1)
    #expect(recorder.events == [.failed(Oops(code: 3))])
  }

  /// Ways in which one run holds another that is not simply part of it.
  private static let holding: [@Sendable (Numbers) -> Numbers] = [
    { held in .create { observer in held.subscribe(next: { observer.send($0) }, failed: { _ in }) } },
    { $0.share() },
    { $0.share().map { $0 }.share() },
    { $0.share(replay: 2, lifetime: .forever) },
    { $0.publish().autoconnect() },
    { $0.multicast(ReplaySubject(capacity: 2)).autoconnect() },
  ]

  @Test(
    "a clean-up of one signal starts nothing in its sibling, which is shared, or subscribed by a closure",
    arguments: 0..<6)
  func held(way: Int) {
    let (first, source, started) = (Subject<Int, Oops>(), Subject<Int, Oops>(), Counter())
    let second = source.flatMap { value in
      started.add(1)
      return .just(value)
    }
    let run = first.on(disposed: { source.send(0) }).merge(with: Self.holding[way](second))
      .subscribe(failed: { _ in })
    source.send(0)
    #expect(started.value == 1)
    run.dispose()
    #expect(started.value == 1 && source.subscriberCount == 0)
  }

  @Test("a clean-up starts nothing in a subscription that was added to the run")
  func added() {
    let (first, source, started) = (Subject<Int, Oops>(), Subject<Int, Oops>(), Counter())
    let run = first.on(disposed: { source.send(0) }).subscribe(failed: { _ in })
    run.add(
      source.flatMap { value in
        started.add(1)
        return .just(value)
      }.subscribe(failed: { _ in }))
    run.dispose()
    #expect(started.value == 0)
  }

  @Test("a clean-up of what a subject has adopted starts nothing in its connection when it is completed")
  func connected() {
    let (subject, source, started) = (Subject<Int, Oops>(), Subject<Int, Oops>(), Counter())
    let first = Subject<Int, Oops>()
    subject.adopt(first.on(disposed: { source.send(0) }).subscribe(failed: { _ in }))
    let connection = source.flatMap { value in
      started.add(1)
      return .just(value)
    }.multicast(subject)
    connection.connect()
    subject.complete()
    #expect(started.value == 0 && source.subscriberCount == 0)
  }

  @Test("a clean-up may subscribe a shared signal whose last subscriber is being disposed: it runs anew")
  func subscribedAgain() {
    let (first, source, runs) = (Subject<Int, Oops>(), Subject<Int, Oops>(), Counter())
    let shared = Numbers.deferred {
      runs.add(1)
      return source.signal
    }.share()
    let again = Box<Recorder<Int, Oops>?>(nil)
    let run = first.on(disposed: { again.value = Recorder(shared) }).merge(with: shared)
      .subscribe(failed: { _ in })
    run.dispose()
    #expect(runs.value == 2)
    source.send(1)
    #expect(again.value?.values == [1])
  }

  @Test(
    "the closure of flatMap is not called for a value during which its run was disposed", arguments: 0..<6)
  func notCalled(strategy: Int) {
    let (source, called, run) = (Subject<Int, Oops>(), Counter(), Box<Subscription?>(nil))
    run.value = source.doNext { _ in run.value?.dispose() }
      .flatMap(Self.strategies[strategy]) { value in
        called.add(1)
        return .just(value)
      }
      .subscribe(failed: { _ in })
    source.send(1)
    #expect(called.value == 0)
  }

  @Test("a closure of a retry policy that disposes the run is the last one that is called")
  func policy() async {
    await #expect(processExitsWith: .success) {
      let (called, reported, run) = (Counter(), Counter(), Box<Subscription?>(nil))
      UnhandledErrors.setHandler { _ in reported.add(1) }
      let policy = RetryPolicy<Oops>.forever
        .givingUp { _, _ in
          run.value?.dispose()
          return false
        }
        .givingUp { _, _ in
          called.add(1)
          return false
        }
        .delayed { _, _ in
          called.add(1)
          return Signal<Int, Never>.just(1)
        }
      let source = Subject<Int, Oops>()
      run.value = source.retry(policy).subscribe(failed: { _ in })
      source.fail(Oops())
      #expect(called.value == 0 && reported.value == 1)
    }
  }

  @Test("a terminal event is not delivered to a subscriber that a clean-up of its run has disposed")
  func disposedByCleanUp() async {
    await #expect(processExitsWith: .success) {
      let reported = Counter()
      UnhandledErrors.setHandler { _ in reported.add(1) }
      for end in [{ @Sendable in $0.complete() }, { $0.fail(Oops()) }]
        as [@Sendable (Subject<Int, Oops>) -> Void]
      {
        let (source, ended) = (Subject<Int, Oops>(), Counter())
        let (run, forwarding, lifetime) = (Box<Subscription?>(nil), Box<Subscription?>(nil), Lifetime())
        run.value = source.on(disposed: { run.value?.dispose() })
          .subscribe(failed: { _ in ended.add(1) }, completed: { ended.add(1) })
        let owned = source.on(disposed: { lifetime.end() })
          .subscribe(failed: { _ in ended.add(1) }, completed: { ended.add(1) })
        lifetime.adopt(owned)
        let other = Subject<Int, Oops>()
        let received = Recorder(other)
        forwarding.value = source.on(disposed: { forwarding.value?.dispose() }).forward(to: other)
        end(source)
        #expect(ended.value == 0 && received.events.isEmpty)
      }
      #expect(reported.value == 3)
    }
  }

  @Test("O3: clean-ups run in the order in which they were added, also those of runs inside of the run")
  func order() {
    let (log, source) = (Box<[String]>([]), Subject<Int, Oops>())
    func logged(_ name: String) -> Numbers { source.on(disposed: { log.value.append(name) }) }
    let inner = logged("a").merge(with: logged("b")).on(disposed: { log.value.append("c") })
    inner.concat(logged("d")).on(disposed: { log.value.append("e") })
      .subscribe(failed: { _ in }).dispose()
    #expect(log.value == ["e", "c", "a", "b"])
  }
}
