// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

private typealias Numbers = Signal<Int, Oops>

/// Closures that dispose the run and then throw. Each test runs in a process of its own: a process has only
/// one handler of such errors.
struct ThrownAfterDisposalTests {
  /// Operators with closures that ``OperatorCase`` does not list, as they change values.
  private static let others = [
    OperatorCase("skip(while:)") { signal, hook in
      signal.skip(while: { (value) throws(Oops) in
        try hook(value)
        return false
      })
    },
    OperatorCase("skip(until:)") { signal, hook in
      signal.skip(until: { (value) throws(Oops) in
        try hook(value)
        return true
      })
    },
    OperatorCase("distinctUntilChanged") { signal, hook in
      signal.startWith(0).distinctUntilChanged(comparing: { (_, value) throws(Oops) in
        try hook(value)
        return false
      })
    },
    OperatorCase("distinctUntilKeyChanged") { signal, hook in
      signal.startWith(0).distinctUntilKeyChanged { (value) throws(Oops) in
        if value > 0 { try hook(value) }
        return value
      }
    },
    OperatorCase("reduce") { signal, hook in
      signal.reduce(0) { (_, value) throws(Oops) in
        try hook(value)
        return value
      }
    },
    OperatorCase("reduce(into:)") { signal, hook in
      signal.reduce(into: 0) { (_, value) throws(Oops) in try hook(value) }
    },
    OperatorCase("reduce(making:)") { signal, hook in
      signal.reduce(making: { 0 }) { (_, value) throws(Oops) in try hook(value) }
    },
    OperatorCase("reduceIndexed") { signal, hook in
      signal.reduceIndexed(0) { (_, value, _) throws(Oops) in
        try hook(value)
        return value
      }
    },
    OperatorCase("min(by:)") { signal, hook in
      signal.startWith(0).min { (value, _) throws(Oops) in
        try hook(value)
        return false
      }
    },
    OperatorCase("max(by:)") { signal, hook in
      signal.startWith(0).max { (_, value) throws(Oops) in
        try hook(value)
        return false
      }
    },
    OperatorCase("any(where:)") { signal, hook in
      signal.any { (value) throws(Oops) in
        try hook(value)
        return true
      }.map { _ in 0 }
    },
    OperatorCase("all(where:)") { signal, hook in
      signal.all { (value) throws(Oops) in
        try hook(value)
        return true
      }.map { _ in 0 }
    },
    OperatorCase("reduceApply") { signal, hook in
      signal.map { value in
        (
          { @Sendable (number: Int) throws(Oops) -> Int in
            try hook(number)
            return number
          }, value
        )
      }.reduceApply()
    },
    OperatorCase("group(by:transform:)") { signal, hook in
      signal.group(
        by: { $0 },
        transform: { (value) throws(Oops) in
          try hook(value)
          return value
        }
      ).flatten()
    },
    OperatorCase("flatMap(.race)") { signal, hook in
      signal.flatMap(.race) { (value) throws(Oops) in
        try hook(value)
        return .just(value)
      }
    },
    OperatorCase("flatMap(.merge(limit:))") { signal, hook in
      signal.flatMap(.merge(limit: 2)) { (value) throws(Oops) in
        try hook(value)
        return .just(value)
      }
    },
    OperatorCase("flatMap(.ordered(limit:))") { signal, hook in
      signal.flatMap(.ordered(limit: 2)) { (value) throws(Oops) in
        try hook(value)
        return .just(value)
      }
    },
  ]

  /// Operators to put downstream of the one under test, whose closure is called with the first value.
  private static let behind: [(String, @Sendable (Numbers) -> Numbers)] = [
    ("nothing", { $0 }),
    ("take", { $0.take(first: 9) }),
    ("take(while:)", { $0.take(while: { _ in true }) }),
    ("scan, skip", { $0.scan(0) { $1 }.skip(first: 1) }),
    ("reduce", { $0.reduce(0) { $1 } }),
    ("finally", { $0.finally { fatalError("ended") } }),
    ("mapError", { $0.mapError { _ in fatalError("failed") } }),
    ("catch", { $0.catch { _ in fatalError("failed") } }),
    ("retry", { $0.retry() }),
    ("materialize", { $0.materialize().setFailureType(to: Oops.self).map { _ in 0 } }),
    ("concat", { $0.concat(Numbers.never()) }),
    ("flatMap", { $0.flatMap { .just($0) } }),
    ("merge", { $0.merge(with: Numbers.never()) }),
    ("combineLatest", { $0.combineLatest(with: Numbers.just(0)).map { $0.0 } }),
    ("withLatest", { $0.withLatest(from: Numbers.just(0)).map { $0.0 } }),
    ("zip", { Numbers([0, 0, 0]).zip(with: $0).map { $0.1 } }),
    ("take(last:)", { $0.take(last: 2) }),
    ("group(by:)", { $0.group(by: { $0 }).flatten() }),
    ("group(by:lifetime:)", { $0.group(by: { $0 }, lifetime: .until { $0 }).flatten() }),
    ("collect(count:)", { $0.collect(count: 1).map { $0[0] } }),
  ]

  /// Runs a signal that calls the hook it is made with, and returns which errors were received, and which
  /// were reported.
  private static func run(
    disposing: Bool, _ make: (@escaping OperatorCase.Hook) -> Numbers, then send: () -> Void
  ) -> (received: [Int], reported: [Int]) {
    let (received, reported) = (Box<[Int]>([]), Box<[Int]>([]))
    let trigger = Subject<Int, Never>()
    UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code ?? -1) }
    let scheduler = VirtualScheduler()
    let signal = make { (_) throws(Oops) in
      if disposing { trigger.send(0) }
      throw Oops(code: 7)
    }
    let subscription = signal.subscribing(on: scheduler).subscribe(
      next: { _ in }, failed: { received.value.append($0.code) })
    trigger.subscribe { _ in subscription.dispose() }
    scheduler.run()
    send()
    return (received.value, reported.value)
  }

  @Test(
    "contract 8: an error that an operator's closure throws after disposing its run is reported exactly once")
  func operators() async {
    await #expect(processExitsWith: .success) {
      for tested in OperatorCase.withClosure + Self.others {
        for (name, behind) in Self.behind {
          let values = Subject<Int, Oops>()
          let after = Self.run(disposing: true) {
            behind(tested.apply(values.signal, $0))
          } then: {
            values.send(1)
          }
          #expect(after.received == [] && after.reported == [7], "\(tested), before \(name): \(after)")
          for source in [Numbers.just(1), Numbers([1, 2]), Numbers.just(1).map { $0 }] {
            let after = Self.run(disposing: true) {
              behind(tested.apply(source, $0))
            } then: {
            }
            #expect(after.received == [] && after.reported == [7], "\(tested), before \(name): \(after)")
          }
        }
      }
    }
  }

  @Test("an error that an operator's closure throws in an active run is delivered, and not reported")
  func receivedErrors() async {
    await #expect(processExitsWith: .success) {
      for tested in OperatorCase.withClosure + Self.others {
        let values = Subject<Int, Oops>()
        let after = Self.run(disposing: false) {
          tested.apply(values.signal, $0)
        } then: {
          values.send(1)
        }
        #expect(after.received == [7] && after.reported == [], "\(tested): \(after)")
      }
    }
  }

  @Test(
    "contract 8: an error that a source's closure throws after disposing its run is reported exactly once")
  func sources() async {
    await #expect(processExitsWith: .success) {
      typealias Make = @Sendable (@escaping OperatorCase.Hook) -> Numbers
      let sources: [(String, Make)] = [
        (
          "catching",
          { hook in
            Numbers(catching: { () throws(Oops) in
              try hook(0)
              return 0
            })
          }
        ),
        (
          "generate, while",
          { hook in
            .generate(
              0,
              while: { (state) throws(Oops) in
                try hook(state)
                return true
              }, next: { $0 }, result: { $0 })
          }
        ),
        (
          "generate, next",
          { hook in
            .generate(
              0, while: { _ in true },
              next: { (state) throws(Oops) in
                try hook(state)
                return state
              }, result: { $0 })
          }
        ),
        (
          "generate, result",
          { hook in
            .generate(
              0, while: { _ in true }, next: { $0 },
              result: { (state) throws(Oops) in
                try hook(state)
                return state
              })
          }
        ),
        (
          "using, resource",
          { hook in
            .using(
              resource: { () throws(Oops) in
                try hook(0)
                return ActionDisposable {}
              }, signal: { _ in .never() })
          }
        ),
        (
          "using, signal",
          { hook in
            .using(
              resource: { ActionDisposable {} },
              signal: { (_) throws(Oops) in
                try hook(0)
                return .never()
              })
          }
        ),
      ]
      for (name, make) in sources {
        for (place, behind) in Self.behind {
          let after = Self.run(disposing: true) {
            behind(make($0))
          } then: {
          }
          #expect(after.received == [] && after.reported == [7], "\(name), before \(place): \(after)")
        }
        let before = Self.run(disposing: false, make) {}
        #expect(before.received == [7] && before.reported == [], "\(name): \(before)")
      }
    }
  }

  @Test(
    "a signal returned by a closure that has disposed its run is not run, and its failure is not reported")
  func answered() async {
    await #expect(processExitsWith: .success) {
      typealias Answer = @Sendable (Int) -> Numbers
      let (reports, starts) = (Counter(), Counter())
      UnhandledErrors.setHandler { _ in reports.add() }
      let flattening: [(Numbers, @escaping Answer) -> Numbers] = [
        { $0.flatMap($1) }, { $0.flatMap(.merge(limit: 2), $1) }, { $0.flatMap(.concat, $1) },
        { $0.flatMap(.ordered(limit: 2), $1) }, { $0.flatMap(.first, $1) }, { $0.flatMap(.latest, $1) },
        { $0.flatMap(.race, $1) },
        { numbers, answer in numbers.bind { { .next(answer($0)) } } },
        { numbers, answer in numbers.bind { { .last(answer($0)) } } },
      ]
      let answers: [Numbers] = [
        .fail(Oops(code: 1)),
        Numbers([1, 2]).reduce(
          making: {
            starts.add()
            return 0
          }, { (result, value) throws(Oops) in result += value }),
      ]
      for (index, flatten) in flattening.enumerated() {
        for answer in answers {
          let (numbers, subscription) = (Subject<Int, Oops>(), Box<Subscription?>(nil))
          subscription.value = flatten(numbers.signal) { _ in
            subscription.value?.dispose()
            return answer
          }.subscribe(failed: { _ in Issue.record("a failure after disposal") })
          numbers.send(1)
          #expect((reports.value, starts.value) == (0, 0), "form \(index)")
        }
      }
    }
  }

  @Test("switchToLatest does not run a new signal when the old one's clean-up disposes the subscription")
  func switched() async {
    await #expect(processExitsWith: .success) {
      let reports = Counter()
      UnhandledErrors.setHandler { _ in reports.add() }
      let (signals, subscription) = (Subject<Numbers, Oops>(), Box<Subscription?>(nil))
      subscription.value = signals.switchToLatest().subscribe(failed: { _ in })
      signals.send(
        .create { observer in
          ActionDisposable { [observer] in withExtendedLifetime(observer) { subscription.value?.dispose() } }
        })
      signals.send(.fail(Oops(code: 1)))
      #expect(subscription.value?.isDisposed == true)
      #expect(reports.value == 0)
    }
  }

  @Test("the report of an error thrown after disposal carries the name of the run")
  func named() async {
    await #expect(processExitsWith: .success) {
      let names = Box<[String?]>([])
      let values = Subject<Int, Oops>()
      _ = Self.run(disposing: true) { hook in
        UnhandledErrors.setHandler { names.value.append($0.name) }
        return values.doNext(hook).take(first: 3).named("orders")
      } then: {
        values.send(1)
      }
      #expect(names.value == ["orders"])
    }
  }
}
