// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  /// One signal after another, or until another, with all of them on threads of their own.
  @Suite struct SequenceStress {
    init() { perturb() }

    private struct Broken: Error {}

    @Test(
      "C14: sample driven by five threads is serial, keeps each sender's order and completes once")
    func sample() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(50) {
        let (source, sampler) = (Subject<Int, Never>(), Subject<Int, Never>())
        let (ticks, backwards, terminals) = (Counter(), Counter(), Counter())
        let last = [Counter(), Counter()]
        let grammar = Grammar<Int, Never>(
          next: { value in
            // A faster sampler repeats the newest value.
            let (sender, number) = (value % 2, value / 2)
            if number < last[sender].value { backwards.add() }
            last[sender].add(number - last[sender].value)
          }, terminated: { _ in terminals.add() })
        let subscription = grammar.subscribe(to: source.sample(on: sampler))
        withThreads(5) { index in
          switch index {
          case 0, 1: for number in 0..<200 { source.send(2 * number + index) }
          case 2, 3:
            for _ in 0..<200 {
              sampler.send(0)
              ticks.add()
            }
          default:
            while ticks.value < 200 { weir_yield() }
            sampler.complete()
          }
        }
        #expect(backwards.value == 0)
        #expect(terminals.value == 1)
        #expect(grammar.violations == 0)
        #expect(subscription.isDisposed)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "D1: take(until:) with concurrent senders and triggers completes once, delivers nothing more and releases all"
    )
    func takeUntil() {
      let blocksBefore = blocksAlive()
      let resources = Resources()
      for _ in 0..<roundCount(100) {
        let (source, trigger) = (Subject<Int, Broken>(), Subject<Int, Never>())
        let (values, completions) = (Counter(), Counter())
        let grammar = Grammar<Int, Broken>(
          next: { _ in values.add() },
          terminated: { if case .completed = $0 { completions.add() } })
        let watched = source.doNext { [token = resources.make()] _ in _ = token }
        let subscription = grammar.subscribe(to: watched.take(until: trigger))
        withThreads(4) { index in
          if index < 2 { return (0..<200).forEach { source.send($0) } }
          while values.value < 20 { weir_yield() }
          if index == 2 { trigger.send(0) } else { trigger.complete() }
        }
        #expect(completions.value == 1)
        #expect(grammar.violations == 0)
        #expect(subscription.isDisposed)
        let after = values.value
        source.send(0)
        #expect(values.value == after)
      }
      #expect(resources.alive == 0)
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "D8: concat and catch of sources on three threads deliver each source in its turn and one terminal event",
      arguments: [false, true])
    func handOver(failing: Bool) {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(100) {
        let sources = (0..<3).map { _ in Subject<Int, Broken>() }
        let (stage, late, terminals) = (Counter(), Counter(), Counter())
        let grammar = Grammar<Int, Broken>(
          next: { value in
            if value < stage.value { late.add() }
            stage.add(value - stage.value)
          }, terminated: { _ in terminals.add() })
        let whole =
          failing
          ? sources[0].catch { _ in sources[1].catch { _ in sources[2].signal } }
          : sources[0].concat(sources[1].concat(sources[2]))
        let subscription = grammar.subscribe(to: whole)
        withThreads(3) { index in
          for _ in 0..<50 { sources[index].send(index) }
          if failing, index < 2 { sources[index].fail(Broken()) } else { sources[index].complete() }
        }
        #expect(late.value == 0)
        #expect(terminals.value == 1)
        #expect(grammar.violations == 0)
        #expect(subscription.isDisposed)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "then and switchIfEmpty completed and disposed concurrently deliver at most one terminal event and release all"
    )
    func handOverDisposed() {
      let blocksBefore = blocksAlive()
      let resources = Resources()
      for _ in 0..<roundCount(100) {
        let sources = (0..<3).map { _ in Subject<Int, Never>() }
        let terminals = Counter()
        let grammar = Grammar<Int, Never>(terminated: { _ in terminals.add() })
        let whole = sources[0].then { [token = resources.make()] in
          _ = token
          return sources[1].switchIfEmpty(sources[2])
        }
        let subscription = grammar.subscribe(to: whole)
        withThreads(4) { index in
          if index == 3 { return grammar.dispose(subscription) }
          if index != 1 { for value in 0..<20 { sources[index].send(value) } }
          sources[index].complete()
        }
        #expect(terminals.value <= 1)
        #expect(grammar.violations == 0)
        #expect(subscription.isDisposed)
      }
      #expect(resources.alive == 0)
      expectBlocks(notAbove: blocksBefore)
    }
  }
}
