// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Random signals through chains of one or two operators with a clock, compared with ``TimedModel``.
///
/// Sources send at full seconds. The time of the first operator is full seconds and 137,011 microseconds,
/// that of the second full seconds and 31,007: so two events happen at the same time only if one source sends
/// both.
struct TimedModelTests {
  private static let horizon = 30_000_000

  @Test(
    "timed operators on random signals emit the events that TimedModel predicts, when it predicts them",
    arguments: 0..<8)
  func randomSignals(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1_000 {
      let events = source(using: &random)
      var chain = [operation(fraction: 137_011, using: &random)]
      if Bool.random(using: &random) { chain.append(operation(fraction: 31_007, using: &random)) }
      let expected = chain.reduce(events) { $1.model($0) }.filter { $0.time < Self.horizon }
      let scheduler = VirtualScheduler()
      let signal = ColdSignal<Int, Oops>(
        events.map { Recorded(.microseconds($0.time), $0.event) }, on: scheduler)
      let recorder = TimedRecorder(chain.reduce(signal.signal) { $1.apply($0, scheduler) }, on: scheduler)
      scheduler.advance(by: .microseconds(Self.horizon))
      let got = recorder.events.map { Timed(Int($0.time / .microseconds(1)), $0.event) }
      if got != expected {
        Issue.record("\(chain) of\n\(events)\nshould be\n\(expected)\nis\n\(got)")
        return
      }
      recorder.dispose()
      #expect(scheduler.waitingCount == 0, "\(chain) of \(events) left something")
    }
  }

  private func source(using random: inout SplitMix64) -> [Timed] {
    var (events, time): ([Timed], Int) = ([], 0)
    for value in 0..<Int.random(in: 0...8, using: &random) {
      time += Int.random(in: 0...3, using: &random) * 1_000_000
      events.append(Timed(time, .next(value)))
    }
    time += Int.random(in: 0...3, using: &random) * 1_000_000
    switch Int.random(in: 0...2, using: &random) {
    case 0: events.append(Timed(time, .completed))
    case 1: events.append(Timed(time, .failed(Oops(code: 1))))
    // Kept open.
    default: events.append(Timed(2 * Self.horizon, .next(-1)))
    }
    return events
  }

  private func operation(fraction: Int, using random: inout SplitMix64) -> TimedOperator {
    let time = Int.random(in: 0...4, using: &random) * 1_000_000 + fraction
    let count = Int.random(in: 1...3, using: &random)
    let (duration, horizon) = (Duration.microseconds(time), Self.horizon)
    func operation(
      _ name: String, _ model: @escaping @Sendable ([Timed]) -> [Timed],
      _ apply: @escaping @Sendable (Signal<Int, Oops>, VirtualScheduler) -> Signal<Int, Oops>
    ) -> TimedOperator {
      TimedOperator(description: "\(name), \(time), \(count)", model: model, apply: apply)
    }
    switch Int.random(in: 0...17, using: &random) {
    case 0:
      return operation("delay", { TimedModel.delay($0, by: time, atMost: .max, dropping: .trap) }) {
        $0.delay(duration, on: $1)
      }
    case 1, 2, 3:
      let overflow = [Overflow<Oops>.dropNewest, .dropOldest, .fail(Oops(code: 7))][
        Int.random(in: 0...2, using: &random)]
      return operation(
        "delay, \(overflow)", { TimedModel.delay($0, by: time, atMost: count, dropping: overflow) }
      ) {
        $0.delay(duration, on: $1, waiting: .bounded(count, onOverflow: overflow))
      }
    case 4:
      return operation("debounce", { TimedModel.debounce($0, by: time, where: { _ in true }) }) {
        $0.debounce(duration, on: $1)
      }
    case 5:
      return operation("debounce where", { TimedModel.debounce($0, by: time, where: { $0 % 3 != 0 }) }) {
        $0.debounce(duration, on: $1, where: { $0 % 3 != 0 })
      }
    case 6, 7, 8:
      let edge = [RateLimitEdge.leading, .trailing, .both][count - 1]
      return operation("rateLimit, \(edge)", { TimedModel.rateLimit($0, to: time, edge) }) {
        $0.rateLimit(to: duration, on: $1, edge: edge)
      }
    case 9:
      return operation("idle", { TimedModel.idle($0, for: time) }) {
        $0.timeout(.idle(duration), on: $1, failing: Oops(code: 99))
      }
    case 10:
      return operation("deadline", { $0.before(time, or: .failed(Oops(code: 99))) }) {
        $0.timeout(.deadline(duration), on: $1, failing: Oops(code: 99))
      }
    case 11:
      return operation("take(for:)", { $0.before(time, or: .completed) }) { $0.take(for: duration, on: $1) }
    case 12:
      return operation("skip(for:)", { $0.filter { $0.time > time || $0.event.completion != nil } }) {
        $0.skip(for: duration, on: $1)
      }
    case 13:
      return operation("collect", { TimedModel.collect($0, count: count, within: time) }) {
        $0.collect(count: count, within: duration, on: $1).map(sum)
      }
    case 14:
      return operation("collect(within:)", { TimedModel.collect($0, count: .max, within: time) }) {
        $0.collect(within: duration, on: $1).map(sum)
      }
    case 15:
      return operation("sample", { TimedModel.sample($0, every: time, until: horizon) }) {
        $0.sample(every: duration, on: $1)
      }
    case 16:
      return operation("window", { TimedModel.window($0, count: count, every: time) }) {
        $0.window(count: count, every: duration, on: $1).flatMap(.merge) { $0.collect().map(sum) }
      }
    default:
      return operation("delaySubscription", { $0.map { Timed($0.time + time, $0.event) } }) {
        $0.delaySubscription(duration, on: $1)
      }
    }
  }
}

extension [Timed] {
  /// The events before `time`, and `end` at that time, unless there was a terminal event before.
  fileprivate func before(_ time: Int, or end: Event<Int, Oops>) -> [Timed] {
    let passed = filter { $0.time < time }
    return passed.last?.event.completion != nil ? passed : passed + [Timed(time, end)]
  }
}
