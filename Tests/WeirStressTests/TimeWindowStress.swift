// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  @Suite struct TimeWindowStress {
    private let perThread = 300
    init() { perturb() }

    /// Fires one of the pending timers, or none.
    private func fire(_ scheduler: VirtualScheduler) {
      if Bool.random() { scheduler.step() } else { weir_yield() }
    }

    /// Sends values from two threads while a third one fires timers, until both are done; then completes.
    private func race(_ source: Subject<Int, Never>, _ scheduler: VirtualScheduler) {
      let done = Counter()
      withThreads(3) { index in
        if index == 2 {
          while done.value < 2 { fire(scheduler) }
          return
        }
        for number in 0..<perThread { source.send(index * perThread + number) }
        if done.add() == 1 { source.complete() }
      }
    }

    /// Whether these are all values, each once, and those of one thread in order.
    private func isComplete(_ values: [Int]) -> Bool {
      let threads = (0..<2).map { thread in values.filter { $0 / perThread == thread } }
      return values.count == 2 * perThread
        && threads.indices.allSatisfy { threads[$0] == Array($0 * perThread..<($0 + 1) * perThread) }
    }

    @Test(
      "E6: collect by time, or count and time, puts each value in one array, none empty or too long; no timer is left"
    )
    func collect() {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(50) {
        let (source, scheduler) = (Subject<Int, Never>(), VirtualScheduler())
        let limit = round % 2 == 0 ? Int.max : 7
        let values = Gathered<Int>()
        let (wrong, elsewhere, terminals) = (Counter(), Counter(), Counter())
        let grammar = Grammar<[Int], Never>(
          next: { array in
            if array.count < limit, !scheduler.isCurrent { elsewhere.add() }
            if array.isEmpty || array.count > limit { wrong.add() }
            values.append(contentsOf: array)
          }, terminated: { _ in terminals.add() })
        let collected =
          limit == .max
          ? source.collect(within: .seconds(1), on: scheduler)
          : source.collect(count: limit, within: .seconds(1), on: scheduler)
        let subscription = grammar.subscribe(to: collected)
        race(source, scheduler)
        #expect(isComplete(values.all))
        #expect(wrong.value == 0 && terminals.value == 1 && grammar.violations == 0)
        // Only the last one, which the completion sends.
        #expect(elsewhere.value <= 1)
        #expect(subscription.isDisposed && scheduler.waitingCount == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "window by time, or count and time, puts each value in one window, none empty or too long; no timer is left"
    )
    func window() {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(50) {
        let (source, scheduler) = (Subject<Int, Never>(), VirtualScheduler())
        let limit = round % 2 == 0 ? Int.max : 7
        let (values, sizes) = (Gathered<Int>(), Gathered<Int>())
        let (terminals, innerViolations) = (Counter(), Counter())
        let grammar = Grammar<Signal<Int, Never>, Never>(
          next: { window in
            let place = sizes.all.count
            sizes.append(0)
            window.subscribe {
              // The next window is announced when this one has completed.
              if place != sizes.all.count - 1 { innerViolations.add() }
              sizes.replaceLast(with: sizes.all[place] + 1)
              values.append($0)
            }
          }, terminated: { _ in terminals.add() })
        let windows =
          limit == .max
          ? source.window(every: .seconds(1), on: scheduler)
          : source.window(count: limit, every: .seconds(1), on: scheduler)
        let subscription = grammar.subscribe(to: windows)
        race(source, scheduler)
        #expect(isComplete(values.all))
        #expect(sizes.all.allSatisfy { (1...limit).contains($0) })
        #expect(terminals.value == 1 && grammar.violations == 0 && innerViolations.value == 0)
        #expect(subscription.isDisposed && scheduler.waitingCount == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "sample(every:) never goes back to an older value, delivers nothing after completing and leaves no timer"
    )
    func sample() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(50) {
        let (source, scheduler) = (Subject<Int, Never>(), VirtualScheduler())
        let newest = (0..<2).map { _ in Counter() }
        let (wrong, terminals) = (Counter(), Counter())
        let grammar = Grammar<Int, Never>(
          next: { value in
            let highest = newest[value / perThread]
            if value < highest.value { wrong.add() }
            highest.add(value - highest.value)
          }, terminated: { _ in terminals.add() })
        let subscription = grammar.subscribe(to: source.sample(every: .seconds(1), on: scheduler))
        race(source, scheduler)
        #expect(wrong.value == 0 && terminals.value == 1 && grammar.violations == 0)
        #expect(subscription.isDisposed && scheduler.waitingCount == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "disposal during sends and timers delivers nothing more on its thread, leaves no timer and releases everything"
    )
    func disposed() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(50) {
        let (source, scheduler) = (Subject<Resources.Resource, Never>(), VirtualScheduler())
        let resources = Resources()
        let grammars = (0..<2).map { _ in Grammar<Resources.Resource, Never>() }
        let subscriptions = [
          grammars[0].subscribe(to: source.collect(count: 3, within: .seconds(1), on: scheduler).joined()),
          grammars[1].subscribe(
            to: source.window(count: 3, every: .seconds(1), on: scheduler).flatten()
              .sample(every: .seconds(1), on: scheduler)),
        ]
        let sent = Counter()
        withThreads(3) { index in
          switch index {
          case 0:
            for _ in 0..<perThread {
              source.send(resources.make())
              sent.add()
            }
          case 1: while sent.value < perThread { fire(scheduler) }
          default:
            while sent.value < perThread / 2 { weir_yield() }
            for (grammar, subscription) in zip(grammars, subscriptions) { grammar.dispose(subscription) }
          }
        }
        #expect(grammars.allSatisfy { $0.violations == 0 })
        #expect(scheduler.waitingCount == 0 && resources.alive == 0)
        withExtendedLifetime(source) {}
      }
      expectBlocks(notAbove: blocksBefore)
    }
  }
}
