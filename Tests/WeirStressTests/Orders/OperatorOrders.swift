// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir

private typealias Hub = Subject<Unguarded, Never>
private typealias Combination = @Sendable (_ first: Hub, _ second: Hub) -> Signal<Unguarded, Never>

extension Stress.Orders {
  /// Two sources, and an operator that combines them.
  private final class Pair: Sendable {
    let (first, second) = (Hub(), Hub())
    let subscription: Subscription

    init(_ combine: Combination) {
      subscription = UnguardedListener().listen(to: combine(first, second)) {
        [unowned first, unowned second] in
        for hub in [first, second, first, second] { hub.send(Unguarded()) }
      }
      for hub in [first, second] { hub.send(Unguarded()) }
    }

    /// A run that never ends retains its sources, and they retain it.
    deinit { for hub in [first, second] { hub.complete() } }
  }

  private static let combinations: [(String, Combination)] = [
    ("merge", { $0.merge(with: $1) }),
    ("flatMap", { first, second in first.flatMap { _ in second.signal } }),
    ("switchToLatest", { first, second in first.map { _ in second.map { $0 } }.switchToLatest() }),
    ("flatMap(.concat)", { first, second in first.flatMap(.concat) { _ in second.take(first: 1) } }),
    ("combineLatest", { $0.combineLatest(with: $1).map { $0.0 } }),
    ("zip", { $0.zip(with: $1).map { $0.0 } }),
    ("sample", { $0.sample(on: $1.mapReplace(())) }),
    ("take(until:)", { $0.take(until: $1) }),
    ("skip(until:)", { $0.skip(until: $1) }),
    ("share", { first, second in first.merge(with: second).share() }),
    ("share(replay:)", { first, second in first.merge(with: second).share(replay: 1, lifetime: .forever) }),
    ("concat", { $0.concat($1) }),
    ("repeat", { first, _ in first.take(first: 1).repeat(times: 3) }),
  ]

  @Test(
    "a subscriber behind an operator with two sources sees the writes before each event",
    arguments: combinations.indices)
  func combination(index: Int) {
    expectOrdered(
      setup: { Pair(Self.combinations[index].1) },
      [
        { it in for _ in 0..<2 { it.first.send(Unguarded()) } },
        { it in for _ in 0..<2 { it.second.send(Unguarded()) } },
        { it in it.first.complete() },
        { it in it.second.complete() },
        { it in it.subscription.dispose() },
      ])
  }

  /// Two sources, and unprotected memory that is touched before each of them is used: one place for each
  /// source and thread.
  private final class Prepared: Sendable {
    let (first, second) = (Hub(), Hub())
    private let works = (0..<4).map { _ in Unguarded() }
    private let leader = weir_thread()

    /// - Parameter hear: called with the signal and with a closure that touches all of that memory.
    init(
      _ combine: Combination,
      _ hear: (Signal<Unguarded, Never>, _ look: @escaping @Sendable () -> Void) -> Void
    ) {
      hear(combine(first, second)) { [works] in for work in works { work.touch() } }
    }

    deinit { for hub in [first, second] { hub.complete() } }

    func work(_ index: Int, then use: (Hub) -> Void) {
      works[weir_thread() == leader ? index : index + 2].touch()
      use(index == 0 ? first : second)
    }
  }

  private static let joins: [Combination] = [
    { $0.merge(with: $1) },
    { first, second in Signal<Signal<Unguarded, Never>, Never>([first.signal, second.signal]).flatMap { $0 }
    },
    { first, second in
      Signal<Signal<Unguarded, Never>, Never>([first.signal, second.signal]).flatMap(.merge(limit: 2)) { $0 }
    },
    { first, second in
      Signal<Signal<Unguarded, Never>, Never>([first.signal, second.signal])
        .flatMap(.ordered(limit: 2)) { $0 }
    },
    { $0.combineLatest(with: $1).map { $0.0 } },
  ]

  @Test(
    "a subscriber that receives the completion of joined sources sees the writes before each of them completed",
    arguments: joins.indices)
  func completion(index: Int) {
    expectOrdered(
      setup: { Prepared(Self.joins[index]) { signal, look in signal.subscribe(completed: look) } },
      [
        { it in it.work(0) { $0.complete() } },
        { it in it.work(1) { $0.complete() } },
      ])
  }

  @Test("a subscriber that receives a value passed by skip(until:) sees the writes before the trigger fired")
  func trigger() {
    expectOrdered(
      setup: {
        Prepared({ $0.skip(until: $1) }) { signal, look in signal.subscribe(next: { _ in look() }) }
      },
      [
        { it in it.work(0) { $0.send(Unguarded()) } },
        { it in it.work(1) { $0.send(Unguarded()) } },
      ])
  }

  private struct Reason: Error {
    let text = Parcel()
  }

  /// One source after the other.
  private final class Sequel: Sendable {
    let (first, second) = (Subject<Int, Reason>(), Subject<Int, Reason>())
    init() { first.concat(second).subscribe(failed: { $0.text.content.touch() }) }
    deinit { for hub in [first, second] { hub.complete() } }
  }

  @Test(
    "concat delivers the failure of its second source whole when another thread has just subscribed to that source"
  )
  func sequel() {
    expectOrdered(
      setup: { Sequel() },
      [
        { it in it.first.complete() },
        { it in it.second.fail(Reason()) },
      ])
  }

  /// A shared signal and its source, whose runs touch unprotected memory.
  private final class Shared: Sendable {
    let hub = Hub()
    let signal: Signal<Unguarded, Never>
    private let subscription: Subscription

    init(_ share: (Signal<Unguarded, Never>) -> Signal<Unguarded, Never>) {
      let runs = Unguarded()
      signal = share(
        .attaching { [hub] sink in
          runs.touch()
          hub.signal.attach(sink)
        })
      subscription = UnguardedListener().listen(to: signal)
    }

    /// A run that never ends retains its source, and that retains it.
    deinit { hub.complete() }

    func leave() { subscription.dispose() }
    func comeAndGo() { UnguardedListener().listen(to: signal).dispose() }
  }

  @Test("runs of a shared source are serial, and each sees the writes of the run before", arguments: 0..<4)
  func sharing(index: Int) {
    expectOrdered(
      setup: {
        Shared { source in
          switch index {
          case 0: source.share()
          case 1: source.share(replay: 1)
          case 2: source.share(replay: 1, lifetime: .forever)
          default: source.publish().autoconnect()
          }
        }
      },
      [
        { it in it.leave() },
        { it in it.comeAndGo() },
        { it in it.hub.send(Unguarded()) },
        { it in it.hub.complete() },
      ])
  }
}
