// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// What one subscriber of a replay subject saw, in order.
private final class Account: @unchecked Sendable {  // written in serial delivery only
  var numbers: [Int] = []
  var isEnded = false
}

/// A value with a reference, so that reading one that was destroyed shows.
private final class Item: Sendable {
  let number: Int
  let resource: Resources.Resource
  init(_ number: Int, _ resource: Resources.Resource) {
    self.number = number
    self.resource = resource
  }
}

extension Stress {
  @Suite struct ReplayStress {
    init() { perturb() }

    @Test("J9 AC51: two later replays of 49,317 concurrent sends have the order of the live delivery")
    func oneOrder() {
      let subject = ReplaySubject<Int, Never>(capacity: .unbounded)
      let live = Account()
      subject.signal.subscribe { live.numbers.append($0) }
      let next = Counter()
      withThreads(4) { _ in
        while true {
          let number = next.add()
          if number >= 49_317 { return }
          subject.send(number)
        }
      }
      subject.complete()
      #expect(live.numbers.count == 49_317)
      #expect(live.numbers.sorted().elementsEqual(0..<49_317))
      for _ in 0..<2 {
        let replay = Account()
        subject.signal.subscribe(next: { replay.numbers.append($0) }, completed: { replay.isEnded = true })
        #expect(replay.numbers == live.numbers)
        #expect(replay.isEnded)
      }
    }

    @Test(
      "J9: under concurrent sends, disposals and completion, each late subscriber sees a contiguous run in order",
      arguments: [1, 2, 16, 300, Int.max])
    func everything(capacity: Int) {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(8) { round(capacity) }
      expectBlocks(notAbove: blocksBefore)
    }

    private func round(_ capacity: Int) {
      let (senders, events) = (2, 800)
      let resources = Resources()
      let witness = Account()
      let late = (0..<2).map { _ in (0..<60).map { _ in Account() } }
      do {
        let subject = ReplaySubject<Item, Never>(capacity: .last(capacity))
        subject.signal.subscribe { witness.numbers.append($0.number) }
        withThreads(senders + 2) { index in
          if index < senders {
            for number in 0..<events {
              subject.send(Item(index << 32 | number, resources.make()))
              if number % 32 == 0 { weir_yield() }
            }
            if index == 0 { subject.complete() }
          } else {
            subscribe(late[index - senders], to: subject)
          }
        }
        let kept = Account()
        subject.signal.subscribe(next: { kept.numbers.append($0.number) }, completed: { kept.isEnded = true })
        #expect(kept.numbers == witness.numbers.suffix(capacity))
        #expect(kept.isEnded)
        #expect(resources.alive == min(capacity, witness.numbers.count))
      }
      #expect(resources.alive == 0)
      var place: [Int: Int] = [:]
      for (index, number) in witness.numbers.enumerated() { place[number] = index }
      for account in late.joined() {
        guard let first = account.numbers.first.flatMap({ place[$0] }) else {
          #expect(account.numbers.isEmpty)
          continue
        }
        #expect(account.numbers.elementsEqual(witness.numbers[first...].prefix(account.numbers.count)))
        if account.isEnded { #expect(account.numbers.last == witness.numbers.last) }
      }
    }

    /// Subscribes again and again; of every three one disposes itself in the middle, one is disposed from
    /// here, one stays.
    private func subscribe(_ accounts: [Account], to subject: ReplaySubject<Item, Never>) {
      for (round, account) in accounts.enumerated() {
        let slot = SerialDisposable()
        let grammar = Grammar<Item, Never>(
          next: { item in
            account.numbers.append(item.number)
            if round % 3 == 0, account.numbers.count == 20 { slot.dispose() }
            if account.numbers.count % 10 == 0 { weir_yield() }
          }, terminated: { _ in account.isEnded = true })
        let subscription = grammar.subscribe(to: subject.signal)
        slot.swap(subscription)
        if round % 3 == 1 { grammar.dispose(subscription) }
        #expect(grammar.violations == 0)
      }
    }

    @Test(
      "AC54: a subscriber added concurrently with completion receives the whole history and the completion")
    func endAgainstSubscribe() {
      for _ in 0..<roundCount(300) {
        let subject = ReplaySubject<Int, Never>(capacity: 4)
        for value in 0..<4 { subject.send(value) }
        let accounts = (0..<20).map { _ in Account() }
        withThreads(3) { index in
          if index == 0 { return subject.complete() }
          for account in accounts[(10 * index - 10)..<(10 * index)] {
            subject.signal.subscribe(
              next: { account.numbers.append($0) }, completed: { account.isEnded = true })
          }
        }
        for account in accounts {
          #expect(account.numbers == [0, 1, 2, 3])
          #expect(account.isEnded)
        }
      }
    }
  }

  @Suite struct CurrentValueStress {
    init() { perturb() }

    /// Words that belong together: a torn read shows.
    private struct Triple: Sendable {
      var count = 0
      var double = 0
      var text = "0"
      mutating func increment() {
        count += 1
        double = 2 * count
        text = String(count)
      }
      var isWhole: Bool { double == 2 * count && text == String(count) }
    }

    @Test(
      "modify loses no update, reads are whole, and each subscriber receives every value from its first one on"
    )
    func everything() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(5) { round() }
      expectBlocks(notAbove: blocksBefore)
    }

    private func round() {
      let changes = 500
      let current = CurrentValue<Triple, Never>(Triple())
      let torn = Counter()
      let gaps = Counter()
      withThreads(4) { index in
        switch index {
        case 0, 1: for _ in 0..<changes { current.modify { $0.increment() } }
        case 2:
          var last = 0
          for _ in 0..<changes {
            let value = current.value
            if !value.isWhole || value.count < last { torn.add() }
            last = value.count
          }
        default:
          for _ in 0..<(changes / 10) {
            let (account, received) = (Account(), Counter())
            let grammar = Grammar<Triple, Never>(next: { value in
              received.add()
              if let last = account.numbers.last, value.count != last + 1 { gaps.add() }
              account.numbers.append(value.count)
              if !value.isWhole { torn.add() }
            })
            let subscription = grammar.subscribe(to: current.signal)
            weir_yield()
            grammar.dispose(subscription)
            #expect(received.value > 0)
            #expect(grammar.violations == 0)
          }
        }
      }
      #expect(current.value.count == 2 * changes)
      #expect(torn.value == 0)
      #expect(gaps.value == 0)
    }
  }
}
