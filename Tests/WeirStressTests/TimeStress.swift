// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  /// Two threads send while a third makes time pass, which fires the timers.
  @Suite struct TimeStress {
    init() { perturb() }

    enum Postponing: CaseIterable {
      case debounce, debounceByZero, rateLimit, delay

      func apply(_ signal: Subject<Int, Never>, on scheduler: VirtualScheduler) -> Signal<Int, Never> {
        switch self {
        case .debounce: signal.debounce(.milliseconds(1), on: scheduler)
        case .debounceByZero: signal.debounce(.zero, on: scheduler)
        case .rateLimit: signal.rateLimit(to: .milliseconds(1), on: scheduler, edge: .trailing)
        case .delay: signal.delay(.milliseconds(1), on: scheduler)
        }
      }
    }

    @Test(
      "E1 E4: timers deliver on the scheduler, serially and in each sender's order, during sends; delay loses nothing",
      arguments: Postponing.allCases)
    func postponing(operation: Postponing) {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(40) {
        let (scheduler, subject) = (VirtualScheduler(), Subject<Int, Never>())
        let (values, elsewhere, terminals) = (Counter(), Counter(), Counter())
        let inOrder = Order()
        let grammar = Grammar<Int, Never>(
          next: { value in
            values.add()
            inOrder.note(value)
            if Schedulers.current !== scheduler { elsewhere.add() }
          }, terminated: { _ in terminals.add() })
        let subscription = grammar.subscribe(to: operation.apply(subject, on: scheduler))
        makeTimePass(on: scheduler) { index in
          for number in 0..<200 { subject.send(2 * number + index) }
        }
        scheduler.run()
        if operation == .delay {
          #expect(values.value == 400)
        } else {
          #expect((1...400).contains(values.value))
        }
        subject.complete()
        scheduler.run()
        #expect(terminals.value == 1 && subscription.isDisposed)
        #expect(elsewhere.value == 0)
        #expect(inOrder.violations == 0)
        #expect(grammar.violations == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "E2: debounce, take and timeout, driven concurrently, end once and leave no value and no timer")
    func debounceTakeTimeout() {
      struct Late: Error {}
      let resources = Resources()
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(60) {
        let (scheduler, subject) = (VirtualScheduler(), Subject<Resources.Resource, Late>())
        let (values, terminals) = (Counter(), Counter())
        let grammar = Grammar<Resources.Resource, Late>(
          next: { _ in values.add() }, terminated: { _ in terminals.add() })
        let policy: TimeoutPolicy =
          round % 2 == 0 ? .deadline(.milliseconds(20 * (round % 5 + 1))) : .idle(.milliseconds(1))
        let subscription = grammar.subscribe(
          to: subject.debounce(.microseconds(200), on: scheduler, where: { _ in values.value % 4 != 3 })
            .take(first: 20).timeout(policy, on: scheduler, failing: Late()))
        makeTimePass(on: scheduler) { index in
          for number in 0..<200 {
            subject.send(resources.make())
            if index == 1, number == 150, round % 3 == 0 { subject.complete() }
            if index == 1, number == 190, round % 5 == 0 { grammar.dispose(subscription) }
          }
        }
        subject.complete()
        #expect(round % 5 == 0 ? terminals.value <= 1 : terminals.value == 1)
        #expect(values.value <= 20)
        #expect(subscription.isDisposed)
        #expect(resources.alive == 0)
        #expect(scheduler.waitingCount == 0)
        #expect(grammar.violations == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "disposal of delay, rateLimit and debounce during sends and timers releases everything and leaves no timer"
    )
    func disposal() {
      let resources = Resources()
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(60) {
        let (scheduler, subject) = (VirtualScheduler(), Subject<Resources.Resource, Never>())
        let values = Counter()
        let grammars = (0..<3).map { _ in Grammar<Resources.Resource, Never>(next: { _ in values.add() }) }
        let signals = [
          subject.delay(.microseconds(100), on: scheduler),
          subject.rateLimit(to: .microseconds(100), on: scheduler, edge: .both),
          subject.debounce(.zero, on: scheduler).take(for: .seconds(60), on: scheduler),
        ]
        let subscriptions = zip(grammars, signals).map { $0.subscribe(to: $1) }
        makeTimePass(on: scheduler) { index in
          for number in 0..<200 {
            subject.send(resources.make())
            guard index == 1, number % 50 == 49, number < 180 else { continue }
            grammars[number / 50].dispose(subscriptions[number / 50])
          }
        }
        #expect(resources.alive == 0)
        #expect(scheduler.waitingCount == 0)
        for grammar in grammars { #expect(grammar.violations == 0) }
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "E4: delay with real timers, on a pool or a serial scheduler, delivers all values of two senders serially"
    )
    func realTimers() {
      // Before counting: the pool and the timers of the process are made when they are first used, and stay.
      let serial = SerialScheduler()
      expectAll(on: serial)
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(10) {
        expectAll(on: serial)
        expectAll(on: WorkerPool.shared)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    private func expectAll(on scheduler: some TimedScheduler) {
      let subject = Subject<Int, Never>()
      let (values, elsewhere, over) = (Counter(), Counter(), Counter())
      let grammar = Grammar<Int, Never>(
        next: { _ in
          values.add()
          if Schedulers.current !== scheduler { elsewhere.add() }
        }, terminated: { _ in over.add() })
      let subscription = grammar.subscribe(
        to: subject.delay(.microseconds(20), on: scheduler).timeout(
          .idle(.seconds(600)), on: scheduler, switchingTo: Signal<Int, Never>.empty()))
      withThreads(2) { index in for number in 0..<300 { subject.send(2 * number + index) } }
      subject.complete()
      while over.value == 0 { weir_yield() }
      #expect(values.value == 600)
      #expect(elsewhere.value == 0)
      #expect(grammar.violations == 0)
      #expect(subscription.isDisposed)
    }

    /// Runs `body` on two threads, with 0 and 1, while a third moves the time on, by steps of a random
    /// length.
    private func makeTimePass(
      on scheduler: VirtualScheduler, while body: @escaping @Sendable (_ index: Int) -> Void
    ) {
      let ended = Counter()
      withThreads(3) { index in
        if index < 2 {
          body(index)
          ended.add()
          return
        }
        while ended.value < 2 {
          scheduler.advance(by: .microseconds(Int.random(in: 1...400)))
          weir_yield()
        }
      }
    }

    /// Checks that the values of each of two senders, the even and the odd ones, come in their order.
    private final class Order: @unchecked Sendable {  // used in serial delivery
      private var newest = [-1, -1]
      private(set) var violations = 0

      func note(_ value: Int) {
        if value <= newest[value % 2] { violations += 1 }
        newest[value % 2] = value
      }
    }
  }
}
