// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  @Suite struct MergingStress {
    init() { perturb() }

    @Test("A13 AC5 AC6: Signal.create serializes sends and a completion from four threads")
    func create() {
      for _ in 0..<roundCount(100) {
        let handed = SerialDisposable()
        let observers = Locker<Observer<Int, Never>>()
        let values = Counter()
        let terminals = Counter()
        let grammar = Grammar<Int, Never>(next: { _ in values.add() }, terminated: { _ in terminals.add() })
        let subscription = grammar.subscribe(
          to: Signal.create { observer in
            observers.put(observer)
            return handed
          })
        withThreads(4) { index in
          for number in 0..<50 {
            observers.value?.send(number)
            if index == 3, number == 25 { observers.value?.complete() }
          }
        }
        #expect(terminals.value == 1)
        #expect(values.value <= 200)
        #expect(grammar.violations == 0)
        #expect(handed.isDisposed && subscription.isDisposed)
      }
    }

    @Test(
      "B1: flatMap and merge of subjects fed by three threads are serial, lose no value and complete once",
      arguments: [false, true])
    func flatMap(isMerge: Bool) {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(50) {
        let inner = (0..<3).map { _ in Subject<Int, Never>() }
        let outer = Subject<Int, Never>()
        let seen = (0..<3).map { _ in Counter() }
        let (misplaced, terminals) = (Counter(), Counter())
        // The values of each subject count up.
        let grammar = Grammar<Int, Never>(
          next: { value in
            if seen[value / 1_000].add() != value % 1_000 { misplaced.add() }
          }, terminated: { _ in terminals.add() })
        grammar.subscribe(
          to: isMerge
            ? Signal.merge(inner.map(\.signal) + [outer.ignoreValues()]) : outer.flatMap { inner[$0].signal })
        for index in inner.indices { outer.send(index) }
        withThreads(4) { index in
          if index == 3 { return outer.complete() }
          for number in 0..<200 { inner[index].send(1_000 * index + number) }
          inner[index].complete()
        }
        #expect(seen.allSatisfy { $0.value == 200 } && misplaced.value == 0)
        #expect(terminals.value == 1)
        #expect(grammar.violations == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("A5: merge of a failing source and two that send delivers one terminal event and nothing after it")
    func failure() {
      struct Broken: Error {}
      for _ in 0..<roundCount(100) {
        let signals = (0..<3).map { _ in Subject<Int, Broken>() }
        let terminals = Counter()
        let grammar = Grammar<Int, Broken>(terminated: { _ in terminals.add() })
        let subscription = grammar.subscribe(to: Signal.merge(signals.map(\.signal)))
        withThreads(3) { index in
          for number in 0..<20 {
            signals[index].send(number)
            if index == 0, number == 10 { signals[0].fail(Broken()) }
          }
        }
        #expect(terminals.value == 1)
        #expect(grammar.violations == 0)
        #expect(subscription.isDisposed)
      }
    }

    @Test(
      "concurrently fed switchToLatest, withLatest(from:) and take(until:) deliver nothing stale and complete once"
    )
    func switching() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(50) {
        let inner = (0..<2).map { _ in Subject<Int, Never>() }
        let outer = Subject<Int, Never>()
        let stop = Subject<Int, Never>()
        let newest = Counter()
        let (highest, late, terminals) = (Counter(), Counter(), Counter())
        let grammar = Grammar<(Int, Int), Never>(
          next: { pair in
            // Once a value of a newer signal came, none of an older one may.
            if pair.0 < highest.value { late.add() }
            highest.add(pair.0 - highest.value)
          }, terminated: { _ in terminals.add() })
        grammar.subscribe(
          to: outer.map { index in inner[index % 2].map { _ in index } }.switchToLatest()
            .withLatest(from: Signal<Int, Never>.just(1)).take(until: stop))
        withThreads(4) { index in
          switch index {
          case 0:
            for number in 0..<100 {
              outer.send(number)
              newest.add()
            }
          case 3:
            while newest.value < 50 { weir_yield() }
            stop.send(0)
          default: for number in 0..<200 { inner[index - 1].send(number) }
          }
        }
        #expect(late.value == 0)
        #expect(terminals.value == 1)
        #expect(grammar.violations == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("zip of subjects on two threads delivers pairs in step until a third thread disposes it")
    func zipping() {
      for _ in 0..<roundCount(50) {
        let (left, right) = (Subject<Int, Never>(), Subject<Int, Never>())
        let mismatches = Counter()
        let pairs = Counter()
        let grammar = Grammar<(Int, Int), Never>(next: { pair in
          if pair.0 != pair.1 { mismatches.add() }
          pairs.add()
        })
        let subscription = grammar.subscribe(to: left.zip(with: right))
        withThreads(3) { index in
          if index == 2 {
            while pairs.value < 50 { weir_yield() }
            return grammar.dispose(subscription)
          }
          for number in 0..<200 { (index == 0 ? left : right).send(number) }
        }
        #expect(mismatches.value == 0)
        #expect(grammar.violations == 0)
      }
    }
  }
}
