// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import Weir
import WeirTesting

/// What happens to values that no task has requested yet.
struct AsyncValuesBacklogTests {
  private let stage = TaskStage()

  private func events(_ backlog: Backlog<Oops>, sending count: Int) -> [Event<Int, Oops>] {
    let subject = Subject<Int, Oops>()
    let iteration = Iteration(subject.values(waiting: backlog))
    for value in 0..<count { subject.send(value) }
    subject.complete()
    stage.start { await iteration.finish() }
    return iteration.events
  }

  @Test(
    "contract 6: no more values than the bound are buffered: the newest or the oldest are dropped",
    arguments: [1, 2, 7, 65])
  func dropping(bound: Int) {
    let drops = DropCounter()
    let newest = events(
      .bounded(bound, onOverflow: .dropNewest, countingIn: drops), sending: bound + 5)
    #expect(newest == (0..<bound).map { .next($0) } + [.completed])
    let oldest = events(
      .bounded(bound, onOverflow: .dropOldest, countingIn: drops), sending: bound + 5)
    #expect(oldest == (5..<bound + 5).map { .next($0) } + [.completed])
    #expect(drops.count == 10)
  }

  @Test(
    "contract 6: an overflow fails the iteration, drops the buffered values and disposes the source",
    arguments: [1, 2, 7, 65])
  func failing(bound: Int) {
    let (resources, subject) = (Resources(), Subject<Payload, Oops>())
    let isDisposed = Counter()
    let iteration = Iteration(
      subject.signal.on(disposed: { isDisposed.add() }).values(
        waiting: .bounded(bound, onOverflow: .fail(Oops(code: 6)))))
    for _ in 0..<bound { subject.send(resources.make()) }
    #expect(isDisposed.value == 0 && resources.alive == bound)
    subject.send(resources.make())
    #expect(isDisposed.value == 1 && resources.alive == bound)
    subject.send(resources.make())
    subject.complete()
    stage.start { for _ in 0..<2 { await iteration.next() } }
    #expect(
      iteration.events.map(\.completion) == [.failed(Oops(code: 6)), .completed] && resources.alive == 0)
  }

  @Test("a failing overflow also drops values that the iterator has claimed: next() throws the failure")
  func failingInHand() {
    let subject = Subject<Int, Oops>()
    let iteration = Iteration(subject.values(waiting: .bounded(8, onOverflow: .fail(Oops(code: 6)))))
    for value in 0..<8 { subject.send(value) }
    // Takes one of two claimed values.
    stage.start { await iteration.next() }
    for value in 8..<20 { subject.send(value) }
    stage.start { await iteration.next() }
    #expect(iteration.events == [.next(0), .failed(Oops(code: 6))])
  }

  @Test("an overflow with .trap traps with a message that names the parameter to change")
  func trapping() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let subject = Subject<Int, Never>()
      let iteration = Iteration(subject.values(waiting: .bounded(3, onOverflow: .trap)))
      for value in 0..<4 { subject.send(value) }
      iteration.leave()
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("weir: values(): 3 values are buffered") && message.contains("waiting:"))
  }

  @Test("by default values() buffers 1,048,576 values, and one more traps", .millionsOfValues)
  func byDefault() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      let subject = Subject<Int, Never>()
      let iteration = Iteration(subject.values())
      for value in 0..<1_048_576 { subject.send(value) }
      print("all are buffered")
      fflush(nil)
      subject.send(0)
      iteration.leave()
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("all are buffered"))
    #expect(message.contains("weir: values(): 1048576 values are buffered"))
  }

  @Test("a bound of zero traps")
  func noBound() async {
    await #expect(processExitsWith: .failure) {
      Iteration(Subject<Int, Never>().values(waiting: .bounded(0, onOverflow: .dropNewest))).leave()
    }
  }

  @Test("the .standard and .unbounded backlogs drop none of 200,000 values", arguments: [true, false])
  func large(isUnbounded: Bool) {
    let subject = Subject<Int, Never>()
    let iteration = Iteration(subject.values(waiting: isUnbounded ? .unbounded : .standard))
    for value in 0..<2 * manyRounds { subject.send(value) }
    subject.complete()
    stage.start { await iteration.finish() }
    let isComplete = iteration.values.elementsEqual(0..<2 * manyRounds)
    #expect(isComplete)
  }
}
