// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// A source, for the tests of what all sources have in common.
struct SourceCase: Sendable, CustomTestStringConvertible {
  /// One source that is ready to be subscribed to.
  struct Run: Sendable {
    let signal: Signal<Int, Oops>
    /// For sources that are fed: sends everything, the terminal event included, and then returns. Others send
    /// by themselves.
    var feed: @Sendable () -> Void = {}
    /// Waits until no more events can arrive.
    var settle: @Sendable () async -> Void = {}
  }

  let testDescription: String
  /// How many values a subscriber receives that stays until the terminal event.
  let count: ClosedRange<Int>
  /// How many of them it receives inside `subscribe`.
  let atHand: Int
  let make: @Sendable () -> Run

  init(_ name: String, count: ClosedRange<Int>, atHand: Int, _ make: @escaping @Sendable () -> Run) {
    testDescription = name
    self.count = count
    self.atHand = atHand
    self.make = make
  }

  static let all = immediate + fed + pooled
  /// Those that send something after subscribing has returned.
  static let later = fed + pooled
}

// MARK: - Sources that send everything inside `subscribe`

extension SourceCase {
  static let immediate = [
    immediate("just", 1) { .just(1) },
    immediate("empty", 0) { .empty() },
    immediate("fail", 0) { .fail(Oops()) },
    immediate("sequence", 3) { Signal([1, 2, 3]) },
    immediate("range", 100) { .range(0..<100) },
    immediate("generate", 5) { .generate(0, while: { $0 < 5 }, next: { $0 + 1 }, result: { $0 }) },
    immediate("repeatElement", 9) { .repeatElement(1).take(first: 9) },
    immediate("result", 1) { Signal(result: .success(1)) },
    immediate("create", 2) {
      .create { observer in
        observer.send(1)
        observer.send(2)
        observer.complete()
        return nil
      }
    },
    immediate("deferred", 3) { .deferred { Signal([1, 2, 3]) } },
    immediate("using", 3) { .using(resource: { ActionDisposable {} }, signal: { _ in Signal([1, 2, 3]) }) },
    immediate("a subject that has ended", 0) { ended(Subject(), sending: 2) },
    immediate("a replay subject that has ended", 2) { ended(ReplaySubject(capacity: 2), sending: 5) },
    immediate("a current value that has ended", 1) { ended(CurrentValue(0), sending: 5) },
    immediate("a constant", 1) { Property(constant: 1).signal.setFailureType(to: Oops.self) },
  ]

  private static func immediate(
    _ name: String, _ count: Int, _ signal: @escaping @Sendable () -> Signal<Int, Oops>
  ) -> SourceCase {
    SourceCase(name, count: count...count, atHand: count) { Run(signal: signal()) }
  }

  private static func ended<Source: ObserverProtocol<Int, Oops> & SignalConvertible<Int, Oops>>(
    _ source: Source, sending count: Int
  ) -> Signal<Int, Oops> {
    for value in 0..<count { source.send(value) }
    source.complete()
    return source.signal
  }
}

// MARK: - Sources that are fed by three threads

extension SourceCase {
  static let fed = [
    SourceCase("an observer of create", count: 90...90, atHand: 0) {
      let observers = Box<[Observer<Int, Oops>]>([])
      let signal = Signal<Int, Oops>.create { observer in
        observers.value.append(observer)
        return nil
      }
      return Run(signal: signal, feed: { feed(observers.value) })
    },
    fed("a subject", atHand: 0) { Subject() },
    fed("a replay subject", atHand: 1) {
      let subject = ReplaySubject<Int, Oops>(capacity: 16)
      subject.send(-1)
      return subject
    },
    fed("a current value", atHand: 1) { CurrentValue(-1) },
    SourceCase("a channel", count: 90...90, atHand: 0) {
      let channel = TwoWayChannel<Int, Oops>()
      return Run(signal: channel.following.signal, feed: { feed([channel.leading]) })
    },
    SourceCase("a property", count: 1...91, atHand: 1) {
      let property = Box<MutableProperty<Int>?>(MutableProperty(-1))
      let signal = property.value?.signal.setFailureType(to: Oops.self) ?? .never()
      return Run(
        signal: signal,
        feed: {
          withThreads(3) { index in
            for value in 0..<30 { property.value?.value = index * 30 + value }
          }
          property.value = nil
        })
    },
    ofSubject("publish") { $0.publish().autoconnect() },
    ofSubject("share") { $0.share() },
    ofSubject("share(replay:)") { $0.share(replay: 1) },
    ofSubject("replayLazily") { $0.replayLazily() },
  ]

  private static func fed<Source: ObserverProtocol<Int, Oops> & SignalConvertible<Int, Oops>>(
    _ name: String, atHand: Int, _ make: @escaping @Sendable () -> Source
  ) -> SourceCase {
    SourceCase(name, count: 90 + atHand...90 + atHand, atHand: atHand) {
      let source = make()
      return Run(signal: source.signal, feed: { feed([source]) })
    }
  }

  private static func ofSubject(
    _ name: String, _ share: @escaping @Sendable (Subject<Int, Oops>) -> Signal<Int, Oops>
  ) -> SourceCase {
    SourceCase(name, count: 90...90, atHand: 0) {
      let subject = Subject<Int, Oops>()
      return Run(signal: share(subject), feed: { feed([subject]) })
    }
  }

  /// Three threads send thirty values each; the completion is sent when all have.
  private static func feed(_ observers: [some ObserverProtocol<Int, Oops>]) {
    withThreads(3) { index in
      for value in 0..<30 { for observer in observers { observer.send(index * 30 + value) } }
    }
    for observer in observers { observer.complete() }
  }
}

// MARK: - Sources that send on the threads of a pool

extension SourceCase {
  static let pooled = [
    pooled("interval", 5) { pool in
      Signal.interval(.milliseconds(1), on: pool).map { _ in 1 }.take(first: 5).setFailureType(to: Oops.self)
    },
    pooled("ticks", 5) { pool in
      Signal.ticks(every: .milliseconds(1), on: pool).map { 1 }.take(first: 5).setFailureType(to: Oops.self)
    },
    pooled("timer", 1) { pool in
      Signal.timer(after: .milliseconds(1), on: pool).map { _ in 1 }.setFailureType(to: Oops.self)
    },
    pooled("a sequence on a scheduler", 50) { pool in Signal(0..<50, on: pool) },
    // It replays what it has sent, and a late subscriber would receive that inside `subscribe`: so it waits.
    SourceCase("startEagerly", count: 90...90, atHand: 0) {
      let (pool, begin) = (WorkerPool(threads: 2), Door())
      let signal = Signal<Int, Oops>.startEagerly(on: pool) { observer in
        begin.pass()
        feed([observer])
      }
      let settle: @Sendable () async -> Void = {
        begin.open()
        await pool.shutdown(within: .seconds(60))
      }
      return Run(signal: signal, feed: { begin.open() }, settle: settle)
    },
    pooled("startLazily", 90) { pool in .startLazily(on: pool) { feed([$0]) } },
    pooled("create, subscribed on a scheduler", 90) { pool in
      Signal<Int, Oops>.create { observer in
        feed([observer])
        return nil
      }.subscribing(on: pool)
    },
    pooled("observe(on:)", 50) { pool in Signal(0..<50).observe(on: pool) },
    pooled("observe(on:) a serial scheduler", 50) { pool in
      Signal(0..<50).observe(on: SerialScheduler(on: pool))
    },
    pooled("task", 1) { pool in .task(executorPreference: SchedulerTaskExecutor(pool)) { 1 } },
    pooled("an asynchronous sequence", 50) { pool in
      Signal(
        Signal<Int, Oops>(0..<50).values(), executorPreference: SchedulerTaskExecutor(pool))
    },
    pooled("delay", 50) { pool in Signal(0..<50).delay(.milliseconds(1), on: pool) },
  ]

  private static func pooled(
    _ name: String, _ count: Int, _ signal: @escaping @Sendable (WorkerPool) -> Signal<Int, Oops>
  ) -> SourceCase {
    SourceCase(name, count: count...count, atHand: 0) {
      let pool = WorkerPool(threads: 2)
      return Run(signal: signal(pool), settle: { await pool.shutdown(within: .seconds(60)) })
    }
  }
}
