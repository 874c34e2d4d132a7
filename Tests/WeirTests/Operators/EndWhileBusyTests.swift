// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators with several upstreams that fail or complete during a delivery: the terminal event follows after
/// it, and the upstreams stop at once.
struct EndWhileBusyTests {
  private let outer = Subject<Int, Oops>()
  private let inner = Subject<Int, Oops>()
  private let calls = Box<[Int]>([])
  private let events = Box<[String]>([])

  /// Subscribes, and calls `inside` during the first value.
  private func run(_ signal: Signal<Int, Oops>, inside: @escaping @Sendable () -> Void) -> Subscription {
    let subscription = signal.subscribe(
      next: { [events] value in
        events.value.append("\(value)")
        if events.value.count == 1 { inside() }
      }, failed: { [events] in events.value.append("failed \($0.code)") },
      completed: { [events] in events.value.append("completed") })
    outer.send(0)
    inner.send(7)
    return subscription
  }

  @Test(
    "flatMap does not call its closure again after it threw during a delivery",
    arguments: [FlattenStrategy<Oops>.merge, .merge(limit: 9)])
  func throwing(strategy: FlattenStrategy<Oops>) {
    let signal = outer.flatMap(strategy) { [inner, calls] (value) throws(Oops) -> Signal<Int, Oops> in
      calls.value.append(value)
      if value > 0 { throw Oops(code: value) }
      return inner.signal
    }
    _ = run(signal) { [outer] in for value in 1...3 { outer.send(value) } }
    #expect(calls.value == [0, 1])
    #expect(events.value == ["7", "failed 1"])
  }

  @Test(
    "an inner signal that fails during a delivery stops at once",
    arguments: [FlattenStrategy<Oops>.merge, .latest])
  func immediate(strategy: FlattenStrategy<Oops>) {
    let signal = outer.flatMap(strategy) { [inner, calls] value -> Signal<Int, Oops> in
      if value == 0 { return inner.signal }
      return Signal([1, 2, 3]).map { (number) throws(Oops) in
        calls.value.append(number)
        throw Oops(code: number)
      }
    }
    _ = run(signal) { [outer] in outer.send(1) }
    #expect(calls.value == [1])
    #expect(events.value == ["7", "failed 1"])
  }

  @Test("merge(limit:) starts no further inner signal after one has failed")
  func limited() {
    let signal = outer.flatMap(.merge(limit: 2)) { [inner, calls] value -> Signal<Int, Oops> in
      calls.value.append(value)
      return value == 0 ? inner.signal : .fail(Oops(code: value))
    }
    _ = run(signal) { [outer] in for value in 1...3 { outer.send(value) } }
    #expect(calls.value == [0, 1])
    #expect(events.value == ["7", "failed 1"])
  }

  @Test(
    "an inner signal is not run when the closure that returns it has made another one fail",
    arguments: [FlattenStrategy<Oops>.merge, .merge(limit: 9), .ordered(limit: 9)])
  func answered(strategy: FlattenStrategy<Oops>) {
    let other = Subject<Int, Oops>()
    let signal = outer.flatMap(strategy) { [inner, calls] value -> Signal<Int, Oops> in
      if value == 0 { return inner.signal }
      if value == 1 { return other.signal }
      other.fail(Oops(code: value))
      return .create { _ in
        calls.value.append(value)
        return nil
      }
    }
    _ = run(signal) { [outer] in for value in 1...3 { outer.send(value) } }
    #expect(calls.value == [])
    #expect(events.value == ["7", "failed 2"])
  }

  @Test(
    "merge(limit:) calls no closure for buffered values after an inner signal fails while another thread delivers"
  )
  func failedBesideDelivery() {
    let (other, delivering, isOver) = (Subject<Int, Oops>(), Door(), Door())
    outer.flatMap(.merge(limit: 2)) { [inner, calls] value -> Signal<Int, Oops> in
      calls.value.append(value)
      if value == 0 { return inner.signal }
      return value == 1 ? other.signal : .fail(Oops(code: value))
    }.subscribe(
      next: { _ in
        delivering.open()
        isOver.pass()
      }, failed: { [events] in events.value.append("failed \($0.code)") })
    for value in 0...4 { outer.send(value) }
    withThreads(2) { [inner] index in
      if index == 0 { return inner.send(7) }
      delivering.pass()
      other.complete()
      isOver.open()
    }
    #expect(calls.value == [0, 1, 2])
    #expect(events.value == ["failed 2"])
  }

  @Test("take(until:) stops a trigger that fires during a delivery")
  func trigger() {
    let ticks = Signal<Int, Oops>(0...).doNext { [calls] in calls.value.append($0) }.take(while: {
      $0 < 1_000
    })
    let trigger = outer.filter { $0 > 0 }.flatMap { _ in ticks }
    _ = run(inner.take(until: trigger)) { [outer] in outer.send(1) }
    #expect(calls.value == [0])
    #expect(events.value == ["7", "completed"])
  }

  /// Operators that end on their own while the signal still runs, at its second value at the latest.
  static let ending = [
    OperatorCase("zip, with nothing waiting") { signal, _ in
      signal.zip(with: Signal<Int, Oops>.empty()).map { $0.0 }
    },
    OperatorCase("zip, behind a row") { signal, _ in
      signal.zip(with: Signal<Int, Oops>.just(1)).map { $0.0 }
    },
    OperatorCase("zip of three, behind a row") { signal, _ in
      signal.zip(with: Signal<Int, Oops>.just(1), Signal<Int, Oops>.just(2)).map { value, _, _ in value }
    },
    OperatorCase("zip, that can keep no more") { signal, _ in
      signal.zip(
        with: Signal<Int, Oops>.never(), waiting: .bounded(1, onOverflow: .fail(Oops()))
      ).map { $0.0 }
    },
    OperatorCase("withLatest") { signal, _ in
      Signal<Int, Oops>.just(1).withLatest(from: signal).map { $0.1 }
    },
    OperatorCase("sample") { signal, _ in signal.sample(on: Signal<Int, Oops>.just(1)) },
    OperatorCase("take(untilReplacement:)") { signal, _ in
      Signal<Int, Oops>.fail(Oops()).take(untilReplacement: signal)
    },
  ]

  @Test(
    "an operator that ends on its own disposes its upstreams before it sends the terminal event",
    arguments: ending)
  func upstreamsFirst(operation: OperatorCase) {
    let signal = operation.apply(outer.on(disposed: { [events] in events.value.append("let go") }))
    // materialize sends the terminal event as a value, before it ends the subscription.
    signal.materialize().subscribe { [events] event in
      if event.completion != nil { events.value.append("end") }
    }
    for value in 1...2 { outer.send(value) }
    #expect(events.value == ["let go", "end"])
  }

  @Test("zip does not complete downstream when the subscription is disposed during its last value")
  func zip() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    let subscription = Box<Subscription?>(nil)
    subscription.value = first.zip(with: second).map { $0 + $1 }.append(100).doNext { [calls] in
      calls.value.append($0)
    }
    .subscribe { _ in subscription.value?.dispose() }
    first.send(1)
    first.complete()
    second.send(2)
    #expect(calls.value == [3])
  }
}
