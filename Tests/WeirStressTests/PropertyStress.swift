// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// Words that always agree: if they do not, a read was torn. One has a reference, so that a premature release
/// shows.
private struct Triple: Sendable {
  let first: Int
  let text: String
  let last: Int

  init(_ number: Int) {
    first = number
    text = "a number that needs an allocation: \(number)"
    last = ~number
  }

  var isWhole: Bool { last == ~first && text.hasSuffix(" \(first)") }
}

/// What one observer saw of the values `writer << 32 | number`.
private final class Witness: @unchecked Sendable {  // written in serial delivery only
  var newest = -1
  var isInOrder = true
  private var last: [Int: Int] = [:]

  func see(_ value: Int) {
    let (writer, number) = (value >> 32, value & 0xFFFF_FFFF)
    // Each value is set once: seeing it again, or an earlier one of that writer, is a fault.
    if number <= last[writer, default: -1] { isInOrder = false }
    last[writer] = number
    newest = value
  }
}

extension Stress {
  @Suite struct PropertyStress {
    init() { perturb() }

    @Test("a thread that reads a CurrentValue delivers nothing that another thread sends")
    func readers() {
      let subject = CurrentValue<String, Never>("a text that is long enough for the heap")
      let (foreign, isSent) = (Counter(), Counter())
      withThreads(2) { thread in
        if thread == 0 {
          let sender = weir_thread()
          subject.signal.subscribe { _ in if weir_thread() != sender { foreign.add() } }
          for number in 0..<roundCount(50_000) {
            subject.send("a text that is long enough for the heap: \(number)")
          }
          isSent.add()
        } else {
          while isSent.value == 0 { _ = subject.value }
        }
      }
      #expect(foreign.value == 0)
    }

    @Test("a terminal with a blocked subscriber holds one pending change, however often the property is set")
    func busyTerminal() {
      let property = MutableProperty(0)
      // So that the terminal is notified of a change by others while nobody delivers for the property.
      let answering = property.signal.subscribe { if $0 == 1 { property.value = 2 } }
      let terminal = property.makeTerminal()
      let (isBusy, goOn) = (Latch(), Latch())
      terminal.subscribe { value in
        if value != 2 { return }
        isBusy.open()
        goOn.wait()
      }
      withThreads(2) { thread in
        if thread == 0 { return terminal.send(1) }
        isBusy.wait()
        let before = blocksAlive()
        for number in 0..<100_000 { property.value = 10 + number }
        #expect(blocksAlive() <= before + 2)
        goOn.open()
      }
      #expect(property.value == 10 + 99_999)
      // It retains the property.
      answering.dispose()
    }

    @Test(
      "P5 AC69: observers come and go during sets: each receives a value at once, none twice, and is released"
    )
    func reobserving() {
      let blocksBefore = blocksAlive()
      let resources = Resources()
      reobserve(MutableProperty(0), resources, value: { $0 }, number: { $0 })
      reobserve(MutableProperty(Triple(0)), resources, value: { Triple($0) }, number: \.first)
      #expect(resources.alive == 0)
      expectBlocks(notAbove: blocksBefore)
    }

    private func reobserve<Value>(
      _ property: MutableProperty<Value>, _ resources: Resources, value: @escaping @Sendable (Int) -> Value,
      number: @escaping @Sendable (Value) -> Int
    ) {
      let (silent, disordered, violations) = (Counter(), Counter(), Counter())
      let rounds = roundCount(2_500)
      withThreads(4) { index in
        for round in 1...rounds {
          if index < 2 {
            property.value = value(index << 32 | round)
            continue
          }
          let (seen, newest) = (Counter(), [Counter(), Counter()])
          let grammar = Grammar<Value, Never>(next: { [token = resources.make()] value in
            _ = token
            seen.add()
            let (writer, number) = (number(value) >> 32, number(value) & 0xFFFF_FFFF)
            // Each writer counts up from 1: its values come in that order, each once.
            if number != 0, number <= newest[writer].value { disordered.add() }
            newest[writer].add(number - newest[writer].value)
          })
          let subscription = grammar.subscribe(to: property.signal)
          if seen.value == 0 { silent.add() }
          if round % 7 == 0 { weir_yield() }
          grammar.dispose(subscription)
          violations.add(grammar.violations)
        }
      }
      #expect(silent.value == 0)
      #expect(disordered.value == 0)
      #expect(violations.value == 0)
    }

    @Test(
      "observers added during concurrent sets receive no value twice or after a later one, and always the last"
    )
    func order() {
      for _ in 0..<roundCount(20) { orderRound() }
    }

    private func orderRound() {
      let property = MutableProperty(9 << 32)
      let (writers, sets, observers) = (2, 500, 8)
      let witnesses = (0..<observers).map { _ in Witness() }
      let grammars = witnesses.map { witness in Grammar<Int, Never>(next: { witness.see($0) }) }
      // One more sets the property inside its callback.
      property.signal.subscribe { [unowned property] value in
        if value >> 32 == 0, value % 10 == 0 { property.value = 5 << 32 | value }
      }
      withThreads(writers + 1) { index in
        if index < writers {
          for number in 0..<sets { property.value = index << 32 | number }
        } else {
          for grammar in grammars {
            grammar.subscribe(to: property.signal)
            weir_yield()
          }
        }
      }
      for (witness, grammar) in zip(witnesses, grammars) {
        #expect(witness.isInOrder)
        #expect(witness.newest == property.value)
        #expect(grammar.violations == 0)
      }
    }

    @Test("a first observer added during sets receives the last value, and no value twice or out of order")
    func firstObserver() {
      let faults = Counter()
      for _ in 0..<roundCount(1500) {
        let property = MutableProperty(0)
        let seen = Witness()
        withThreads(2) { index in
          if index == 0 {
            property.signal.subscribe { seen.see($0) }
          } else {
            property.value = 1
            property.value = 2
          }
        }
        if seen.newest != 2 || !seen.isInOrder { faults.add() }
      }
      #expect(faults.value == 0)
    }

    @Test("concurrent modify loses no update, and an observer sees the count grow up to its last value")
    func counting() {
      let property = MutableProperty(0)
      let large = MutableProperty((0, "", 0))
      let last = Counter()
      let backwards = Counter()
      property.signal.subscribe { value in
        if value <= last.value, value != 0 { backwards.add() }
        last.add(value - last.value)
      }
      let rounds = roundCount(5_000)
      withThreads(3) { _ in
        for _ in 0..<rounds {
          property.modify { $0 += 1 }
          large.modify {
            $0.0 += 1
            $0.2 -= 1
          }
        }
      }
      #expect(property.value == 3 * rounds)
      #expect(large.value == (3 * rounds, "", -3 * rounds))
      #expect(last.value == 3 * rounds)
      #expect(backwards.value == 0)
    }

    @Test("concurrent swaps return each replaced value once")
    func swapping() {
      let property = MutableProperty(0)
      let large = MutableProperty([0])
      let sums = (Counter(), Counter())
      let rounds = roundCount(5_000)
      withThreads(3) { _ in
        for number in 1...rounds {
          sums.0.add(property.swap(number))
          sums.1.add(large.swap([number])[0])
        }
      }
      let expected = 3 * rounds * (rounds + 1) / 2
      #expect(sums.0.value + property.value == expected)
      #expect(sums.1.value + large.value[0] == expected)
    }

    @Test("readers see whole values, their own writes, and no value older than one they have seen")
    func reading() {
      let blocksBefore = blocksAlive()
      let faults = Counter()
      let rounds = roundCount(4_000)
      do {
        let property = MutableProperty(Triple(0))
        let number = MutableProperty(0)
        property.signal.subscribe { if !$0.isWhole { faults.add() } }
        withThreads(4) { index in
          var seen = 0
          for round in 1...rounds {
            if index == 0 {
              property.value = Triple(round)
              number.value = round
              if property.value.first != round || number.value != round { faults.add() }
            } else {
              let count = number.value
              let triple = property.value
              if !triple.isWhole || triple.first < count || count < seen { faults.add() }
              seen = count
            }
          }
        }
      }
      #expect(faults.value == 0)
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "P4: subscribers added while a property is deallocated each receive a completion and are released"
    )
    func releasing() {
      let blocksBefore = blocksAlive()
      let resources = Resources()
      for _ in 0..<roundCount(300) {
        let terminals = Counter()
        let violations = Counter()
        let holder = Holder(MutableProperty<Resources.Resource?>(resources.make()))
        guard let signal = holder.property?.signal else { return }
        withThreads(3) { index in
          if index == 0 {
            holder.property?.value = nil
            holder.property = nil
            return
          }
          for _ in 0..<10 {
            let grammar = Grammar<Resources.Resource?, Never>(
              next: { [token = resources.make()] _ in _ = token }, terminated: { _ in terminals.add() })
            grammar.subscribe(to: signal)
            violations.add(grammar.violations)
          }
        }
        #expect(terminals.value == 20)
        #expect(violations.value == 0)
      }
      #expect(resources.alive == 0)
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "while an observer blocks, another thread sets and reads the property, and only one change is pending"
    )
    func blocked() {
      let property = MutableProperty(0)
      let (entered, gate) = (Counter(), Counter())
      let seen = Witness()
      property.signal.skip(first: 1).subscribe { value in
        seen.see(value)
        entered.add()
        while gate.value == 0 { weir_yield() }
      }
      let last = roundCount(20_000)
      withThreads(2) { index in
        if index == 0 { return property.value = 1 }
        while entered.value == 0 { weir_yield() }
        let blocksBefore = blocksAlive()
        for value in 2...last {
          property.value = value
          #expect(property.value == value)
        }
        #expect(weir_blocks_alive() - blocksBefore <= 4)
        gate.add()
      }
      #expect(entered.value == 2)
      #expect(seen.newest == last)
    }
  }
}

/// A reference that one thread drops while others use what it made of it before.
private final class Holder: @unchecked Sendable {  // used by one thread
  var property: MutableProperty<Resources.Resource?>?
  init(_ property: MutableProperty<Resources.Resource?>) { self.property = property }
}
