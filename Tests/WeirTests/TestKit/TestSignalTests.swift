// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Hot and cold sources made of marbles.
struct TestSignalTests {
  private let scheduler = VirtualScheduler()

  @Test("a hot signal sends at its own times, whoever is subscribed, and records subscription intervals")
  func hot() throws {
    let source = try HotSignal<Int, Never>("-1-2-3-|", on: scheduler)
    let early = TimedRecorder(source, on: scheduler)
    let late = try TimedRecorder(source, on: scheduler, during: SubscriptionInterval("--^-!"))
    let last = try TimedRecorder(source, on: scheduler, during: SubscriptionInterval("--------^"))
    scheduler.run()
    #expect(early.difference(from: "-1-2-3-|") == nil)
    #expect(late.difference(from: "--^2!") == nil)
    #expect(last.difference(from: "--------(^|)") == nil)
    #expect(source.subscriptionMarbles() == ["^------!", "--^-!", "--------(^!)"])
  }

  @Test("a cold signal sends to each subscriber at times relative to its subscription, and records intervals")
  func cold() throws {
    let source = try ColdSignal<Int, Never>("1-2-|", on: scheduler)
    let first = TimedRecorder(source, on: scheduler)
    let second = try TimedRecorder(source, on: scheduler, during: SubscriptionInterval("---^"))
    scheduler.run()
    #expect(first.difference(from: "1-2-|") == nil)
    #expect(second.difference(from: "---(^1)-2-|") == nil)
    #expect(source.subscriptionMarbles() == ["^---!", "---^---!"])
  }

  @Test("a disposed subscription to a cold signal cancels its pending events and releases its sink")
  func released() throws {
    let resources = Resources()
    let source = try ColdSignal<Int, Never>("-1-2", on: scheduler)
    let subscription = source.subscribe { [token = resources.make()] _ in _ = token }
    scheduler.step()
    #expect(scheduler.waitingCount == 1 && resources.alive == 1)
    subscription.dispose()
    #expect(scheduler.waitingCount == 0 && resources.alive == 0)
    #expect(source.subscriptionMarbles() == ["^!"])
  }

  @Test("sources are made of recorded events, with a failure; a hot one sends events of the past at once")
  func fromEvents() {
    scheduler.advance(by: .seconds(2))
    let events: [Recorded<Int, Oops>] = [
      Recorded(.seconds(1), .next(1)), Recorded(.milliseconds(2500), .next(2)),
      Recorded(.seconds(3), .failed(Oops(code: 4))),
    ]
    let (hot, cold) = (HotSignal(events, on: scheduler), ColdSignal(events, on: scheduler))
    let recorders = [TimedRecorder(hot, on: scheduler), TimedRecorder(cold, on: scheduler)]
    scheduler.run()
    #expect(
      recorders[0].events == [
        Recorded(.seconds(2), .next(1)), Recorded(.milliseconds(2500), .next(2)),
        Recorded(.seconds(3), .failed(Oops(code: 4))),
      ])
    #expect(recorders[1].events.map(\.time) == [.seconds(3), .milliseconds(4500), .seconds(5)])
  }

  @Test("a signal without a terminal event stays subscribed after its last value, until disposal")
  func endless() throws {
    let (hot, cold) = (
      try HotSignal<Int, Never>("-1", on: scheduler), try ColdSignal<Int, Never>("-1", on: scheduler)
    )
    let recorders = [TimedRecorder(hot, on: scheduler), TimedRecorder(cold, on: scheduler)]
    scheduler.advance(by: .seconds(3))
    #expect(hot.subscriptionMarbles() == ["^"] && cold.subscriptionMarbles() == ["^"])
    for recorder in recorders {
      recorder.dispose()
      #expect(recorder.interval == SubscriptionInterval(start: .zero, end: .seconds(3)))
    }
    #expect(hot.subscriptionMarbles() == ["^--!"] && cold.subscriptionMarbles() == ["^--!"])
  }

  @Test(
    "a cold signal without a terminal event retains operators downstream after its last event",
    arguments: ["-1", "---"])
  func endlessBehindOperators(diagram: String) throws {
    let cold = try ColdSignal<Int, TestFailure>(diagram, on: scheduler)
    let recorder = TimedRecorder(cold.retry(upTo: 1), on: scheduler)
    scheduler.advance(by: .seconds(3))
    #expect(cold.subscriptionMarbles() == ["^"])
    #expect(recorder.interval == SubscriptionInterval(start: .zero))
    recorder.dispose()
    #expect(cold.subscriptionMarbles() == ["^--!"])
  }

  @Test(
    "a cold signal without a terminal event releases sinks on disposal, and the others when it is deallocated"
  )
  func endlessReleased() throws {
    let resources = Resources()
    var source: ColdSignal<Int, TestFailure>? = try ColdSignal("-1", on: scheduler)
    let signal = try #require(source).retry(upTo: 1)
    let subscriptions = (0..<2).map { _ in
      signal.subscribe(next: { [token = resources.make()] _ in _ = token }, failed: { _ in })
    }
    scheduler.advance(by: .seconds(3))
    withExtendedLifetime(source) { #expect(resources.alive == 2) }
    subscriptions[0].dispose()
    withExtendedLifetime(source) { #expect(resources.alive == 1) }
    source = nil
    #expect(resources.alive == 0 && subscriptions[1].isDisposed)
    // `signal` alone retains no subscriber.
    withExtendedLifetime(signal) {}
  }

  @Test("documentation examples: HotSignal and ColdSignal")
  func examples() throws {
    let numbers = try HotSignal<Int, Never>("-1-2-3-|", on: scheduler)
    let two = TimedRecorder(numbers.take(first: 2), on: scheduler)
    let request = try ColdSignal<Int, TestFailure>("--#", on: scheduler)
    let recorder = TimedRecorder(request.retry(upTo: 1), on: scheduler)
    scheduler.run()
    #expect(two.difference(from: "-1-(2|)") == nil)
    #expect(numbers.subscriptionMarbles() == ["^--!"])
    #expect(recorder.difference(from: "----#") == nil)
    #expect(request.subscriptionMarbles() == ["^-!", "--^-!"])
  }
}
