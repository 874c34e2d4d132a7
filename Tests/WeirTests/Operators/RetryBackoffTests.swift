// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Delays between attempts, in virtual time.
struct RetryBackoffTests {
  private let scheduler = VirtualScheduler()

  /// The times at which the attempts of an always failing signal start, in milliseconds.
  private func attempts(_ policy: RetryPolicy<Oops>) -> [Int64] {
    let times = Box<[Int64]>([])
    let start = scheduler.clock.now
    let signal = Signal<Int, Oops>.deferred {
      times.value.append(Int64(start.duration(to: scheduler.clock.now) / .milliseconds(1)))
      return .fail(Oops())
    }
    let recorder = Recorder(signal.retry(policy))
    scheduler.run()
    #expect(recorder.completion == .failed(Oops()))
    return times.value
  }

  @Test("delayed(by:on:) starts each further attempt on the scheduler, after a constant delay")
  func constant() {
    #expect(attempts(.upTo(3).delayed(by: .seconds(1), on: scheduler)) == [0, 1_000, 2_000, 3_000])
    #expect(attempts(.upTo(2).delayed(by: .zero, on: scheduler)) == [0, 0, 0])
    let current = Box<[Bool]>([])
    let signal = Signal<Int, Oops>.deferred {
      current.value.append(scheduler.isCurrent)
      return .fail(Oops())
    }
    _ = Recorder(signal.retry(.upTo(1).delayed(by: .seconds(1), on: scheduler)))
    scheduler.run()
    #expect(current.value == [false, true])
  }

  @Test("backoff delays grow by the multiplier up to the maximum, and start over for each subscription")
  func growing() {
    let policy = RetryPolicy<Oops>.upTo(6)
      .backoff(from: .milliseconds(100), upTo: .seconds(1), jitter: .none, on: scheduler)
    for _ in 0..<2 { #expect(attempts(policy) == [0, 100, 300, 700, 1_500, 2_500, 3_500]) }
    let slow = RetryPolicy<Oops>.upTo(3)
      .backoff(from: .seconds(4), multiplier: 1.5, upTo: .seconds(60), jitter: .none, on: scheduler)
    #expect(attempts(slow) == [0, 4_000, 10_000, 19_000])
    let constant = RetryPolicy<Oops>.upTo(3)
      .backoff(from: .seconds(1), multiplier: 1, upTo: .seconds(9), jitter: .none, on: scheduler)
    #expect(attempts(constant) == [0, 1_000, 2_000, 3_000])
    let none = RetryPolicy<Oops>.upTo(2).backoff(from: .zero, upTo: .seconds(1), jitter: .none, on: scheduler)
    #expect(attempts(none) == [0, 0, 0])
  }

  @Test("a delay that is nil leaves the pause to the policy, in which earlier delays stay")
  func delayOrBackoff() {
    let asked = Box<[String]>([])
    let policy = RetryPolicy<Oops>.upTo(4)
      .backoff(from: .seconds(1), upTo: .seconds(60), jitter: .none, on: scheduler)
      .delayed { _, attempt in
        asked.value.append("second \(attempt)")
        return attempt == 2 ? Signal.timer(after: .seconds(10), on: scheduler) : nil
      }
      .delayed { _, attempt -> Signal<Int, Never>? in
        asked.value.append("first \(attempt)")
        return attempt == 3 ? .just(0) : nil
      }
    #expect(attempts(policy) == [0, 1_000, 11_000, 11_000, 19_000])
    #expect(
      asked.value == ["first 1", "second 1", "first 2", "second 2", "first 3", "first 4", "second 4"])
    let atOnce = RetryPolicy<Oops>.upTo(2).delayed { _, _ -> Signal<Int, Never>? in nil }
    #expect(attempts(atOnce) == [0, 0, 0])
  }

  @Test("F5: no further closure of a policy is called when one has disposed the run")
  func disposedInDelay() {
    let asked = Counter()
    let disposal = Box<Subscription?>(nil)
    let failing = Subject<Int, Oops>()
    let policy = RetryPolicy<Oops>.forever
      .delayed { _, _ -> Signal<Int, Never>? in
        asked.add()
        return nil
      }
      .delayed { _, _ -> Signal<Int, Never>? in
        disposal.value?.dispose()
        return nil
      }
    disposal.value = failing.retry(policy).subscribe(next: { _ in })
    failing.fail(Oops())
    #expect(asked.value == 0)
    disposal.value = nil
  }

  @Test("resettingOnValue() starts backoff delays over after a run that has sent a value")
  func resetting() {
    let times = Box<[Int]>([])
    let signal = Signal<Int, Oops>.deferred {
      times.value.append(Int(scheduler.clock.now.elapsed / .seconds(1)))
      // Three failures, then a run that works for a hundred seconds, then failures again.
      guard times.value.count == 4 else { return .fail(Oops()) }
      return Signal<Int, Oops>.fail(Oops()).delaySubscription(.seconds(100), on: scheduler).startWith(1)
    }
    let backoff = RetryPolicy<Oops>.upTo(5)
      .backoff(from: .seconds(1), upTo: .seconds(60), jitter: .none, on: scheduler)
    let recorder = Recorder(signal.retry(backoff.resettingOnValue()))
    scheduler.run()
    #expect(times.value == [0, 1, 3, 7, 108, 110, 114, 122, 138])
    #expect(recorder.events == [.next(1), .failed(Oops())])
  }

  /// Starts, in milliseconds, of the runs of a feed that sends a value at once and fails after a time that
  /// depends on the number of the run.
  private func starts(
    _ policy: RetryPolicy<Oops>, runs count: Int, lasting: @escaping @Sendable (_ run: Int) -> Duration
  ) -> [Int] {
    let times = Box<[Int]>([])
    let began = scheduler.clock.now
    let feed = Signal<Int, Oops>.deferred { [scheduler] in
      times.value.append(Int((began.duration(to: scheduler.clock.now) / .milliseconds(1)).rounded()))
      let run = times.value.count
      return Signal<Int, Oops>.fail(Oops(code: run)).delaySubscription(lasting(run), on: scheduler).startWith(
        run)
    }
    let recorder = Recorder(feed.retry(policy).take(first: count))
    scheduler.run()
    // All runs of the feed send one value.
    #expect(recorder.values.count == times.value.count)
    return times.value
  }

  private func growing(_ policy: RetryPolicy<Oops>) -> RetryPolicy<Oops> {
    policy.backoff(from: .seconds(1), upTo: .seconds(60), jitter: .none, on: scheduler)
  }

  @Test(
    "resettingAfterRun lets the pauses of a feed grow that greets and fails, which resettingOnValue does not")
  func greeting() {
    let onValue = growing(.forever).resettingOnValue()
    #expect(starts(onValue, runs: 5) { _ in .milliseconds(100) } == [0, 1_100, 2_200, 3_300, 4_400])
    let afterRun = growing(.forever).resettingAfterRun(of: .seconds(10), on: scheduler)
    #expect(
      starts(afterRun, runs: 8) { _ in .milliseconds(100) }
        == [0, 1_100, 3_200, 7_300, 15_400, 31_500, 63_600, 123_700])
    #expect(
      starts(afterRun, runs: 4) { _ in .seconds(3_600) } == [0, 3_601_000, 7_202_000, 10_803_000])
  }

  @Test(
    "a run that has lasted exactly as long as resettingAfterRun says resets the pauses, a shorter one does not"
  )
  func exactlyThatLong() {
    let policy = growing(.forever).resettingAfterRun(of: .seconds(10), on: scheduler)
    let starts = starts(policy, runs: 7) { run in .milliseconds([3: 10_000, 5: 9_999][run] ?? 0) }
    // Pauses of 1, 2, 1, 2, 4 and 8 seconds: none counts as part of the run after it.
    #expect(starts == [0, 1_000, 3_000, 14_000, 16_000, 29_999, 37_999])
  }

  @Test(
    "resettingAfterRun allows the full count again, each subscription for itself, and tells closures attempt 1"
  )
  func fullCountAfterRun() {
    let (asked, runs) = (Box<[Int]>([]), Box<[Int]>([0, 0]))
    // Two subscriptions take turns; the runs of the second one never last.
    func feed(_ subscriber: Int) -> Signal<Int, Oops> {
      .deferred { [scheduler] in
        runs.value[subscriber] += 1
        let lasts = subscriber == 0 && [3, 4].contains(runs.value[0])
        return .fail(Oops(code: subscriber)).delaySubscription(.seconds(lasts ? 5 : 4), on: scheduler)
      }
    }
    let policy = RetryPolicy<Oops>.upTo(2)
      .givingUp { error, attempt in
        asked.value.append(error.code * 10 + attempt)
        return false
      }
      .resettingAfterRun(of: .seconds(5), on: scheduler)
    let signal = Signal.merge([feed(0), feed(1)].map { $0.retry(policy).materialize() })
    let recorder = Recorder(signal)
    scheduler.run()
    #expect(runs.value == [6, 3])
    #expect(asked.value == [1, 11, 2, 12, 1, 1, 2])
    #expect(recorder.values.compactMap(\.error?.code) == [1, 0])
  }

  @Test(
    "resettingAfterRun with a limit of 0 runs a signal once, however long; a run that completes is the last")
  func lastingRunThatEnds() {
    let once = RetryPolicy<Oops>.upTo(0).resettingAfterRun(of: .seconds(1), on: scheduler)
    #expect(starts(once, runs: 3) { _ in .seconds(9) } == [0])
    let runs = Counter()
    let ending = Signal<Int, Oops>.deferred { [scheduler] in
      runs.add() < 3 ? Signal.empty().delaySubscription(.seconds(9), on: scheduler) : .never()
    }
    let policy = RetryPolicy<Oops>.forever.resettingAfterRun(of: .seconds(1), on: scheduler)
    let recorder = Recorder(ending.retry(policy))
    scheduler.run()
    #expect(recorder.events == [.completed] && runs.value == 1)
  }

  @Test("jitter shortens a delay by its share times the random number, which is clamped to 0...1")
  func jitter() {
    func pauses(_ jitter: RetryJitter) -> [Int64] {
      let times = attempts(
        .upTo(3).backoff(from: .milliseconds(100), upTo: .milliseconds(200), jitter: jitter, on: scheduler))
      return zip(times, times.dropFirst()).map { $1 - $0 }
    }
    #expect(pauses(.share(1) { 0.25 }) == [75, 150, 150])
    #expect(pauses(.share(0.5) { 1 }) == [50, 100, 100])
    #expect(pauses(.share(1) { 7 }) == [0, 0, 0])
    #expect(pauses(.share(1) { -7 }) == [100, 200, 200])
    #expect(pauses(.share(1) { .nan }).allSatisfy { (0...200).contains($0) })
    for _ in 0..<20 {
      #expect(zip(pauses(.full), [100, 200, 200]).allSatisfy { (0...$1).contains($0) })
      #expect(zip(pauses(.equal), [100, 200, 200]).allSatisfy { ($1 / 2...$1).contains($0) })
    }
  }

  @Test("jitter draws a new random number for each pause")
  func jitterOfEachPause() {
    let drawn = Box(0)
    let jitter = RetryJitter.share(1) {
      drawn.value += 1
      return [0.5, 1, 0][drawn.value - 1]
    }
    let policy = RetryPolicy<Oops>.upTo(3)
      .backoff(from: .milliseconds(100), upTo: .milliseconds(200), jitter: jitter, on: scheduler)
    #expect(attempts(policy) == [0, 50, 50, 250])
    #expect(drawn.value == 3)
  }

  @Test("backoff whose first pause is the longest keeps to it")
  func longestFirst() {
    let policy = RetryPolicy<Oops>.upTo(3)
      .backoff(from: .seconds(1), upTo: .seconds(1), jitter: .none, on: scheduler)
    #expect(attempts(policy) == [0, 1_000, 2_000, 3_000])
  }

  @Test("backoff does not overflow with thousands of attempts or extremely long delays")
  func overflow() {
    let runs = Counter()
    let signal = Signal<Int, Oops>.deferred {
      runs.add()
      return .fail(Oops())
    }
    let policy = RetryPolicy<Oops>.upTo(5_000)
      .backoff(
        from: .seconds(1), multiplier: 1e300, upTo: .seconds(3_000_000_000), jitter: .none, on: scheduler)
    _ = Recorder(signal.retry(policy))
    scheduler.run()
    #expect(runs.value == 5_001)
    let none = RetryPolicy<Oops>.upTo(1_100)
      .backoff(from: .zero, upTo: .seconds(9), jitter: .none, on: scheduler)
    #expect(attempts(none).last == 0)
    let century = RetryPolicy<Oops>.upTo(1)
      .backoff(from: .seconds(1 << 40), upTo: .seconds(Int64.max), jitter: .share(1) { 0.5 }, on: scheduler)
    let start = scheduler.clock.now
    _ = Recorder(signal.retry(century))
    scheduler.run()
    #expect(start.duration(to: scheduler.clock.now) == .seconds(1 << 39))
  }

  @Test("F5: disposal cancels the timer and releases everything, even if the scheduler never runs again")
  func disposed() {
    let (resources, runs) = (Resources(), Counter())
    let recorder = Recorder(
      Signal<Int, Oops>.deferred { [token = resources.make()] in
        _ = token
        runs.add()
        return .fail(Oops())
      }.retry(.forever.backoff(from: .seconds(1), upTo: .seconds(9), on: scheduler)))
    #expect(resources.alive == 1)
    recorder.dispose()
    #expect(resources.alive == 0 && scheduler.waitingCount == 0)
    #expect(runs.value == 1 && recorder.events.isEmpty)
  }

  @Test("a scheduler that is shut down ends the run without an event when a delay starts")
  func shutDown() {
    let recorder = Recorder(
      Signal<Int, Oops>.fail(Oops()).retry(.forever.delayed(by: .seconds(1), on: ClosedScheduler())))
    #expect(recorder.events.isEmpty)
    #expect(recorder.subscription.isDisposed)
  }

  @Test(
    "backoff, RetryJitter.share and resettingAfterRun trap on invalid arguments, with a message that names the call"
  )
  func refused() async {
    let backoff = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RetryPolicy<Oops>.forever
        .backoff(from: .seconds(2), multiplier: 0.5, upTo: .seconds(1), on: VirtualScheduler())
    }
    #expect(message(backoff).contains("weir: backoff(from: 2.0 seconds, multiplier: 0.5, upTo: 1.0 seconds)"))
    let jitter = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RetryJitter.share(1.5)
    }
    #expect(message(jitter).contains("weir: RetryJitter.share(1.5): the share must be between 0 and 1"))
    let reset = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = RetryPolicy<Oops>.forever.resettingAfterRun(of: .zero, on: VirtualScheduler())
    }
    #expect(
      message(reset).contains("weir: resettingAfterRun(of: 0.0 seconds): the duration must be positive"))
  }

  private func message(_ result: ExitTest.Result?) -> String {
    result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
  }
}
