// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

extension Stress {
  /// Failures, keys and terminal events that meet on several threads.
  @Suite struct ErrorsStress {
    init() { perturb() }

    private struct Broken: Error {}

    @Test(
      "F5: a delayed retry fed by three threads and disposed by a fourth is serial and releases everything")
    func retry() {
      let blocksBefore = blocksAlive()
      let resources = Resources()
      for _ in 0..<roundCount(100) {
        let (source, delay) = (Subject<Int, Never>(), Subject<Int, Never>())
        let (runs, delays, values) = (Counter(), Counter(), Counter())
        let policy = RetryPolicy<Broken>.forever.delayed { [token = resources.make()] _, _ in
          _ = token
          delays.add()
          return delay.signal
        }
        let failing = Signal<Int, Broken>.deferred { [token = resources.make()] in
          _ = token
          runs.add()
          return source.setFailureType(to: Broken.self).doNext { (value) throws(Broken) in
            if value % 3 == 0 { throw Broken() }
          }
        }
        let grammar = Grammar<Int, Broken>(next: { _ in values.add() })
        let subscription = grammar.subscribe(to: failing.retry(policy))
        withThreads(4) { index in
          switch index {
          case 0, 1: for value in 0..<100 { source.send(value) }
          case 2: for value in 0..<200 { delay.send(value) }
          default:
            while runs.value < 3 {
              // The others may be through before a third run: then this thread fires the rest.
              source.send(0)
              delay.send(0)
            }
            grammar.dispose(subscription)
          }
        }
        #expect(runs.value >= 3)
        #expect(delays.value == runs.value || delays.value == runs.value - 1)
        let after = (runs.value, delays.value, values.value)
        source.send(0)
        delay.send(0)
        #expect((runs.value, delays.value, values.value) == after)
        #expect(grammar.violations == 0)
        #expect(subscription.isDisposed)
      }
      #expect(resources.alive == 0)
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "G5: switch(cases:default:) fed by three threads is serial and delivers one terminal event, nothing after it"
    )
    func switching() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(100) {
        let keys = Subject<Int, Never>()
        let (first, other) = (Subject<Int, Never>(), Subject<Int, Never>())
        let terminals = Counter()
        let grammar = Grammar<Int, Never>(terminated: { _ in terminals.add() })
        let subscription = grammar.subscribe(
          to: keys.switch(cases: [0: first.signal.map { _ in 0 }], default: other.map { _ in 1 }))
        withThreads(3) { index in
          for number in 0..<200 {
            switch index {
            case 0: keys.send(number % 2)
            case 1: first.send(number)
            default: other.send(number)
            }
          }
          [keys, first, other][index].complete()
        }
        #expect(terminals.value == 1)
        #expect(grammar.violations == 0)
        #expect(subscription.isDisposed)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("on(disposed:) is called once when a completion or failure, a send and two disposals race")
    func disposed() {
      for round in 0..<roundCount(300) {
        let subject = Subject<Int, Broken>()
        let (subscribed, disposed, closed) = (Counter(), Counter(), Counter())
        let grammar = Grammar<Int, Broken>()
        let subscription = grammar.subscribe(
          to: Signal<Int, Broken>.using(
            resource: { ActionDisposable { closed.add() } },
            signal: { _ in subject.on(subscribed: { subscribed.add() }, disposed: { disposed.add() }) }))
        withThreads(4) { index in
          switch index {
          case 0: round % 2 == 0 ? subject.complete() : subject.fail(Broken())
          case 1: subject.send(1)
          case 2: grammar.dispose(subscription)
          default: subscription.dispose()
          }
        }
        #expect((subscribed.value, disposed.value, closed.value) == (1, 1, 1))
        #expect(grammar.violations == 0)
      }
    }
  }
}
