// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// timeout, in all its forms.
struct TimeoutTests {
  static let policies: [TimeoutPolicy] = [.deadline(.seconds(5)), .idle(.seconds(5))]
  let scheduler = VirtualScheduler()
  let subject = Subject<Int, Oops>()

  @Test("E5 AC48: a deadline applies to the whole signal: values do not extend it")
  func deadline() {
    let recorder = Recorder(subject.timeout(.deadline(.seconds(5)), on: scheduler, failing: Oops(code: 9)))
    for value in 0..<9 {
      subject.send(value)
      scheduler.advance(by: .seconds(1))
    }
    #expect(recorder.events == (0..<5).map { .next($0) } + [.failed(Oops(code: 9))])
    #expect(!scheduler.step())
  }

  @Test("timeout(.idle): each value restarts the time, with one timer for all values")
  func idle() {
    let recorder = Recorder(subject.timeout(.idle(.seconds(5)), on: scheduler, failing: Oops(code: 9)))
    for value in 0..<4 {
      scheduler.advance(by: .seconds(4))
      subject.send(value)
    }
    scheduler.advance(by: .seconds(4))
    #expect(recorder.values == [0, 1, 2, 3] && recorder.completion == nil)
    #expect(scheduler.step() && !scheduler.step())
    #expect(recorder.completion == .failed(Oops(code: 9)))
    #expect(scheduler.clock.now.elapsed == .seconds(21))
  }

  @Test("timeout fails when the first value does not arrive in time", arguments: policies)
  func first(policy: TimeoutPolicy) {
    let recorder = Recorder(subject.timeout(policy, on: scheduler, failing: Oops(code: 9)))
    scheduler.advance(by: .seconds(4))
    #expect(recorder.events.isEmpty)
    scheduler.advance(by: .seconds(1))
    #expect(recorder.events == [.failed(Oops(code: 9))])
  }

  @Test(
    "E5 AC48: the source is disposed before the failure is delivered on the scheduler", arguments: policies)
  func order(policy: TimeoutPolicy) {
    let log = Box<[String]>([])
    let held = Held<Oops>(nil)
    let source = Signal<Int, Oops>.create { observer in
      held.value = observer
      return ActionDisposable { log.value.append("disposed") }
    }
    source.timeout(policy, on: scheduler, failing: Oops()).materialize().subscribe { [scheduler] _ in
      log.value.append(Schedulers.current === scheduler ? "failed on the scheduler" : "failed")
    }
    scheduler.run()
    #expect(log.value == ["disposed", "failed on the scheduler"])
  }

  @Test(
    "E5 AC48: after disposal or a terminal event of the source, no event follows and no timer is left",
    arguments: policies)
  func ended(policy: TimeoutPolicy) {
    for end in 0..<3 {
      let subject = Subject<Int, Oops>()
      let recorder = Recorder(subject.timeout(policy, on: scheduler, failing: Oops(code: 9)))
      switch end {
      case 0: recorder.dispose()
      case 1: subject.complete()
      default: subject.fail(Oops(code: 1))
      }
      #expect(!scheduler.step())
      #expect(recorder.events == [[], [.completed], [.failed(Oops(code: 1))]][end])
    }
  }

  @Test(
    "a source that never retains its observer, or releases it, times out", arguments: policies)
  func sourceDropped(policy: TimeoutPolicy) {
    let never = Recorder(Signal<Int, Oops>.never().timeout(policy, on: scheduler, failing: Oops(code: 9)))
    let dropped: Recorder<Int, Oops>
    do {
      let subject = Subject<Int, Oops>()
      dropped = Recorder(subject.timeout(policy, on: scheduler, failing: Oops(code: 9)))
      subject.send(1)
    }
    scheduler.run()
    #expect(never.events == [.failed(Oops(code: 9))])
    #expect(dropped.events == [.next(1), .failed(Oops(code: 9))])
  }

  @Test("retry after a timeout restarts the time for the next run")
  func retried() {
    let runs = Counter()
    let source = Signal<Int, Oops>.deferred { runs.add() < 2 ? .never() : .just(7) }
    let recorder = Recorder(
      source.timeout(.deadline(.seconds(5)), on: scheduler, failing: Oops()).retry(upTo: 2))
    scheduler.run()
    #expect(recorder.events == [.next(7), .completed])
    #expect(scheduler.clock.now.elapsed == .seconds(10))
  }

  @Test(
    "timeout(switchingTo:) disposes the source and runs the replacement on the scheduler", arguments: policies
  )
  func switching(policy: TimeoutPolicy) {
    let log = Box<[String]>([])
    let source = subject.on(disposed: { log.value.append("disposed") })
    let replacement = Signal<Int, Oops>.deferred { [scheduler] in
      log.value.append(Schedulers.current === scheduler ? "run on the scheduler" : "run")
      return Signal(1...)
    }
    let recorder = Recorder(source.timeout(policy, on: scheduler, switchingTo: replacement).take(first: 2))
    scheduler.run()
    #expect(log.value == ["disposed", "run on the scheduler"])
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  @Test("timeout(switchingTo:) forwards a failure in time and does not run the replacement")
  func failedInTime() {
    let recorder = Recorder(
      subject.timeout(.idle(.seconds(1)), on: scheduler, switchingTo: Signal<Int, Oops>.just(1)))
    subject.fail(Oops(code: 2))
    #expect(recorder.events == [.failed(Oops(code: 2))])
    #expect(!scheduler.step())
  }

  @Test("timeout(switchingTo:) does not run the replacement when the source's clean-up disposes the run")
  func disposedAtTheSwitch() {
    let (run, log) = (Box<Subscription?>(nil), Box<[String]>([]))
    let source = subject.on(disposed: {
      log.value.append("source disposed")
      run.value?.dispose()
    })
    let replacement = Signal<Int, Oops>.just(7).initially { log.value.append("replacement runs") }
    run.value = source.timeout(.idle(.seconds(5)), on: scheduler, switchingTo: replacement)
      .subscribe(next: { log.value.append("\($0)") }, failed: { _ in })
    scheduler.advance(by: .seconds(5))
    #expect(log.value == ["source disposed"])
  }

  @Test("timeout(switchingTo:) releases the source at the switch, and only the replacement sends after it")
  func switchedReleases() {
    let (resources, replacement) = (Resources(), Subject<Int, Oops>())
    let recorder: Recorder<Int, Oops>
    do {
      let source = subject.map { [token = resources.make()] value in
        _ = token
        return value
      }
      recorder = Recorder(source.timeout(.idle(.seconds(1)), on: scheduler, switchingTo: replacement))
    }
    subject.send(0)
    replacement.send(0)
    #expect(resources.alive == 1)
    scheduler.run()
    #expect(resources.alive == 0)
    subject.send(1)
    replacement.send(2)
    #expect(recorder.events == [.next(0), .next(2)])
    #expect(!recorder.subscription.isDisposed)
    recorder.dispose()
  }

  @Test("contract 5: timeouts that each switch to the next grow neither memory nor stack")
  func switchedAgainAndAgain() async {
    await #expect(processExitsWith: .success) {
      withSmallStack {
        let scheduler = VirtualScheduler()
        @Sendable func poll(_ rounds: Int) -> Signal<Int, Oops> {
          if rounds == 0 { return .just(7) }
          let next = Signal<Int, Oops>.empty().then { poll(rounds - 1) }
          return Signal<Int, Oops>.never().timeout(.deadline(.seconds(1)), on: scheduler, switchingTo: next)
        }
        let recorder = Recorder(poll(2 * roundsToGrow))
        for _ in 0..<roundsToGrow { scheduler.step() }
        #expect(allocatedGrowth { scheduler.step() } < spareMemory)
        #expect(recorder.events == [.next(7), .completed])
      }
    }
  }

  @Test("contract 8: a failure of the source is reported when the source's clean-up disposes the run")
  func unreceived() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[Int?]>([])
      UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code) }
      for switching in [false, true] {
        let (subject, run, failures) = (Subject<Int, Oops>(), Subscription(), Counter())
        let source = subject.on(disposed: { run.dispose() })
        let (policy, scheduler) = (TimeoutPolicy.deadline(.seconds(1)), VirtualScheduler())
        let signal =
          switching
          ? source.timeout(policy, on: scheduler, switchingTo: Signal<Int, Oops>.empty())
          : source.timeout(policy, on: scheduler, failing: Oops(code: 9))
        run.add(signal.subscribe(failed: { _ in failures.add() }))
        subject.fail(Oops(code: 1))
        scheduler.run()
        #expect(run.isDisposed && failures.value == 0)
      }
      #expect(reported.value == [1, 1])
    }
  }

  @Test("contract 8: the timeout's own error is reported when the source's clean-up disposes the run")
  func unreceivedOfItsOwn() async {
    await #expect(processExitsWith: .success) {
      let (reported, runs, failures) = (Box<[Int?]>([]), Counter(), Counter())
      UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code) }
      let replacement = Signal<Int, Oops>.deferred {
        runs.add()
        return .fail(Oops(code: 2))
      }
      for switching in [false, true] {
        let (run, scheduler, silent) = (Subscription(), VirtualScheduler(), Subject<Int, Oops>())
        let source = silent.on(disposed: { run.dispose() })
        let signal =
          switching
          ? source.timeout(.deadline(.seconds(1)), on: scheduler, switchingTo: replacement)
          : source.timeout(.deadline(.seconds(1)), on: scheduler, failing: Oops(code: 9))
        run.add(signal.subscribe(failed: { _ in failures.add() }))
        withExtendedLifetime(silent) { scheduler.run() }
      }
      #expect(reported.value == [9])
      // The replacement is not run then, either.
      #expect(runs.value == 0 && failures.value == 0)
    }
  }

  @Test("AC48: timeout without a given error fails with a TimeoutError that contains the policy")
  func readyMade() {
    let recorder = Recorder(
      Signal<Int, any Error>.never().timeout(.deadline(.seconds(1)), on: scheduler)
        .mapError { $0 as? TimeoutError ?? TimeoutError(policy: .idle(.zero)) })
    scheduler.run()
    #expect(recorder.completion == .failed(TimeoutError(policy: .deadline(.seconds(1)))))
  }

  @Test("timeout(.idle): the time that a subscriber takes to handle a value does not count")
  func slowSubscriber() {
    let values = Box<[Int]>([])
    let failed = Box(false)
    let subscription = subject.timeout(.idle(.seconds(5)), on: scheduler, failing: Oops()).subscribe(
      next: { [scheduler] value in
        // The timer fires inside the delivery, and finds the turn taken.
        scheduler.advance(by: .seconds(7))
        values.value.append(value)
      }, failed: { _ in failed.value = true })
    subject.send(1)
    scheduler.advance(by: .seconds(4))
    subject.send(2)
    #expect(values.value == [1, 2] && !failed.value)
    scheduler.advance(by: .seconds(5))
    #expect(failed.value)
    subscription.dispose()
  }

  @Test("a timeout that fires during a delivery fails the signal after it, on the scheduler")
  func meeting() {
    let log = Box<[String]>([])
    let subscription = subject.timeout(.deadline(.seconds(5)), on: scheduler, failing: Oops()).subscribe(
      next: { [scheduler] value in
        scheduler.run()
        log.value.append("\(value)")
      },
      failed: { [scheduler] _ in
        log.value.append(Schedulers.current === scheduler ? "failed on the scheduler" : "failed")
      })
    subject.send(1)
    #expect(log.value == ["1"])
    scheduler.run()
    #expect(log.value == ["1", "failed on the scheduler"])
    subscription.dispose()
  }

  @Test(
    "a source that sends without a gap is stopped when its time is up; the failure follows on the scheduler")
  func withoutGap() {
    let log = Box<[String]>([])
    let subscription = Signal<Int, Oops>(1...20).timeout(
      .deadline(.seconds(5)), on: scheduler, failing: Oops()
    ).subscribe(
      next: { [scheduler] value in
        // From the fifth value on, a timer fires inside each delivery.
        scheduler.advance(by: .seconds(1))
        log.value.append("\(value)")
      },
      failed: { [scheduler] _ in
        log.value.append(Schedulers.current === scheduler ? "failed on the scheduler" : "failed")
      }, completed: { log.value.append("completed") })
    #expect(log.value == ["1", "2", "3", "4", "5"])
    #expect(scheduler.step() && !scheduler.step())
    #expect(log.value == ["1", "2", "3", "4", "5", "failed on the scheduler"])
    withExtendedLifetime(subscription) {}
  }

  @Test("disposal releases everything, even if the scheduler never runs again", arguments: policies)
  func released(policy: TimeoutPolicy) {
    let resources = Resources()
    let subscription = subject.timeout(policy, on: scheduler, switchingTo: Signal<Int, Oops>.empty())
      .subscribe(next: { [token = resources.make()] _ in _ = token }, failed: { _ in })
    #expect(resources.alive == 1)
    subscription.dispose()
    #expect(resources.alive == 0)
  }

  @Test("timeout switches to a replacement that cannot fail, whatever the failure of the signal")
  func replacementWithoutFailure() {
    let recorder = Recorder(
      subject.timeout(.deadline(.seconds(5)), on: scheduler, switchingTo: Signal([1, 2]).map { $0 * 10 }))
    scheduler.advance(by: .seconds(5))
    #expect(recorder.events == [.next(10), .next(20), .completed])
  }
}
