// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  @Suite struct CombiningStress {
    init() { perturb() }

    @Test(
      "C5: combineLatest fed by three threads is serial, keeps each input's order and ends with the last values"
    )
    func combineLatest() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(50) {
        let inputs = (0..<3).map { _ in Subject<Int, Never>() }
        let newest = Plain((0, 0, 0))
        let (backwards, values, completions) = (Counter(), Counter(), Counter())
        let grammar = Grammar<(Int, Int, Int), Never>(
          next: { tuple in
            let last = newest.value
            if tuple.0 < last.0 || tuple.1 < last.1 || tuple.2 < last.2 { backwards.add() }
            newest.value = tuple
            values.add()
          }, terminated: { _ in completions.add() })
        grammar.subscribe(to: inputs[0].combineLatest(with: inputs[1], inputs[2]))
        withThreads(3) { index in
          for number in 1...200 { inputs[index].send(number) }
          inputs[index].complete()
        }
        #expect(newest.value == (200, 200, 200))
        #expect((backwards.value, completions.value, grammar.violations) == (0, 1, 0))
        #expect(values.value >= 200 && values.value <= 598)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("C3: zip fed by three threads delivers all tuples in step, completes once and releases the values")
    func zip() {
      let resources = Resources()
      for _ in 0..<roundCount(50) {
        let inputs = (0..<3).map { _ in Subject<(Int, Resources.Resource), Never>() }
        let (mismatches, values, completions) = (Counter(), Counter(), Counter())
        let grammar = Grammar<Bool, Never>(
          next: { isInStep in
            if !isInStep { mismatches.add() }
            values.add()
          }, terminated: { _ in completions.add() })
        let inStep = inputs[0].zip(with: inputs[1], inputs[2]).map { first, second, third in
          first.0 == second.0 && second.0 == third.0
        }
        grammar.subscribe(to: inStep)
        withThreads(3) { index in
          for number in 0..<(index == 0 ? 150 : 200) { inputs[index].send((number, resources.make())) }
          inputs[index].complete()
        }
        #expect((values.value, mismatches.value, completions.value, grammar.violations) == (150, 0, 1, 0))
      }
      #expect(resources.alive == 0)
    }

    @Test("withLatest(from:) with a concurrent failure delivers one terminal event and releases everything")
    func withLatestFailing() {
      struct Broken: Error {}
      let resources = Resources()
      for _ in 0..<roundCount(50) {
        let source = Subject<Int, Broken>()
        let others = (0..<2).map { _ in Subject<Resources.Resource, Broken>() }
        let (terminals, seen) = (Counter(), Counter())
        let grammar = Grammar<Int, Broken>(next: { _ in seen.add() }, terminated: { _ in terminals.add() })
        let subscription = grammar.subscribe(
          to: source.withLatest(from: others[0], others[1]).map { value, _, _ in value })
        withThreads(4) { index in
          for number in 0..<100 {
            switch index {
            case 0: source.send(number)
            case 3: if number == 50 { others[0].fail(Broken()) }
            default: others[index - 1].send(resources.make())
            }
          }
        }
        #expect((terminals.value, grammar.violations) == (1, 0))
        #expect(subscription.isDisposed)
        #expect(resources.alive == 0)
      }
    }

    @Test(
      "combineLatest and zip disposed by a third thread during sends deliver nothing more and release everything"
    )
    func disposed() {
      let resources = Resources()
      for round in 0..<roundCount(100) {
        let inputs = (0..<2).map { _ in Subject<Resources.Resource, Never>() }
        let signal =
          round % 2 == 0
          ? inputs[0].combineLatest(with: inputs[1]).map { _ in 0 }
          : inputs[0].zip(with: inputs[1]).map { _ in 0 }
        let seen = Counter()
        let grammar = Grammar<Int, Never>(next: { _ in seen.add() })
        let subscription = grammar.subscribe(to: signal)
        withThreads(3) { index in
          if index == 2 {
            while seen.value < 10 { weir_yield() }
            return grammar.dispose(subscription)
          }
          for _ in 0..<100 { inputs[index].send(resources.make()) }
        }
        #expect(grammar.violations == 0)
        #expect(resources.alive == 0)
      }
    }

    @Test(
      "C13: merge(limit: 2) runs every inner signal, at most two at a time, whichever thread ends them"
    )
    func limitedMerge() {
      for _ in 0..<roundCount(50) {
        let source = Subject<Int, Never>()
        let gates = (0..<2).map { _ in Subject<Int, Never>() }
        let (running, most, ended, completions) = (Counter(), Counter(), Counter(), Counter())
        let grammar = Grammar<Int, Never>(terminated: { _ in completions.add() })
        let subscription = grammar.subscribe(
          to: source.flatMap(.merge(limit: 2, waiting: .unbounded)) { number in
            Signal<Int, Never>.deferred {
              let now = running.add() + 1
              if now > most.value { most.add(now - most.value) }
              return gates[number % 2].take(first: 1).finally {
                running.add(-1)
                ended.add()
              }
            }
          })
        withThreads(3) { index in
          switch index {
          case 0:
            for number in 0..<100 { source.send(number) }
            source.complete()
          default: while ended.value < 100 { gates[index - 1].send(0) }
          }
        }
        #expect(most.value <= 2)
        #expect((ended.value, completions.value, grammar.violations) == (100, 1, 0))
        #expect(subscription.isDisposed)
      }
    }

    @Test(
      "ordered(limit: 2) fed by three threads delivers all values in order and has at most two inner signals active"
    )
    func ordered() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(50) {
        let inputs = (0..<3).map { _ in Subject<Int, Never>() }
        let source = Subject<Int, Never>()
        let (values, begun, most) = (Plain<[Int]>([]), Counter(), Counter())
        let (done, completions) = (Counter(), Counter())
        let grammar = Grammar<Int, Never>(
          next: { values.value.append($0) }, terminated: { _ in completions.add() })
        let subscription = grammar.subscribe(
          to: source.flatMap(.ordered(limit: 2)) { number in
            let ahead = begun.add() + 1 - done.value
            if ahead > most.value { most.add(ahead - most.value) }
            return inputs[number % 3].take(first: 4).enumerated().map { $0.offset }.doCompleted { done.add() }
          })
        for number in 0..<12 { source.send(number) }
        source.complete()
        withThreads(3) { index in while completions.value == 0 { inputs[index].send(0) } }
        #expect(values.value == (0..<12).flatMap { _ in 0..<4 })
        #expect(most.value <= 2)
        #expect((begun.value, completions.value, grammar.violations) == (12, 1, 0))
        #expect(subscription.isDisposed)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("race of sources on three threads delivers all values of one winner and none of the others")
    func race() {
      for _ in 0..<roundCount(100) {
        let inputs = (0..<3).map { _ in Subject<Int, Never>() }
        let values = Plain<[Int]>([])
        let completions = Counter()
        let grammar = Grammar<Int, Never>(
          next: { values.value.append($0) }, terminated: { _ in completions.add() })
        grammar.subscribe(to: inputs[0].race(with: inputs[1], inputs[2]))
        withThreads(3) { index in
          for number in 0..<50 { inputs[index].send(index * 50 + number) }
          inputs[index].complete()
        }
        let winner = (values.value.first ?? 0) / 50
        #expect(values.value == Array(winner * 50..<(winner + 1) * 50))
        #expect((completions.value, grammar.violations) == (1, 0))
      }
    }
  }
}

/// State that is written in serial delivery only, unprotected: ThreadSanitizer tells when that does not hold.
private final class Plain<Value>: @unchecked Sendable {  // see above
  var value: Value
  init(_ value: Value) { self.value = value }
}
