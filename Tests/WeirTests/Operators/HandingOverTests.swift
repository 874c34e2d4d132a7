// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

private typealias Numbers = Signal<Int, Oops>

/// Signals that continue as another one: on which thread the next one is subscribed, and what is retained of
/// those before it.
struct HandingOverTests {
  /// A signal that another thread ends during its subscription.
  private static func endedElsewhere(
    _ thread: Box<UInt64>, with completion: Completion<Oops> = .completed
  ) -> Numbers {
    .create { observer in
      withThreads(1) { _ in
        thread.value = weir_thread()
        observer.terminate(completion)
      }
      return nil
    }
  }

  @Test(
    "C9: the next signal is subscribed on the thread that ended the one before, even during its subscription"
  )
  func thread() {
    let forms: [(Numbers, Numbers) -> Numbers] = [
      { $0.concat($1) },
      { first, second in first.then { second } },
      { first, second in first.switchIfEmpty(second) },
      { first, second in second.prepend(first) },
      { first, second in first.concat(Numbers.fail(Oops())).catchTo(Numbers.empty()).concat(second) },
      { first, second in Numbers.empty().concat(first.concat(second)) },
    ]
    for (index, form) in forms.enumerated() {
      let (ending, subscribing) = (Box<UInt64>(0), Box<UInt64>(1))
      let second = Numbers.create { observer in
        subscribing.value = weir_thread()
        observer.send(2)
        observer.complete()
        return nil
      }
      #expect(Recorder(form(Self.endedElsewhere(ending), second)).events == [.next(2), .completed])
      #expect(subscribing.value == ending.value, "form \(index)")
    }
  }

  @Test("retry and repeat resubscribe on the thread that ended the run before, even during its subscription")
  func again() {
    let completions: [Completion<Oops>] = [.completed, .failed(Oops())]
    for completion in completions {
      let (runs, ending, subscribing) = (Counter(), Box<UInt64>(0), Box<UInt64>(1))
      let source = Numbers.deferred {
        if runs.add() == 0 { return Self.endedElsewhere(ending, with: completion) }
        subscribing.value = weir_thread()
        return .just(1)
      }
      let signal = if case .completed = completion { source.repeat(times: 2) } else { source.retry(upTo: 1) }
      #expect(Recorder(signal).events == [.next(1), .completed])
      #expect(subscribing.value == ending.value)
    }
  }

  @Test("delaySubscription subscribes on its scheduler, even if the delay elapses before subscribing returns")
  func delayedSubscription() {
    let (ending, subscribing) = (Box<UInt64>(0), Box<UInt64>(1))
    let scheduler = ForeignScheduler { ending.value = weir_thread() }
    let source = Numbers.deferred {
      subscribing.value = weir_thread()
      return .just(1)
    }
    #expect(Recorder(source.delaySubscription(.zero, on: scheduler)).events == [.next(1), .completed])
    #expect(subscribing.value == ending.value)
  }

  @Test("C9: ten thousand signals that each continue as the next one run on a small stack")
  func recursion() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        @Sendable func poll(_ rounds: Int) -> Numbers {
          rounds == 0 ? .just(7) : Numbers.empty().then { poll(rounds - 1) }
        }
        @Sendable func count(_ number: Int) -> Numbers {
          number == roundsOfEach ? .empty() : .just(number).concat(Numbers.deferred { count(number + 1) })
        }
        @Sendable func searching(_ rounds: Int) -> Numbers {
          rounds == 0 ? .just(7) : Numbers.empty().switchIfEmpty(Numbers.deferred { searching(rounds - 1) })
        }
        @Sendable func countDown(_ rounds: Int) -> Numbers {
          .deferred { rounds == 0 ? .just(7) : countDown(rounds - 1) }
        }
        @Sendable func fetch(_ rounds: Int) -> Numbers {
          rounds == 0 ? .just(7) : Numbers.fail(Oops()).catch { _ in fetch(rounds - 1) }
        }
        @Sendable func give(_ rounds: Int) -> Numbers {
          rounds == 0
            ? .just(7)
            : Numbers.fail(Oops()).catch { _ in
              rounds.isMultiple(of: 2)
                ? .deferred { give(rounds - 1) } : Numbers.empty().then { give(rounds - 1) }
            }
        }
        #expect(Recorder(fetch(roundsOfEach)).events == [.next(7), .completed])
        #expect(Recorder(give(roundsOfEach)).events == [.next(7), .completed])
        #expect(Recorder(fetch(roundsOfEach).concat(poll(roundsOfEach))).values == [7, 7])
        #expect(Recorder(poll(roundsOfEach)).events == [.next(7), .completed])
        #expect(Recorder(count(0).count()).events == [.next(roundsOfEach), .completed])
        #expect(Recorder(searching(roundsOfEach)).events == [.next(7), .completed])
        #expect(Recorder(countDown(roundsOfEach)).events == [.next(7), .completed])
        #expect(Recorder(countDown(roundsOfEach).map { $0 + 1 }).events == [.next(8), .completed])
      }
    }
  }

  @Test("asynchronous signals that each continue as the next one use constant memory and stack")
  func asynchronousRecursion() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        let (steps, end) = (Subject<Int, Oops>(), Subject<Int, Oops>())
        @Sendable func poll(_ rounds: Int) -> Numbers {
          rounds == 0 ? end.signal : steps.take(first: 1).then { poll(rounds - 1) }
        }
        let recorder = Recorder(poll(2 * roundsToGrow))
        for _ in 0..<roundsToGrow { steps.send(0) }
        #expect(allocatedGrowth { steps.send(0) } < spareMemory)
        end.send(7)
        end.complete()
        #expect(recorder.events == [.next(7), .completed])
      }
    }
  }

  #if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
  @Test(
    "startWith and initially around a signal that continues as itself need constant memory and stack",
    arguments: ["startWith", "initially"])
  func recursionBehind(name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      withSmallStack {
        let (steps, starts) = (Subject<Int, Oops>(), Counter())
        @Sendable func session(_ number: Int) -> Numbers {
          let next = steps.take(first: 1).ignoreValues().then { session(number + 1) }
          return name == "startWith" ? next.startWith(number) : next.initially { starts.add() }
        }
        let values = Counter()
        let subscription = session(0).subscribe(next: { _ in values.add() }, failed: { _ in })
        for _ in 0..<manyRounds { steps.send(0) }
        #expect(allocatedGrowth { steps.send(0) } < spareMemory)
        #expect((name == "startWith" ? values : starts).value == manyRounds + roundsToGrow + 1)
        subscription.dispose()
        #expect(steps.subscriberCount == 0)
      }
    }
  }
  #endif

  @Test("then(_:) releases a completed signal while the next one runs")
  func lifetime() {
    let resources = Resources()
    let (first, second) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    @Sendable func signal() -> Numbers {
      first.map { [token = resources.make()] value in
        withExtendedLifetime(token) { value }
      }.then { second.concat(Numbers.empty()) }
    }
    let recorder = Recorder(signal())
    #expect(resources.alive == 1)
    first.complete()
    #expect(resources.alive == 0)
    second.send(2)
    second.complete()
    #expect(recorder.events == [.next(2), .completed])
  }

  @Test("the cleanup of on, finally, using and a custom signal around a concat runs after its last signal")
  func around() {
    typealias Form = @Sendable (_ both: Numbers, EventLog) -> Numbers
    let forms: [Form] = [
      { both, log in both.on(disposed: { log.append("gone") }) },
      { both, log in both.finally { log.append("gone") } },
      { both, log in
        .using(resource: { ActionDisposable { log.append("gone") } }, signal: { _ in both })
      },
      { both, log in
        Numbers.attaching { sink in
          both.attach(sink)
          sink.subscription.add(ActionDisposable { log.append("gone") })
        }
      },
    ]
    for (index, form) in forms.enumerated() {
      let (log, outer) = (EventLog(), Subject<Int, Oops>())
      let (first, second) = (Subject<Int, Oops>(), Subject<Int, Oops>())
      log.listen(to: outer.then { form(first.concat(second), log) }.concat(Numbers.just(3)), as: "")
      outer.complete()
      first.send(1)
      first.complete()
      second.send(2)
      second.complete()
      #expect(log.value == ["1", "2", "gone", "3", " completed"], "form \(index)")
    }
  }
}

/// A scheduler that runs everything on another thread, and returns only when that is done.
private final class ForeignScheduler: TimedScheduler {
  private let beginning: @Sendable () -> Void
  let clock = VirtualScheduler().clock

  init(_ beginning: @escaping @Sendable () -> Void) { self.beginning = beginning }

  func enqueue(_ work: any ScheduledWork) {
    withThreads(1) { [self] _ in
      beginning()
      performAsCurrent { work.run() }
    }
  }

  func enqueue(
    _ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration
  ) -> any Disposable {
    enqueue(work)
    return ActionDisposable {}
  }
}
