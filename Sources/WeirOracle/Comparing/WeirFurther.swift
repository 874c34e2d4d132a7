// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir
import WeirTesting

/// What only the shape `timed` has, and came last. `deed` makes what something does besides.
func weir(
  _ name: Further, of signals: [Numbers], on scheduler: StoppableScheduler,
  deed: (CleanUp.Deed) -> @Sendable () -> Void
) -> Numbers {
  switch name {
  case .using(let disposed):
    let (signal, perform) = (signals[0], deed(disposed))
    return .using(resource: { ActionDisposable(perform) }, signal: { _ in signal })
  case .retrying(let plan):
    return signals[0].retry(weir(plan, on: scheduler, before: plan.deed.map(deed)))
  case .throwing(let form, let bad): return throwing(form, at: bad, signals[0])
  case .throwingFlat(let strategy, let bad):
    let inner = signals[1]
    return signals[0].flatMap(weir(strategy)) { (value) throws(TestFailure) in
      try check(value, bad)
      return inner
    }
  case .timer, .interval, .generated, .rounds, .tried: return made(name, on: scheduler)
  case .deferred:
    let signal = signals[0]
    return .deferred { signal }
  case .windowEvery(let time):
    return signals[0].window(every: .microseconds(time), on: scheduler)
      .flatMap { $0.collect().map { digits($0) } }
  case .timestamped: return signals[0].timestamp(on: scheduler).map { $0.value &+ $0.instant.microseconds }
  case .measured:
    return signals[0].measureInterval(on: scheduler).map { $0.value &+ Int($0.interval / .microseconds(1)) }
  case .catching(let code):
    let other = signals[1]
    return signals[0].catch(to: TestFailure.self) { $0.code == code ? .fail($0) : other }
  case .prepending: return signals[0].prepend(signals[1])
  case .mergingWith: return signals[0].merge(with: signals[1])
  case .racingWith: return signals[0].race(with: signals[1])
  case .and: return signals[0].areOdd.and(signals[1].areOdd).map { $0 ? 1 : 0 }
  case .or: return signals[0].areOdd.or(signals[1].areOdd).not().map { $0 ? 0 : 1 }
  case .choosing: return signals[0].areOdd.if(then: signals[1], else: signals[2])
  case .selecting:
    return signals[0].map { remainder($0, 3) }
      .switch(cases: [0: signals[1], 1: signals[2]], default: signals[3])
  }
}

extension Numbers {
  fileprivate var areOdd: Signal<Bool, TestFailure> { map { remainder($0, 2) == 1 } }
}

extension VirtualClock.Instant {
  fileprivate var microseconds: Int { Int(elapsed / .microseconds(1)) }
}

extension Signal where Value == VirtualClock.Instant, Failure == Never {
  fileprivate var inMicroseconds: Numbers { map(\.microseconds).setFailureType(to: TestFailure.self) }
}

private func made(_ name: Further, on scheduler: StoppableScheduler) -> Numbers {
  switch name {
  case .timer(let time):
    Signal<VirtualClock.Instant, Never>.timer(after: .microseconds(time), on: scheduler).inMicroseconds
  case .interval(let time):
    Signal<VirtualClock.Instant, Never>.interval(.microseconds(time), on: scheduler).inMicroseconds
      .take(first: Further.tickCount)
  case .generated(let count, let bad):
    .generate(
      0, while: { $0 < count }, next: { $0 + 1 },
      result: { (value) throws(TestFailure) in
        try check(value, bad)
        return value
      })
  case .rounds(let values): Numbers(values, on: scheduler)
  case .tried(.returns(let value)): Numbers(catching: { value })
  case .tried(.throwsCode(let code)):
    Numbers(catching: { () throws(TestFailure) in throw TestFailure(code) })
  default: .never()
  }
}

/// Throws for `bad`.
@Sendable private func check(_ value: Int, _ bad: Int) throws(TestFailure) {
  if value == bad { throw TestFailure(bad) }
}

private func throwing(_ form: Further.Throwing, at bad: Int, _ signal: Numbers) -> Numbers {
  @Sendable func checked<Result>(_ value: Int, _ result: Result) throws(TestFailure) -> Result {
    try check(value, bad)
    return result
  }
  @Sendable func ascending(_ first: Int, _ second: Int) throws(TestFailure) -> Bool {
    try check(first, bad)
    return try checked(second, first < second)
  }
  switch form {
  case .filter: return signal.filter { (value) throws(TestFailure) in try checked(value, value != 2) }
  case .compactMap:
    return signal.compactMap { (value) throws(TestFailure) in try checked(value, value == 2 ? nil : value) }
  case .scan: return signal.scan(0) { (sum, value) throws(TestFailure) in try checked(value, sum &+ value) }
  case .reduce:
    return signal.reduce(0) { (sum, value) throws(TestFailure) in try checked(value, sum &+ value) }
  case .takeWhile:
    return signal.take(while: { (value) throws(TestFailure) in try checked(value, value < 3) })
  case .skipWhile:
    return signal.skip(while: { (value) throws(TestFailure) in try checked(value, value < 2) })
  case .distinct:
    return signal.distinctUntilChanged { (first, second) throws(TestFailure) in
      try check(first, bad)
      return try checked(second, first == second)
    }
  case .minimum: return signal.min(by: ascending)
  case .maximum: return signal.max(by: ascending)
  case .doNext: return signal.doNext { (value) throws(TestFailure) in try check(value, bad) }
  case .tryMap:
    return signal.tryMap { try checked($0, $0) }.mapError { $0 as? TestFailure ?? TestFailure(99) }
  case .any:
    return signal.any { (value) throws(TestFailure) in try checked(value, value == 2) }.map { $0 ? 1 : 0 }
  case .all:
    return signal.all { (value) throws(TestFailure) in try checked(value, value != 2) }.map { $0 ? 1 : 0 }
  case .attempt:
    return signal.attempt { try check($0, bad) }.mapError { $0 as? TestFailure ?? TestFailure(99) }
  case .groupKey:
    return signal.group { (value) throws(TestFailure) in try checked(value, remainder(value, 2)) }
      .flatMap { $0.signal.take(first: 2) }
  case .groupTransform:
    return signal.group(
      by: { remainder($0, 2) }, transform: { (value) throws(TestFailure) in try checked(value, value &+ 1) }
    ).flatMap { $0.signal.take(first: 2) }
  case .reduceEach:
    return signal.pairwise().map { ($0.previous, $0.current) }.reduceEach {
      (previous, current) throws(TestFailure) in try checked(current, digits([previous, current]))
    }
  }
}

private func weir(
  _ plan: RetryPlan, on scheduler: StoppableScheduler, before perform: (@Sendable () -> Void)?
) -> RetryPolicy<TestFailure> {
  var policy = RetryPolicy<TestFailure>.upTo(plan.limit).givingUp { error, _ in error.code == plan.fatal }
  switch plan.reset {
  case .never: break
  case .onValue: policy = policy.resettingOnValue()
  case .afterRun(let time): policy = policy.resettingAfterRun(of: .microseconds(time), on: scheduler)
  }
  if let perform { policy = policy.onRetry { _, _ in perform() } }
  switch plan.pause {
  case .none: return policy
  case .fixed(let time): return policy.delayed(by: .microseconds(time), on: scheduler)
  case .growing(let time):
    return policy.backoff(
      from: .microseconds(time), upTo: .microseconds(time) * 5 / 2, jitter: .none, on: scheduler)
  case .sometimes(let time):
    return policy.delayed { error, _ in
      error.code == 1 ? Signal.timer(after: .microseconds(time), on: scheduler) : nil
    }
  }
}

/// A subject for one sender. What comes while it is sending would overlap, and is not passed to it.
final class HotUnserialized: HotPlace, @unchecked Sendable {
  // Unchecked: for one thread.
  private let subject: UnserializedSubject<Int, TestFailure>
  private var isSending = false

  init(_ subject: UnserializedSubject<Int, TestFailure>) { self.subject = subject }

  var signal: Numbers { subject.signal }

  func send(_ event: Happening) {
    if isSending { return }
    isSending = true
    subject.send(event.event)
    isSending = false
  }

  func take(_ signal: Numbers) -> Subscription? { nil }
}
