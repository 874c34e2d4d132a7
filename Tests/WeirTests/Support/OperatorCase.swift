// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// An operator set up to change nothing, so that what all operators have in common can be tested on each.
struct OperatorCase: Sendable, CustomTestStringConvertible {
  /// Called inside the operator's own closure.
  typealias Hook = @Sendable (Int) throws(Oops) -> Void

  let testDescription: String
  /// The signal, run through the operator, whose closure calls the hook, if it has one.
  let apply: @Sendable (Signal<Int, Oops>, @escaping Hook) -> Signal<Int, Oops>

  init(_ name: String, _ apply: @escaping @Sendable (Signal<Int, Oops>, @escaping Hook) -> Signal<Int, Oops>)
  {
    testDescription = name
    self.apply = apply
  }

  /// The signal, run through the operator.
  func apply(_ signal: some SignalConvertible<Int, Oops>) -> Signal<Int, Oops> {
    apply(signal.signal) { _ in }
  }

  /// Operators that take a closure.
  static let withClosure = [
    OperatorCase("map") { signal, hook in
      signal.map { (value) throws(Oops) in
        try hook(value)
        return value
      }
    },
    OperatorCase("filter") { signal, hook in
      signal.filter { (value) throws(Oops) in
        try hook(value)
        return true
      }
    },
    OperatorCase("scan") { signal, hook in
      signal.scan(0) { (_, value) throws(Oops) in
        try hook(value)
        return value
      }
    },
    OperatorCase("scan(into:)") { signal, hook in
      signal.scan(into: 0) { (result, value) throws(Oops) in
        try hook(value)
        result = value
      }
    },
    OperatorCase("scanIndexed") { signal, hook in
      signal.scanIndexed(0) { (_, value, _) throws(Oops) in
        try hook(value)
        return value
      }
    },
    OperatorCase("reduceEach") { signal, hook in
      signal.map { ($0, 0) }.reduceEach { (value, _) throws(Oops) in
        try hook(value)
        return value
      }
    },
    OperatorCase("group(by:)") { signal, hook in
      signal.group { (value) throws(Oops) in
        try hook(value)
        return value
      }.flatten()
    },
    OperatorCase("group(by:lifetime:)") { signal, hook in
      signal.group(
        by: { (value) throws(Oops) in
          try hook(value)
          return value
        }, lifetime: .until { $0 }
      ).flatten()
    },
    OperatorCase("partitioned(by:into:)") { signal, hook in
      signal.partitioned(
        by: { (value) throws(Oops) in
          try hook(value)
          return value
        }, into: 2
      ).flatten()
    },
    OperatorCase("compactMap") { signal, hook in
      signal.compactMap { (value) throws(Oops) in
        try hook(value)
        return value
      }
    },
    OperatorCase("take(while:)") { signal, hook in
      signal.take(while: { (value) throws(Oops) in
        try hook(value)
        return true
      })
    },
    OperatorCase("take(until:)") { signal, hook in
      signal.take(until: { (value) throws(Oops) in
        try hook(value)
        return false
      })
    },
    OperatorCase("doNext") { signal, hook in signal.doNext(hook) },
    OperatorCase("tryMap") { signal, hook in
      signal.tryMap { value in
        try hook(value)
        return value
      }.mapError { $0 as? Oops ?? Oops(code: -1) }
    },
    OperatorCase("attempt") { signal, hook in
      signal.attempt { try hook($0) }.mapError { $0 as? Oops ?? Oops(code: -1) }
    },
    OperatorCase("flatMap") { signal, hook in
      signal.flatMap { (value) throws(Oops) in
        try hook(value)
        return .just(value)
      }
    },
    OperatorCase("flatMap(.concat)") { signal, hook in
      signal.flatMap(.concat) { (value) throws(Oops) in
        try hook(value)
        return .just(value)
      }
    },
    OperatorCase("flatMap(.concat) to another kind of signal") { signal, hook in
      signal.flatMap(.concat) { (value) throws(Oops) in
        try hook(value)
        return Signal<Int, Oops>.just(value).mapReplace(value)
      }
    },
    OperatorCase("flatMap(.latest)") { signal, hook in
      signal.flatMap(.latest) { (value) throws(Oops) in
        try hook(value)
        return .just(value)
      }
    },
    OperatorCase("flatMap(.first)") { signal, hook in
      signal.flatMap(.first) { (value) throws(Oops) in
        try hook(value)
        return .just(value)
      }
    },
    OperatorCase("debounce, values that are not postponed") { signal, hook in
      signal.debounce(.seconds(1), on: VirtualScheduler()) { (value) throws(Oops) in
        try hook(value)
        return false
      }
    },
    OperatorCase("debounce, at once") { signal, hook in
      signal.debounce(.zero, on: HastyScheduler()) { (value) throws(Oops) in
        try hook(value)
        return true
      }
    },
    OperatorCase("bind") { signal, hook in
      signal.bind {
        { (value) throws(Oops) in
          try hook(value)
          return .next(.just(value))
        }
      }
    },
  ]

  /// Operators without a closure, except zip.
  static let plain = [
    OperatorCase("take") { signal, _ in signal.take(first: 1_000) },
    OperatorCase("skip") { signal, _ in signal.skip(first: 0) },
    OperatorCase("skip(last:)") { signal, _ in signal.skip(last: 0) },
    OperatorCase("skip(until: trigger)") { signal, _ in signal.skip(until: Signal<Int, Never>.just(0)) },
    OperatorCase("take(untilReplacement:)") { signal, _ in
      Signal<Int, Oops>.never().take(untilReplacement: signal)
    },
    OperatorCase("skip(while:)") { signal, _ in signal.skip(while: { _ in false }) },
    OperatorCase("skip(until:)") { signal, _ in signal.skip(until: { _ in true }) },
    OperatorCase("distinctUntilChanged") { signal, _ in
      signal.distinctUntilChanged(comparing: { _, _ in false })
    },
    OperatorCase("doFailed") { signal, _ in signal.doFailed { _ in } },
    OperatorCase("doCompleted") { signal, _ in signal.doCompleted {} },
    OperatorCase("finally") { signal, _ in signal.finally {} },
    OperatorCase("initially") { signal, _ in signal.initially {} },
    OperatorCase("catch") { signal, _ in signal.catch { .fail($0) } },
    OperatorCase("catchTo") { signal, _ in Signal<Int, Oops>.fail(Oops(code: -1)).catchTo(signal) },
    OperatorCase("catchAndReturn, no failure") { signal, _ in
      signal.materialize().setFailureType(to: Oops.self).catchAndReturn(.completed).dematerialize()
    },
    OperatorCase("catchAndReturn, after a failure") { signal, _ in
      Signal<Signal<Int, Oops>, Oops>.fail(Oops(code: -1)).catchAndReturn(signal)
        .setFailureType(to: Oops.self).flatten()
    },
    OperatorCase("mapError") { signal, _ in signal.mapError { $0 } },
    OperatorCase("setFailureType, assertNoFailure") { signal, _ in
      signal.materialize().setFailureType(to: Oops.self).assertNoFailure().dematerialize()
    },
    OperatorCase("retry, first run") { signal, _ in signal.retry(upTo: 0) },
    OperatorCase("retry, second run") { signal, _ in
      .deferred {
        let runs = Counter()
        return Signal<Int, Oops>.deferred { runs.add() == 0 ? .fail(Oops(code: -1)) : signal }
          .retry(.upTo(1).delayed { _, _ in Signal<Int, Never>.just(0) })
      }
    },
    OperatorCase("repeat") { signal, _ in signal.repeat(times: 1) },
    OperatorCase("on") { signal, _ in signal.on(subscribed: {}, disposed: {}) },
    OperatorCase("log") { signal, _ in signal.log(to: LogSink { _ in }) },
    OperatorCase("named") { signal, _ in signal.named("case") },
    OperatorCase("using") { signal, _ in
      .using(resource: { ActionDisposable {} }, signal: { _ in signal })
    },
    OperatorCase("switch") { signal, _ in
      Signal<Int, Oops>.just(1).switch(cases: [1: signal], default: Signal<Int, Oops>.empty())
    },
    OperatorCase("if") { signal, _ in
      Signal<Bool, Oops>.just(false).if(then: Signal<Int, Oops>.empty(), else: signal)
    },
    OperatorCase("then") { signal, _ in Signal<Int, Oops>(0..<9).then { signal } },
    OperatorCase("switchIfEmpty") { signal, _ in signal.switchIfEmpty(Signal<Int, Oops>.empty()) },
    OperatorCase("take(during:)") { signal, _ in
      let lifetime = Lifetime()
      return signal.take(during: lifetime).doNext { _ in _ = lifetime }
    },
    OperatorCase("take(until: trigger)") { signal, _ in signal.take(until: Signal<Int, Never>.never()) },
    OperatorCase("switchToLatest") { signal, _ in
      Signal<Signal<Int, Oops>, Oops>.just(signal).switchToLatest()
    },
    OperatorCase("withLatest") { signal, _ in
      signal.withLatest(from: Signal<Int, Oops>.just(0)).map { $0.0 }
    },
    OperatorCase("withLatest of two") { signal, _ in
      signal.withLatest(from: Signal<Int, Oops>.just(0), Signal<String, Oops>.just("")).map { value, _, _ in
        value
      }
    },
    OperatorCase("combineLatest, last") { signal, _ in
      Signal<String, Oops>.just("").combineLatest(with: signal).map { _, value in value }
    },
    OperatorCase("combineLatest, array") { signal, _ in
      Signal<Int, Oops>.combineLatest([signal]).map { values in values[0] }
    },
    OperatorCase("zip, array") { signal, _ in Signal<Int, Oops>.zip([signal]).map { values in values[0] } },
    OperatorCase("race") { signal, _ in signal.race(with: Signal<Int, Oops>.never()) },
    OperatorCase("flatten(.merge(limit:))") { signal, _ in
      Signal<Signal<Int, Oops>, Oops>.just(signal).flatten(.merge(limit: 2))
    },
    OperatorCase("flatten(.ordered(limit:))") { signal, _ in
      Signal<Signal<Int, Oops>, Oops>.just(signal).flatten(.ordered(limit: 2))
    },
    OperatorCase("flatten(.race)") { signal, _ in Signal<Signal<Int, Oops>, Oops>.just(signal).flatten(.race)
    },
    OperatorCase("materialize") { signal, _ in signal.materialize().dematerialize() },
    OperatorCase("pairwise") { signal, _ in signal.startWith(0).pairwise().map { $0.current } },
    OperatorCase("enumerated") { signal, _ in signal.enumerated().map { $0.element } },
    OperatorCase("joined") { signal, _ in signal.map { [$0] }.joined() },
    OperatorCase("reduceApply") { signal, _ in
      signal.map { value in ({ @Sendable (number: Int) throws(Oops) in number }, value) }.reduceApply()
    },
    OperatorCase("collect(count:)") { signal, _ in signal.collect(count: 1).map { $0[0] } },
    OperatorCase("collect(within:)") { signal, _ in
      signal.collect(within: .seconds(1), on: HastyScheduler()).joined()
    },
    OperatorCase("collect(count:within:)") { signal, _ in
      signal.collect(count: 1, within: .seconds(1), on: VirtualScheduler()).joined()
    },
    OperatorCase("window(every:)") { signal, _ in
      signal.window(every: .seconds(1), on: HastyScheduler()).flatten()
    },
    // There is no case for sample(every:): it always waits, and repeats itself. SampleEveryTests tests for it
    // what these suites test.
    OperatorCase("retry with a pause, second run") { signal, _ in
      .deferred {
        let runs = Counter()
        return Signal<Int, Oops>.deferred { runs.add() == 0 ? .fail(Oops(code: -1)) : signal }
          .retry(.upTo(1).backoff(from: .seconds(1), upTo: .seconds(9), on: HastyScheduler()))
      }
    },
    OperatorCase("window") { signal, _ in signal.window(count: 2).flatten() },
    OperatorCase("append") { signal, _ in signal.append() },
    OperatorCase("prepend") { signal, _ in signal.prepend(Signal<Int, Oops>.empty()) },
    OperatorCase("startWith") { signal, _ in signal.startWith() },
    OperatorCase("concat, before") { signal, _ in signal.concat(Signal.empty()) },
    OperatorCase("concat, after") { signal, _ in Signal.empty().concat(signal) },
    OperatorCase("merge") { signal, _ in signal.merge(with: Signal.empty()) },
    OperatorCase("flatten") { signal, _ in Signal<Signal<Int, Oops>, Oops>.just(signal).flatten() },
    OperatorCase("observe(on:)") { signal, _ in signal.observe(on: .immediate) },
    OperatorCase("observe(on:), when needed") { signal, _ in signal.observe(on: .immediate, .whenNeeded) },
    OperatorCase("observe(on:), dropping the oldest") { signal, _ in
      signal.observe(on: .immediate, waiting: .bounded(1, onOverflow: .dropOldest), failures: .atOnce)
    },
    OperatorCase("subscribing(on:)") { signal, _ in signal.subscribing(on: .immediate) },
    OperatorCase("deferred") { signal, _ in .deferred { signal } },
    OperatorCase("delay") { signal, _ in signal.delay(.zero, on: HastyScheduler()) },
    OperatorCase("delaySubscription") { signal, _ in signal.delaySubscription(.zero, on: HastyScheduler()) },
    OperatorCase("skip(for:)") { signal, _ in signal.skip(for: .zero, on: HastyScheduler()) },
    OperatorCase("rateLimit") { signal, _ in
      signal.rateLimit(to: .zero, on: VirtualScheduler(), edge: .both)
    },
    OperatorCase("rateLimit, trailing") { signal, _ in
      signal.rateLimit(to: .zero, on: HastyScheduler(), edge: .trailing)
    },
    OperatorCase("timestamp") { signal, _ in signal.timestamp(on: HastyScheduler()).map { $0.value } },
    OperatorCase("measureInterval") { signal, _ in
      signal.measureInterval(on: HastyScheduler()).map { $0.value }
    },
    OperatorCase("autoconnect") { signal, _ in .deferred { signal.publish().autoconnect() } },
    OperatorCase("share") { signal, _ in signal.share() },
    OperatorCase("share(replay:), second subscriber") { signal, _ in
      .deferred {
        let shared = signal.share(replay: 1, lifetime: .forever, connecting: .atSubscribers(2))
        return shared.ignoreValues().merge(with: shared)
      }
    },
  ]

  /// Zip buffers values that have no partner yet, so an infinite synchronous signal on its left would fill
  /// memory.
  static let zip = [
    OperatorCase("zip, left") { signal, _ in signal.zip(with: Signal<Int, Oops>(0..<100)).map { $0.0 } },
    OperatorCase("zip, right") { signal, _ in Signal<Int, Oops>(0..<100).zip(with: signal).map { $0.1 } },
  ]

  /// Their timer is an upstream of its own: it retains the run, and ends it in its way, when the source has
  /// released its sink.
  static let guarded = [
    OperatorCase("timeout, deadline") { signal, _ in
      signal.timeout(.deadline(.seconds(1)), on: VirtualScheduler(), failing: Oops(code: -1))
    },
    OperatorCase("timeout, idle") { signal, _ in
      signal.timeout(.idle(.seconds(1)), on: VirtualScheduler(), failing: Oops(code: -1))
    },
    OperatorCase("timeout, switching") { signal, _ in
      signal.timeout(
        .idle(.seconds(1)), on: VirtualScheduler(), switchingTo: Signal<Int, Oops>.never())
    },
    OperatorCase("take(for:)") { signal, _ in signal.take(for: .seconds(1), on: VirtualScheduler()) },
  ]

  /// All of these one after the other.
  static let chain = OperatorCase("chain") { signal, hook in
    (withClosure + plain).reduce(signal) { $1.apply($0, hook) }
  }

  /// Those that can be stopped while they run a signal that does not return by itself.
  static let stoppable = withClosure + plain + [chain] + guarded
  /// Those that end when their source releases its sink without a terminal event.
  static let following = withClosure + plain + [chain] + zip
  static let all = stoppable + zip
}
