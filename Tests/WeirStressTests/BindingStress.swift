// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  @Suite struct BindingStress {
    init() {
      perturb()
      // In debug builds there is a table of bindings, made with the first one.
      MutableProperty(0) <~ Signal<Int, Never>.empty()
    }

    /// Sets properties from several threads, and expects them all to be equal afterwards.
    private func settle<Value: Sendable & Equatable>(
      _ properties: [MutableProperty<Value>], setting: [Int], to value: @escaping @Sendable (Int) -> Value
    ) {
      withThreads(setting.count) { index in
        for number in 0..<60 { properties[setting[index]].value = value(number * 10 + index) }
      }
      #expect(properties.dropFirst().allSatisfy { $0.value == properties[0].value })
    }

    @Test("M6: a number and a text that are bound by conversions and set by two threads end up equal")
    func conversions() {
      for _ in 0..<roundCount(100) {
        let (number, text) = (MutableProperty(0), MutableProperty("1"))
        number.bindBothWays(with: text, mapping: { String($0) }, back: { Int($0) })
        withThreads(2) { index in
          for value in 0..<60 {
            if index == 0 { number.value = value } else { text.value = String(1_000 + value) }
          }
        }
        #expect(String(number.value) == text.value)
      }
    }

    @Test("M6: three properties bound in a chain and set by three threads end up equal")
    func chain() {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(100) {
        let properties = (0..<3).map { MutableProperty($0) }
        properties[0] <-> properties[1]
        properties[1] <-> properties[2]
        let grammar = Grammar<Int, Never>()
        grammar.subscribe(to: properties[round % 3].signal)
        settle(properties, setting: [0, 2, 1], to: { $0 })
        #expect(grammar.violations == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("M6: five properties of strings, bound both ways as a tree and set by three threads, end up equal")
    func star() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(50) {
        let properties = (0..<5).map { MutableProperty(String($0)) }
        let bindings = [
          properties[1] <-> properties[0], properties[2] <-> properties[0], properties[0] <-> properties[3],
          properties[3] <-> properties[4],
        ]
        settle(properties, setting: [1, 2, 4], to: { "a value that is longer than a word: \($0)" })
        for binding in bindings { binding.dispose() }
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "M5 M6: a two-way binding ends by disposal, or with one of its properties, while both are being set")
    func ending() {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(100) {
        let left = MutableProperty(0)
        let right = Handed(MutableProperty(1))
        let binding = right.value.map { left <-> $0 }
        let isDisposed = round % 2 == 0
        withThreads(3) { index in
          switch index {
          case 0: for number in 1...100 { left.value = number }
          case 1:
            // The last reference: the property is deallocated when this thread is through.
            let property = right.take()
            for number in 1...100 { property?.value = number }
            if isDisposed { return right.value = property }
          default:
            while isDisposed, left.value < 20 { weir_yield() }
            if isDisposed { binding?.dispose() }
          }
        }
        #expect(binding?.isDisposed == true)
        left.value = -1
        #expect(right.value?.value != -1)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "P2 P7: when a lifetime ends while threads bind to its owner and send, every binding ends exactly once")
    func lifetime() {
      final class Owner: HasLifetime, @unchecked Sendable {  // `count` is set in one subject's turn
        let lifetime = Lifetime()
        var count = 0
      }
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(100) {
        let (owner, numbers) = (Owner(), Subject<Int, Never>())
        let (completions, disposals) = (Counter(), Counter())
        withThreads(4) { index in
          switch index {
          case 0:
            for number in 0..<50 { numbers.send(number) }
          case 1:
            owner.lifetime.end()
          default:
            for _ in 0..<20 {
              _ = owner.lifetime.ended.subscribe(completed: { completions.add() })
              owner.lifetime.add(ActionDisposable { disposals.add() })
              // One binding at a time: they are of one property.
              if index == 2 {
                numbers.bind(to: owner, \.count).dispose()
              } else {
                _ = numbers.take(during: owner.lifetime).subscribe(completed: { completions.add() })
              }
            }
          }
        }
        #expect(completions.value == 60 && disposals.value == 40)
        #expect(numbers.bind(to: owner, \.count).isDisposed)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "M2 M3 AC65: concurrent sends on both terminals of a channel are not echoed, and both get one terminal event"
    )
    func channel() {
      // A failure that comes second is reported as unhandled, and the first report allocates the table of
      // sites.
      UnhandledErrors.report(Broken())
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(100) {
        let channel = TwoWayChannel<Int, Broken>()
        let ends = [Ends(), Ends()]
        let echoes = Counter()
        let grammars = [channel.leading, channel.following].enumerated().map { side, terminal in
          let grammar = Grammar<Int, Broken>(
            next: { value in if value % 2 == side { echoes.add() } },
            terminated: { completion in ends[side].note(completion) })
          grammar.subscribe(to: terminal)
          return grammar
        }
        withThreads(4) { index in
          // The leading terminal sends even numbers.
          let terminal = index % 2 == 0 ? channel.leading : channel.following
          for number in 0..<50 {
            terminal.send(number * 2 + index % 2)
            if index < 2, number == 25 + round % 20 {
              index == 0 ? terminal.complete() : terminal.fail(Broken())
            }
          }
        }
        #expect(echoes.value == 0 && grammars.allSatisfy { $0.violations == 0 })
        #expect(ends[0].completed.value + ends[0].failed.value == 1)
        #expect(ends[0].completed.value == ends[1].completed.value)
        #expect(ends[0].failed.value == ends[1].failed.value)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "M5: a property's terminal never echoes its own values and delivers last the last value that others set"
    )
    func terminal() {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(100) {
        let property = MutableProperty(0)
        let terminal = property.makeTerminal()
        let (echoes, last) = (Counter(), Counter())
        // Negative numbers are sent through the terminal.
        let grammar = Grammar<Int, Never>(next: { value in
          if value < 0 { echoes.add() }
          last.add(value - last.value)
        })
        grammar.subscribe(to: terminal)
        withThreads(3) { index in
          for number in 1...100 {
            switch index {
            case 0: terminal.send(-number)
            case 1: property.value = number
            default: if round % 2 == 0 { property.modify { $0 = abs($0) + 1 } }
            }
          }
        }
        if property.value >= 0 { #expect(last.value == property.value) }
        #expect(echoes.value == 0 && grammar.violations == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }
  }
}

private struct Broken: Error {}

/// Counts how something ended.
private final class Ends: Sendable {
  let (completed, failed) = (Counter(), Counter())
  func note(_ completion: Completion<Broken>) {
    if case .completed = completion { completed.add() } else { failed.add() }
  }
}

/// Hands something to one thread.
private final class Handed<Value>: @unchecked Sendable {  // used by that thread until it is joined
  var value: Value?
  init(_ value: Value) { self.value = value }
  func take() -> Value? {
    defer { value = nil }
    return value
  }
}
