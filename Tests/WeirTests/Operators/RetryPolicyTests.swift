// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// retry(_:) by policy: counts, decisions, delays.
struct RetryPolicyTests {
  /// A signal whose run number `n`, from 1 on, sends `n` and fails with it.
  private func failing(_ runs: Counter) -> Signal<Int, Oops> {
    .deferred {
      let run = runs.add() + 1
      return Signal<Int, Oops>.just(run).concat(Signal<Int, Oops>.fail(Oops(code: run)))
    }
  }

  @Test("AC40: upTo(n) allows n + 1 runs, counted anew for each subscription")
  func count() {
    let runs = Counter()
    let signal = failing(runs).retry(.upTo(2))
    #expect(Recorder(signal).events == [.next(1), .next(2), .next(3), .failed(Oops(code: 3))])
    #expect(Recorder(signal).values == [4, 5, 6])
    #expect(Recorder(failing(runs).retry(.forever).take(first: 3)).values == [7, 8, 9])
  }

  @Test(
    "givingUp is called with the error and the number of the attempt, but not once the count is used up")
  func givingUp() {
    let asked = Box<[[Int]]>([])
    let policy = RetryPolicy<Oops>.upTo(3).givingUp { error, attempt in
      asked.value.append([error.code, attempt])
      return false
    }
    let runs = Counter()
    runs.add(10)
    #expect(Recorder(failing(runs).retry(policy)).completion == .failed(Oops(code: 14)))
    #expect(asked.value == [[11, 1], [12, 2], [13, 3]])
  }

  @Test("retry stops when any of several givingUp closures returns true, and forwards the failure it got")
  func severalDecisions() {
    let early = RetryPolicy<Oops>.upTo(9).givingUp { _, attempt in attempt == 2 }
      .givingUp { error, _ in error.code == 5 }
    #expect(Recorder(failing(Counter()).retry(early)).completion == .failed(Oops(code: 2)))
    let late = RetryPolicy<Oops>.upTo(9).givingUp { _, attempt in attempt == 4 }
      .givingUp { error, _ in error.code == 3 }
    #expect(Recorder(failing(Counter()).retry(late)).completion == .failed(Oops(code: 3)))
  }

  @Test(
    "the next attempt starts when the delay signal sends or completes, after that signal is disposed")
  func delay() {
    let runs = Counter()
    let (delays, gone) = (Box<[Subject<String, Never>]>([]), Counter())
    let asked = Box<[[Int]]>([])
    let policy = RetryPolicy<Oops>.forever.delayed { error, attempt in
      asked.value.append([error.code, attempt])
      let delay = Subject<String, Never>()
      delays.value.append(delay)
      return delay.on(disposed: { gone.add(runs.value) })
    }
    let recorder = Recorder(failing(runs).retry(policy))
    #expect(recorder.values == [1])
    #expect(asked.value == [[1, 1]])
    delays.value.last?.send("now")
    #expect(recorder.values == [1, 2])
    // The delay was disposed after one run: before the second.
    #expect(gone.value == 1)
    delays.value.last?.complete()
    #expect(recorder.values == [1, 2, 3])
    delays.value.first?.send("again")
    #expect(recorder.values == [1, 2, 3])
    #expect(asked.value == [[1, 1], [2, 2], [3, 3]])
    recorder.dispose()
  }

  @Test("F5: disposal during a delay disposes the delay signal, and no further attempt starts")
  func disposedWhileWaiting() {
    let (runs, cleanup) = (Counter(), Counter())
    let delay = Subject<Int, Never>()
    let resources = Resources()
    let recorder = Recorder(
      failing(runs).map { [token = resources.make()] value in
        _ = token
        return value
      }.retry(.forever.delayed { _, _ in delay.on(disposed: { cleanup.add() }) }))
    #expect(cleanup.value == 0)
    recorder.dispose()
    #expect(cleanup.value == 1)
    delay.send(1)
    #expect(runs.value == 1)
    #expect(recorder.events == [.next(1)])
    #expect(resources.alive == 0)
  }

  @Test("A11: a delay signal that releases its sink ends the run without a terminal event")
  func droppedDelay() {
    let runs = Counter()
    let delay = Box<Subject<Int, Never>?>(Subject())
    let recorder = Recorder(
      failing(runs).retry(.forever.delayed { _, _ in delay.value?.signal ?? .never() }))
    #expect(!recorder.subscription.isDisposed)
    delay.value = nil
    #expect(recorder.subscription.isDisposed)
    #expect(recorder.events == [.next(1)])
  }

  @Test(
    "contract 8: a failure whose delay cannot end is reported, but not if the run is disposed or continues")
  func lostInPause() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[String]>([])
      UnhandledErrors.setHandler { reported.value.append("\($0.name ?? "") \($0.error)") }
      let failing = RetryPolicyTests().failing(Counter())
      let closed = failing.retry(.forever.delayed(by: .seconds(1), on: ClosedScheduler())).named("closed")
      #expect(Recorder(closed).subscription.isDisposed)
      #expect(reported.value == ["closed \(Oops(code: 1))"])

      let delay = Box<Subject<Int, Never>?>(Subject())
      let waiting = failing.retry(.upTo(1).delayed { _, _ in delay.value?.signal ?? .never() })
      let (goesOn, isDisposed) = (Recorder(waiting), Recorder(waiting))
      isDisposed.dispose()
      delay.value?.send(0)
      #expect(goesOn.completion == .failed(Oops(code: 4)))
      #expect(reported.value.count == 1)

      let letGo = Recorder(waiting)
      delay.value = nil
      #expect(letGo.subscription.isDisposed)
      #expect(reported.value.dropFirst() == [" \(Oops(code: 5))"])
    }
  }

  @Test("givingUp is called after the failed run is disposed; disposal inside it prevents any further event")
  func disposedInside() {
    let log = Box<[String]>([])
    let slot = SerialDisposable()
    let source = Subject<Int, Oops>()
    let run = Signal<Int, Oops>.deferred {
      log.value.append("run")
      return source.on(disposed: { log.value.append("disposed") })
    }
    slot.swap(
      run.retry(
        .forever.givingUp { _, _ in
          log.value.append("asked")
          slot.dispose()
          return false
        }
      ).subscribe(failed: { _ in log.value.append("failed") }))
    source.fail(Oops())
    #expect(log.value == ["run", "disposed", "asked"])
  }

  @Test("givingUp is not called when the clean-up of the failed run disposes the subscription")
  func disposedInCleanUp() {
    let (log, slot, source) = (Box<[String]>([]), SerialDisposable(), Subject<Int, Oops>())
    let run = source.on(disposed: {
      log.value.append("disposed")
      slot.dispose()
    })
    slot.swap(
      run.retry(
        .forever.givingUp { _, _ in
          log.value.append("asked")
          return false
        }
      ).subscribe(failed: { _ in log.value.append("failed") }))
    source.fail(Oops())
    #expect(log.value == ["disposed"])
  }

  @Test(
    "F2: ten thousand attempts whose delay fires immediately or inside a send do not grow the stack"
  )
  func depth() {
    let rounds = roundsOfEach
    let immediate = RetryPolicy<Oops>.forever.delayed { _, _ in Signal<Int, Never>.just(0) }
    #expect(
      Recorder(failing(Counter()).retry(immediate).take(first: rounds).count()).values == [rounds])
    let delay = Subject<Int, Never>()
    let sent = Counter()
    let recorder = Recorder(
      failing(Counter()).doNext { (_) throws(Oops) in
        // Sent while the previous run still delivers its failure: the subject queues it, and it fires this
        // round's delay.
        if sent.add() < rounds { delay.send(0) }
      }.retry(.forever.delayed { _, _ in delay.signal }).take(first: rounds).count())
    while recorder.completion == nil { delay.send(0) }
    #expect(recorder.values == [rounds])
  }

  @Test("F3: finished attempts and their delay signals retain nothing")
  func release() {
    let resources = Resources()
    let delay = Subject<Int, Never>()
    let source = Subject<Int, Oops>()
    let policy = RetryPolicy<Oops>.forever.delayed { [outer = resources.make()] _, _ in
      delay.map { [inner = resources.make()] value in
        _ = (outer, inner)
        return value
      }
    }
    let subscription = Signal<Int, Oops>.deferred { [outer = resources.make()] in
      source.attempt { [inner = resources.make()] _ in
        _ = (outer, inner)
        throw Oops()
      }.mapError { _ in Oops() }
    }.retry(policy).subscribe(failed: { _ in })
    for value in 0..<100 {
      source.send(value)
      delay.send(value)
    }
    #expect(resources.alive == 3)
    subscription.dispose()
    #expect(resources.alive == 1)
    withExtendedLifetime(policy) {}
  }

  @Test(
    "resettingOnValue() counts a run that has sent a value as attempt 1, and allows the full count after it")
  func inARow() {
    let asked = Box<[Int]>([])
    let (runs, good) = (Counter(), Set([3, 4, 6]))
    let signal = Signal<Int, Oops>.deferred {
      runs.add()
      let failure = Signal<Int, Oops>.fail(Oops(code: runs.value))
      return good.contains(runs.value) ? failure.startWith(runs.value) : failure
    }
    let policy = RetryPolicy<Oops>.upTo(2).resettingOnValue().givingUp { _, attempt in
      asked.value.append(attempt)
      return false
    }
    // Runs 3 and 6 would be the last that the count allows.
    #expect(Recorder(signal.retry(policy)).events == [.next(3), .next(4), .next(6), .failed(Oops(code: 8))])
    #expect(asked.value == [1, 2, 1, 1, 2, 1, 2])
    let once = Counter()
    #expect(Recorder(failing(once).retry(.upTo(0).resettingOnValue())).values == [1])
    #expect(once.value == 1)
  }

  @Test(
    "onRetry is called for each failure with another attempt after it, before the delay; several in order")
  func onRetry() {
    let log = Box<[String]>([])
    let policy = RetryPolicy<Oops>.upTo(9)
      .onRetry { error, attempt in log.value.append("first \(error.code) \(attempt)") }
      .delayed { _, attempt -> Signal<Void, Never>? in
        log.value.append("delay \(attempt)")
        return nil
      }
      .onRetry { _, attempt in log.value.append("second \(attempt)") }
      .givingUp { _, attempt in attempt == 3 }
    let runs = Counter()
    runs.add(10)
    #expect(Recorder(failing(runs).retry(policy)).completion == .failed(Oops(code: 13)))
    #expect(log.value == ["first 11 1", "second 1", "delay 1", "first 12 2", "second 2", "delay 2"])
    let last = Recorder(failing(runs).retry(.upTo(0).onRetry { _, _ in log.value.append("never") }))
    #expect(last.completion == .failed(Oops(code: 14)) && log.value.count == 6)
  }

  @Test("F5: an onRetry that disposes the run prevents the attempt, and no further closure is called")
  func disposedInOnRetry() {
    let (runs, asked, slot) = (Counter(), Counter(), SerialDisposable())
    let source = Subject<Int, Oops>()
    let policy = RetryPolicy<Oops>.forever
      .onRetry { _, _ in slot.dispose() }
      .onRetry { _, _ in asked.add() }
      .delayed { _, _ -> Signal<Void, Never>? in
        asked.add()
        return nil
      }
    slot.swap(source.initially { runs.add() }.retry(policy).subscribe(failed: { _ in asked.add() }))
    source.fail(Oops())
    #expect((runs.value, asked.value) == (1, 0))
  }

  @Test("retry(upTo:) traps on a negative count")
  func negative() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Signal<Int, Oops>.never().retry(upTo: -1)
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(message?.contains("weir: retry(upTo: -1): the count must not be negative") == true)
  }
}
