// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  /// Operators on values that other threads switch over or reach into.
  @Suite struct ValuesStress {
    init() { perturb() }

    @Test(
      "D7: take(untilReplacement:) delivers no source value after a concurrent replacement, and one terminal event"
    )
    func replacement() {
      UnhandledErrors.setHandler { _ in }
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(10) {
        let runs = (0..<40).map { _ in ReplacementRun() }
        withThreads(3) { index in
          for (number, run) in runs.enumerated() { run.play(index, number) }
        }
        for run in runs {
          #expect(run.late.value == 0)
          #expect(run.terminals.value == 1)
          #expect(run.grammar.violations == 0)
          #expect(run.subscription.isDisposed)
        }
      }
      UnhandledErrors.setHandler(UnhandledErrors.printOncePerSite)
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "skip(until:) passes every value that three threads send after the trigger fired, and sees the writes before it"
    )
    func skipUntil() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(100) {
        let (source, trigger) = (Subject<Int, Never>(), Subject<Int, Never>())
        let written = Locker<Int>()
        let (blind, certain, fired) = (Counter(), Counter(), Counter())
        let grammar = Grammar<Int, Never>(next: { value in
          // Plain memory, written before the trigger fired: ThreadSanitizer sees if the order is missing.
          if written.value != 1 { blind.add() }
          if value == -1 { certain.add() }
        })
        let subscription = grammar.subscribe(to: source.skip(until: trigger))
        withThreads(4) { index in
          switch index {
          case 0:
            written.put(1)
            trigger.send(0)
            fired.add()
            trigger.complete()
          default:
            for number in 0..<100 { source.send(fired.value == 0 ? number : -1) }
            while fired.value == 0 { weir_yield() }
            for _ in 0..<20 { source.send(-1) }
          }
        }
        #expect(blind.value == 0)
        #expect(certain.value >= 60)
        #expect(grammar.violations == 0)
        subscription.dispose()
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "C16: groups fed by three threads during subscriber churn receive the values of their key, and no others"
    )
    func grouping() {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(40) {
        let source = Subject<Int, Never>()
        let groups = (0..<8).map { _ in Locker<GroupedSignal<Int, Int, Never>>() }
        let ready = Counter()
        let (foreign, completions) = (Counter(), Counter())
        let values = Box<[Int: Int]>([:])
        // A subscriber that is added when a group is announced receives all its values.
        let outer = Grammar<GroupedSignal<Int, Int, Never>, Never>(next: { group in
          groups[group.key].put(group)
          group.subscribe(
            next: { value in
              if value % 8 != group.key { foreign.add() }
              values.value[value % 8, default: 0] += 1
            }, completed: { completions.add() })
          ready.add()
        })
        let subscription = outer.subscribe(to: source.group(by: { $0 % 8 }))
        withThreads(6) { index in
          if index < 3 {
            for number in 0..<200 { source.send(index * 200 + number) }
          } else if index < 5 {
            while ready.value < 8 { weir_yield() }
            for step in 0..<80 {
              let grammar = Grammar<Int, Never>(next: { if $0 % 8 != step % 8 { foreign.add() } })
              guard let group = groups[step % 8].value else { continue }
              grammar.dispose(grammar.subscribe(to: group))
              if grammar.violations > 0 { foreign.add() }
            }
          } else {
            while ready.value < 8 { weir_yield() }
            if round % 2 == 1 { outer.dispose(subscription) }
          }
        }
        if round % 2 == 0 {
          #expect(values.value == Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, 75) }))
        }
        source.complete()
        #expect(completions.value == (round % 2 == 0 ? 8 : 0))
        #expect(foreign.value == 0)
        #expect(outer.violations == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }
  }
}

/// One run of take(untilReplacement:), in which threads 0, 1 and 2 play a part.
private final class ReplacementRun: Sendable {
  struct Broken: Error {}
  let (source, replacement) = (Subject<Int, Broken>(), Subject<Int, Broken>())
  let (sent, late, terminals) = (Counter(), Counter(), Counter())
  let grammar: Grammar<Int, Broken>
  let subscription: Subscription

  init() {
    let isReplaced = Box(false)
    grammar = Grammar(
      next: { [late] value in
        if value < 0 { isReplaced.value = true } else if isReplaced.value { late.add() }
      },
      terminated: { [late, terminals] completion in
        if case .failed = completion, isReplaced.value { late.add() }
        terminals.add()
      })
    subscription = grammar.subscribe(to: source.take(untilReplacement: replacement))
  }

  func play(_ index: Int, _ number: Int) {
    switch index {
    case 0:
      while terminals.value == 0 {
        source.send(1)
        sent.add()
      }
    case 1:
      while sent.value < 10, terminals.value == 0 { weir_yield() }
      for value in 1...5 { replacement.send(-value) }
      replacement.complete()
    default:
      // The terminal event of the source meets the replacement, and must not count once that has begun.
      while sent.value < 10 + number, terminals.value == 0 { weir_yield() }
      if number % 4 == 0 { source.complete() }
      if number % 4 == 1 { source.fail(Broken()) }
    }
  }
}

/// State that serial delivery protects.
private final class Box<Value>: @unchecked Sendable {  // touched by one delivery at a time
  var value: Value
  init(_ value: Value) { self.value = value }
}
