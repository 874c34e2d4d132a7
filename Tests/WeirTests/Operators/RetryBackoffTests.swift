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

  @Test("backoff and RetryJitter.share trap on invalid arguments, with a message that names the call")
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
  }

  private func message(_ result: ExitTest.Result?) -> String {
    result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
  }
}
