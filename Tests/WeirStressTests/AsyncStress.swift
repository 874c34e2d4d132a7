// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  /// Tasks that read values while threads send, complete and cancel.
  @Suite struct AsyncStress {
    init() { perturb() }

    private typealias Value = (number: Int, token: Resources.Resource)

    /// What a task received.
    private final class Reading: @unchecked Sendable {  // written by one task, and read when that is over
      var numbers: [Int] = []
      var end = "none"
      let isOver = Counter()

      func read(_ values: AsyncValues<Value, HopFailure>, breakingAfter limit: Int = .max) -> Task<
        Void, Never
      > {
        let iterator = Handed(values.makeAsyncIterator())
        return Task.detached { [self] in
          do throws(HopFailure) {
            while numbers.count < limit, let value = try await iterator.next() {
              numbers.append(value.number)
            }
            end = "end"
          } catch {
            end = "failure"
          }
          iterator.leave()
          isOver.add()
        }
      }

      func readChunks(_ values: AsyncValues<Value, HopFailure>) -> Task<Void, Never> {
        Task.detached { [self] in
          do throws(HopFailure) {
            for try await chunk in values.chunks { numbers += chunk.map(\.number) }
            end = "end"
          } catch {
            end = "failure"
          }
          isOver.add()
        }
      }

      func wait() { while isOver.value == 0 { weir_yield() } }
    }

    /// An iterator that is used by another task than the one that made it.
    private final class Handed: @unchecked Sendable {  // handed over once
      private var iterator: AsyncValues<Value, HopFailure>.Iterator?
      init(_ iterator: AsyncValues<Value, HopFailure>.Iterator) { self.iterator = iterator }
      func next() async throws(HopFailure) -> Value? { try await iterator?.next(isolation: nil) }
      func leave() { iterator = nil }
    }

    @Test(
      "a task that reads values() receives each value of two concurrent senders once, in each sender's order",
      arguments: [1, 7, 1_000])
    func values(burst: Int) {
      let blocksBefore = blocksAlive()
      let count = HopStress.count / 10
      for _ in 0..<scale {
        let (resources, reading) = (Resources(), Reading())
        let subject = Subject<Value, HopFailure>()
        _ = reading.read(subject.values(waiting: .unbounded))
        withThreads(2) { index in
          for number in 0..<count {
            subject.send((2 * number + index, resources.make()))
            if number % burst == 0 { for _ in 0..<number % 40 { weir_pause() } }
          }
        }
        subject.complete()
        reading.wait()
        for index in 0..<2 {
          let isComplete = reading.numbers.filter { $0 % 2 == index }.elementsEqual(
            (0..<count).lazy.map { 2 * $0 + index })
          #expect(isComplete)
        }
        #expect(reading.end == "end" && resources.alive == 0)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("a task that reads values().chunks receives each value once and in order, then the failure")
    func chunks() {
      let blocksBefore = blocksAlive()
      for _ in 0..<scale {
        let (resources, reading) = (Resources(), Reading())
        let (subject, begun) = (Subject<Value, HopFailure>(), Counter())
        _ = reading.readChunks(
          subject.signal.on(subscribed: { begun.add() }).values(waiting: .unbounded))
        let token = resources.make()
        // The subscriber is attached a moment after it says so, and may miss the first values.
        while begun.value == 0 { weir_yield() }
        for number in 0..<HopStress.count { subject.send((number, token)) }
        subject.fail(HopFailure())
        reading.wait()
        let first = reading.numbers.first ?? HopStress.count
        let isComplete = reading.numbers.elementsEqual(first..<HopStress.count)
        #expect(isComplete && reading.end == "failure")
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("a task that is suspended and resumed again and again receives every value")
    func oneAtATime() {
      for _ in 0..<scale {
        let (reading, resources) = (Reading(), Resources())
        let subject = Subject<Value, HopFailure>()
        let iterator = Handed(subject.values().makeAsyncIterator())
        let (received, isOver) = (Counter(), Counter())
        Task.detached {
          while case .some(.some) = try? await iterator.next() { received.add() }
          iterator.leave()
          isOver.add()
        }
        for number in 0..<roundCount(20_000) {
          subject.send((number, resources.make()))
          if number % 3 == 0 { while received.value <= number { weir_yield() } }
        }
        subject.complete()
        while isOver.value == 0 { weir_yield() }
        #expect(resources.alive == 0 && received.value == roundCount(20_000))
        _ = reading
      }
    }

    enum Waiting: CaseIterable {
      case unbounded, dropping, failing

      var backlog: Backlog<HopFailure> {
        switch self {
        case .unbounded: .unbounded
        case .dropping: .bounded(2, onOverflow: .dropOldest)
        case .failing: .bounded(5, onOverflow: .fail(HopFailure()))
        }
      }
    }

    /// Whether a task received, of what was sent, what may have been there until it was cancelled or left; or
    /// else, to the end.
    private func isWhole(_ reading: Reading, of sent: [Int], _ waiting: Waiting, toTheEnd: Bool) -> Bool {
      let numbers = reading.numbers
      switch waiting {
      case .unbounded: return toTheEnd ? numbers == sent : sent.starts(with: numbers)
      case .dropping:
        // Of the values that are sent last, so many are never dropped.
        if toTheEnd, numbers.suffix(2) != sent.suffix(2) { return false }
        return zip(numbers, numbers.dropFirst()).allSatisfy(<) && numbers.allSatisfy(sent.contains)
      case .failing:
        return toTheEnd && reading.end != "failure" ? numbers == sent : sent.starts(with: numbers)
      }
    }

    @Test(
      "cancelling, leaving the loop or completing during sends loses only what is dropped, and releases all",
      arguments: Waiting.allCases)
    func endings(waiting: Waiting) {
      let blocksBefore = blocksAlive()
      let resources = Resources()
      for round in 0..<roundCount(1_000) {
        let (reading, subject) = (Reading(), Subject<Value, HopFailure>())
        // Some leave, some are cancelled, and some read on to the end.
        let limit = round % 8 == 4 ? round % 17 : .max
        let task = reading.read(subject.values(waiting: waiting.backlog), breakingAfter: limit)
        withThreads(2) { index in
          if index == 0 {
            for number in 0..<round % 100 { subject.send((number, resources.make())) }
            if round % 3 == 0 { subject.complete() }
            for number in 100..<110 { subject.send((number, resources.make())) }
          } else {
            for _ in 0..<(round % 50) * 20 { weir_pause() }
            if round % 4 != 0 { task.cancel() }
          }
        }
        if round % 4 == 0 { subject.complete() }
        reading.wait()
        let sent = Array(0..<round % 100) + (round % 3 == 0 ? [] : Array(100..<110))
        let isReadToTheEnd = round % 4 == 0 && reading.numbers.count < limit
        #expect(isWhole(reading, of: sent, waiting, toTheEnd: isReadToTheEnd))
        while resources.alive > 0 { weir_yield() }
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "allValues() cancelled during sends and completion returns values without gaps and releases everything"
    )
    func folded() {
      let blocksBefore = blocksAlive()
      let resources = Resources()
      for round in 0..<roundCount(1_000) {
        let (subject, begun, isOver) = (Subject<Value, HopFailure>(), Counter(), Counter())
        let isGapless = Counter()
        let task = Task.detached {
          let values = try? await subject.signal.on(subscribed: { begun.add() }).allValues()
          if let numbers = values?.map(\.number),
            zip(numbers, numbers.dropFirst()).allSatisfy({ $0 + 1 == $1 }),
            round % 2 == 0 || numbers.isEmpty || numbers.last == round % 40 - 1
          {
            isGapless.add()
          }
          isOver.add()
        }
        while begun.value == 0 { weir_yield() }
        // In every second round all values come before the completion, and nothing is cancelled.
        withThreads(3) { index in
          switch index {
          case 0:
            for number in 0..<round % 40 { subject.send((number, resources.make())) }
            if round % 2 == 1 { subject.complete() }
          case 1:
            for _ in 0..<(round % 20) * 20 { weir_pause() }
            if round % 2 == 0 { task.cancel() }
          default:
            for _ in 0..<(round % 30) * 20 { weir_pause() }
            if round % 2 == 0 { subject.complete() }
          }
        }
        while isOver.value == 0 { weir_yield() }
        #expect(isGapless.value == 1)
        while resources.alive > 0 { weir_yield() }
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("disposal concurrent with the start of Signal.task tasks ends them and releases everything")
    func tasks() {
      let (resources, running) = (Resources(), Counter())
      for round in 0..<roundCount(1_000) {
        let subscription = Signal<Int, Never>.range(0..<8).flatMap(.merge(limit: 3)) { number in
          Signal<Int, Never>.task { [token = resources.make()] in
            running.add()
            await Task.yield()
            running.add(-1)
            return withExtendedLifetime(token) { number }
          }
        }.subscribe { [token = resources.make()] _ in withExtendedLifetime(token) {} }
        for _ in 0..<(round % 100) * 10 { weir_pause() }
        subscription.dispose()
      }
      while resources.alive > 0 || running.value > 0 { weir_yield() }
    }
  }
}
