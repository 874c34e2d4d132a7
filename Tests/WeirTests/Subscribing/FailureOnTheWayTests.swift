// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

private typealias Numbers = Signal<Int, Oops>
private typealias MadeToDispose = @Sendable (Numbers, @escaping @Sendable () -> Void) -> Numbers

/// Sends nothing, and calls `action` when it is disposed.
private func waiting(_ action: @escaping @Sendable () -> Void) -> Numbers {
  .create { observer in
    ActionDisposable {
      action()
      withExtendedLifetime(observer) {}
    }
  }
}

/// Fails with the first value.
private func throwing(_ source: Numbers) -> Numbers {
  source.map { (_) throws(Oops) -> Int in throw Oops(code: 7) }
}

/// Failures whose run is disposed before they are delivered, by code that they have run themselves. In
/// processes of their own: the handler of such errors is one for the process.
struct FailureOnTheWayTests {
  /// Operators that run a source, and call the closure when the source has failed and the subscriber has not
  /// received that yet.
  private static let disposing: [(String, MadeToDispose)] = [
    ("merge", { $0.merge(with: waiting($1)) }),
    ("merge, second", { waiting($1).merge(with: $0) }),
    ("combineLatest", { $0.combineLatest(with: waiting($1)).map { $0.0 } }),
    ("withLatest", { $0.withLatest(from: waiting($1)).map { $0.0 } }),
    ("zip", { $0.zip(with: waiting($1)).map { $0.0 } }),
    ("race", { $0.race(with: waiting($1)) }),
    ("flatMap", { source, dispose in Numbers([0, 1]).flatMap { $0 == 0 ? source : waiting(dispose) } }),
    (
      "flatMap(.latest)",
      { source, dispose in source.startWith(0).flatMap(.latest) { _ in waiting(dispose) } }
    ),
    ("concat", { $0.on(disposed: $1).concat(Numbers.never()) }),
    ("retry", { $0.on(disposed: $1).retry(upTo: 3) }),
    (
      "retry, giving up",
      { source, dispose in
        source.retry(
          .forever.givingUp { _, _ in
            dispose()
            return true
          })
      }
    ),
    ("repeat", { $0.on(disposed: $1).repeat() }),
    ("share", { $0.on(disposed: $1).share() }),
    ("share for ever", { $0.on(disposed: $1).share(replay: 1, lifetime: .forever) }),
    ("catch", { $0.on(disposed: $1).catch { _ -> Numbers in fatalError("called after disposal") } }),
    (
      "using",
      { source, dispose in
        .using(resource: { ActionDisposable {} }, signal: { _ in source.on(disposed: dispose) })
      }
    ),
    ("finally", { $0.finally($1) }),
    ("finally, before retry", { $0.finally($1).retry() }),
    (
      "retry, going on",
      { source, dispose in
        source.retry(
          .upTo(1).givingUp { _, _ in
            dispose()
            return false
          })
      }
    ),
    (
      "retry, after a pause",
      { source, dispose in
        source.retry(
          .upTo(1).delayed { _, _ in
            dispose()
            return Signal<Void, Never>.just(())
          })
      }
    ),
    ("finally, behind retry", { $0.retry(upTo: 1).finally($1) }),
    ("doFailed", { source, dispose in source.doFailed { _ in dispose() } }),
    ("log", { source, dispose in source.log(to: LogSink { if $0.contains("failed") { dispose() } }) }),
    (
      "mapError",
      { source, dispose in
        source.mapError { error in
          dispose()
          return error
        }
      }
    ),
    (
      "dematerialize",
      { source, dispose in
        let events: Signal<Event<Int, Oops>, Never> = source.materialize()
        return events.doNext { if case .failed = $0 { dispose() } }.dematerialize()
      }
    ),
    ("skip(until:)", { $0.skip(until: waiting($1)) }),
    ("observe(on:)", { $0.on(disposed: $1).observe(on: QueuedScheduler()) }),
    ("observe(on:), at once", { $0.on(disposed: $1).observe(on: QueuedScheduler(), failures: .atOnce) }),
    ("observe(on: .immediate)", { $0.on(disposed: $1).observe(on: .immediate) }),
    ("observe(on: .immediate), at once", { $0.on(disposed: $1).observe(on: .immediate, failures: .atOnce) }),
    ("observe(on:), when needed", { $0.on(disposed: $1).observe(on: .immediate, .whenNeeded) }),
    (
      "observe(on:), when needed, at once",
      { $0.on(disposed: $1).observe(on: .immediate, .whenNeeded, failures: .atOnce) }
    ),
    (
      "an observer",
      { source, dispose in
        .create { observer in
          source.on(disposed: dispose).forward(to: observer)
          return nil
        }
      }
    ),
    (
      "an observer that has adopted something",
      { source, dispose in
        .create { observer in
          let feeding = Subscription()
          feeding.add(ActionDisposable(dispose))
          observer.adopt(feeding)
          source.forward(to: observer)
          return nil
        }
      }
    ),
  ]

  /// What is received and reported while `body` runs, which is passed the subscription.
  private static func outcome(_ make: (Subscription) -> Numbers, then body: (Subscription) -> Void) -> (
    received: [Int], reported: [Int]
  ) {
    let (received, reported, run) = (Box<[Int]>([]), Box<[Int]>([]), Subscription())
    UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code ?? -1) }
    run.add(make(run).subscribe(failed: { received.value.append($0.code) }))
    body(run)
    return (received.value, reported.value)
  }

  @Test("contract 8: a failure that causes its run to be disposed before it is delivered is reported, once")
  func disposed() async {
    await #expect(processExitsWith: .success) {
      for (name, make) in Self.disposing {
        let source = Subject<Int, Oops>()
        let outcome = Self.outcome { run in
          make(source.signal, { run.dispose() })
        } then: { run in
          source.fail(Oops(code: 7))
          #expect(run.isDisposed, "\(name)")
        }
        #expect(outcome.received == [] && outcome.reported == [7], "\(name): \(outcome)")
      }
    }
  }

  @Test(
    "a failure that a source sends after its run was disposed is not reported, whatever operator runs the source"
  )
  func afterDisposal() async {
    await #expect(processExitsWith: .success) {
      for (name, make) in Self.disposing {
        let sink = Box<Sink<Int, Oops>?>(nil)
        let outcome = Self.outcome { run in
          make(Numbers.attaching { sink.value = $0 }, {})
        } then: { run in
          run.dispose()
          sink.value?.terminate(.failed(Oops(code: 7)))
        }
        #expect(sink.value != nil && outcome.received == [] && outcome.reported == [], "\(name): \(outcome)")
      }
    }
  }

  @Test("a failure that a clean-up sends through another signal of the disposed observer is dropped")
  func forwardedAfterDisposal() async {
    await #expect(processExitsWith: .success) {
      let other = Subject<Int, Oops>()
      let outcome = Self.outcome { _ in
        .create { observer in
          waiting { other.fail(Oops(code: 7)) }.forward(to: observer)
          other.forward(to: observer)
          return nil
        }
      } then: { run in
        run.dispose()
      }
      #expect(outcome.received == [] && outcome.reported == [], "\(outcome)")
    }
  }

  /// Operators that buffer one value, fail with the next one, and call the closure then, as in ``disposing``.
  private static let full = Backlog.bounded(1, onOverflow: .fail(Oops(code: 7)))
  private static let overflowing: [(String, MadeToDispose)] = [
    ("zip", { $0.zip(with: waiting($1), waiting: full).map { $0.0 } }),
    ("observe(on:)", { $0.on(disposed: $1).observe(on: QueuedScheduler(), waiting: full) }),
  ]

  @Test(
    "contract 8: an overflow failure that causes its run to be disposed before it is delivered is reported, once"
  )
  func ownFailure() async {
    await #expect(processExitsWith: .success) {
      for (name, make) in Self.overflowing {
        let source = Subject<Int, Oops>()
        let outcome = Self.outcome { run in
          make(source.signal, { run.dispose() })
        } then: { _ in
          for value in 1...2 { source.send(value) }
        }
        #expect(outcome.received == [] && outcome.reported == [7], "\(name): \(outcome)")
      }
    }
  }

  @Test(
    "contract 8: observe(on:) reports a failure, once, if a value that it drops for the failure disposes the run"
  )
  func droppedValue() async {
    await #expect(processExitsWith: .success) {
      // Before it delivers, and when it has delivered as many as it may before other work gets the thread.
      for delivered in [0, 1_024] {
        let (source, scheduler, count) = (Subject<Parting, Oops>(), QueuedScheduler(), Counter())
        let fail = { @Sendable (run: Subscription) in
          source.send(Parting { run.dispose() })
          source.fail(Oops(code: 7))
        }
        let outcome = Self.outcome { run in
          source.observe(on: scheduler, failures: .atOnce).doNext { _ in
            count.add()
            if count.value == delivered { fail(run) }
          }.mapReplace(0)
        } then: { run in
          for _ in 0..<delivered { source.send(Parting {}) }
          if delivered == 0 { fail(run) }
          scheduler.runAll()
        }
        #expect(outcome.received == [] && outcome.reported == [7], "\(delivered): \(outcome)")
      }
    }
  }

  /// Operators that continue as the second signal, if that sends while the first one fails.
  private static let replacing: [(String, @Sendable (Numbers, Numbers) -> Numbers)] = [
    ("take(untilReplacement:)", { $0.take(untilReplacement: $1) }),
    ("take(until:)", { $0.take(until: $1).concat($1) }),
    ("race", { $0.race(with: $1) }),
    ("switchToLatest", { first, second in second.map { _ in second }.startWith(first).switchToLatest() }),
  ]

  @Test(
    "contract 8: a failure that causes another signal to take over is reported, once, and does not end the run"
  )
  func replaced() async {
    await #expect(processExitsWith: .success) {
      for (name, make) in Self.replacing {
        let (source, other) = (Subject<Int, Oops>(), Subject<Int, Oops>())
        let outcome = Self.outcome { _ in
          make(source.finally { other.send(1) }, other.signal)
        } then: { run in
          source.fail(Oops(code: 7))
          #expect(!run.isDisposed, "\(name)")
          run.dispose()
        }
        #expect(outcome.received == [] && outcome.reported == [7], "\(name): \(outcome)")
      }
    }
  }

  /// Operators that make subscriptions of their own, downstream of a closure that throws, or with one.
  private static let listening: [(String, @Sendable (Numbers) -> Numbers)] = [
    ("flatMap", { $0.flatMap { (_) throws(Oops) -> Numbers in throw Oops(code: 7) } }),
    ("merge", { throwing($0).merge(with: Numbers.never()) }),
    ("combineLatest", { throwing($0).combineLatest(with: Numbers.never()).map { $0.0 } }),
    ("concat", { throwing($0).concat(Numbers.never()) }),
    ("observe(on:)", { throwing($0).observe(on: .immediate) }),
    ("retry", { throwing($0).retry() }),
    ("repeat", { throwing($0).repeat() }),
    ("catch", { throwing($0).catch { _ -> Numbers in fatalError("called after disposal") } }),
    (
      "using",
      { source in
        .using(resource: { ActionDisposable {} }, signal: { _ in throwing(source) })
      }
    ),
  ]

  @Test(
    "while a run is being disposed, what a clean-up of it sends reaches no closure of it, whatever the operators"
  )
  func notCalled() async {
    await #expect(processExitsWith: .success) {
      for (name, make) in Self.listening {
        let source = Subject<Int, Oops>()
        let outcome = Self.outcome { _ in
          make(source.signal).on(disposed: { source.send(1) })
        } then: { run in
          run.dispose()
        }
        #expect(outcome.received == [] && outcome.reported == [], "\(name): \(outcome)")
      }
    }
  }
}
