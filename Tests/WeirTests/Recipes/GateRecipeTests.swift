// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of a limit that several callers share.
struct GateRecipeTests {
  private let gate = Recipes.Gate(limit: 2)
  private let started = Box<[Int]>([])
  private let works = (0..<6).map { _ in Subject<Int, Oops>() }

  private func admit(_ number: Int) -> Signal<Int, Oops> {
    gate.admit(works[number].signal.initially { [started] in started.value.append(number) })
  }

  private func admitAll() -> [Recorder<Int, Oops>] { works.indices.map { Recorder(admit($0)) } }

  @Test("two signals run at a time, the others in order; each caller gets the events of its own signal only")
  func limit() {
    let callers = admitAll()
    #expect(started.value == [0, 1])
    works[1].send(10)
    works[1].send(11)
    #expect(started.value == [0, 1])
    works[1].complete()
    #expect(started.value == [0, 1, 2])
    #expect(callers[1].events == [.next(10), .next(11), .completed])
    works[0].fail(Oops(code: 7))
    #expect(started.value == [0, 1, 2, 3])
    #expect(callers[0].events == [.failed(Oops(code: 7))])
    #expect([2, 3, 4, 5].allSatisfy { callers[$0].events.isEmpty })
    for work in works[2...] { work.complete() }
    #expect(started.value == [0, 1, 2, 3, 4, 5])
    #expect(callers[2...].allSatisfy { $0.events == [.completed] })
  }

  @Test("disposing a caller frees its place; one that still waits is never started, and costs no place")
  func disposal() {
    let callers = admitAll()
    callers[2].dispose()
    callers[0].dispose()
    #expect(started.value == [0, 1, 3])
    callers[3].dispose()
    #expect(started.value == [0, 1, 3, 4])
    works[1].complete()
    #expect(started.value == [0, 1, 3, 4, 5])
    #expect(works.map(\.subscriberCount) == [0, 0, 0, 0, 1, 1])
  }

  @Test("a signal that lets go without an event frees its place")
  func letGo() {
    let subjects = Box([Subject<Int, Oops>(), Subject()])
    let callers = subjects.value.map { Recorder(gate.admit($0.signal)) } + [Recorder(admit(0))]
    #expect(started.value == [])
    subjects.value = []
    #expect(started.value == [0])
    #expect(callers.allSatisfy { $0.events.isEmpty })
    #expect(callers.map { $0.subscription.isDisposed } == [true, true, false])
  }

  @Test("a gate that is released still admits all that wait, and then retains nothing")
  func release() {
    let (gate, resources) = (Box<Recipes.Gate?>(Recipes.Gate(limit: 1)), Resources())
    let ends = (0..<3).map { _ in Subject<Int, Oops>() }
    let callers = ends.compactMap { end in
      let work = end.on(disposed: { [token = resources.make()] in _ = token })
      return gate.value.map { Recorder($0.admit(work)) }
    }
    gate.value = nil
    #expect(ends.map(\.subscriberCount) == [1, 0, 0])
    for end in ends {
      end.send(1)
      end.complete()
    }
    #expect(callers.allSatisfy { $0.events == [.next(1), .completed] })
    #expect(resources.alive == 0)
  }

  @Test("ten thousand signals that end at once pass through one place without growing the stack")
  func synchronous() {
    let (gate, first) = (Recipes.Gate(limit: 1), Subject<Int, Oops>())
    let count = Counter()
    let running = Recorder(gate.admit(first.signal))
    for _ in 0..<10_000 {
      gate.admit(Signal<Int, Oops>.just(1)).subscribe(
        next: { _ in count.add() }, failed: { Issue.record($0) })
    }
    #expect(count.value == 0)
    first.complete()
    #expect(count.value == 10_000)
    #expect(running.events == [.completed])
  }

  @Test("a caller is disposed while another thread subscribes its work: the place is free after the clean-up")
  func disposedMeanwhile() {
    let (gate, first) = (Recipes.Gate(limit: 1), Subject<Int, Oops>())
    let (subscribing, cleaning, returned, log) = (Door(), Door(), Door(), Box<[String]>([]))
    let work = Signal<Int, Oops>.create { _ in
      subscribing.open()
      cleaning.pass()
      return nil
    }
    .on(disposed: {
      cleaning.open()
      // By then the subscription has returned on the other thread, with all that it causes.
      returned.pass()
      log.value.append("second cleaned up")
    })
    let running = Recorder(gate.admit(first.signal))
    let second = Recorder(gate.admit(work))
    let third = Recorder(gate.admit(Signal<Int, Oops>.empty().initially { log.value.append("third") }))
    withThreads(2) { thread in
      if thread == 0 {
        first.complete()
        returned.open()
      } else {
        subscribing.pass()
        second.dispose()
      }
    }
    #expect(log.value == ["second cleaned up", "third"])
    #expect(running.events == [.completed] && second.events.isEmpty && third.events == [.completed])
  }

  @Test("with four threads that ask and dispose, no more than the limit run, and no place is lost")
  func threads() async throws {
    let (gate, running, tooMany, done) = (Recipes.Gate(limit: 3), Counter(), Counter(), Counter())
    let disposed = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<500 {
            let work = Signal<Int, any Error>.task {
              await Task.yield()
              return number
            }
            let counted = work.on(
              subscribed: { if running.add() >= 3 { tooMany.add() } }, disposed: { running.add(-1) })
            if (number + thread) % 3 == 0 {
              gate.admit(counted).subscribe(failed: { Issue.record($0) }).dispose()
              disposed.add()
            } else if try await gate.admit(counted).firstValue() == number {
              done.add()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect((running.value, tooMany.value) == (0, 0))
    #expect(done.value == 2_000 - disposed.value)
  }

  @Test("admission within a time: who still waits then gets an error, and no place; one that runs goes on")
  func withinTime() {
    let (scheduler, gate) = (VirtualScheduler(), Recipes.Gate(limit: 1))
    let works = (0..<3).map { _ in Subject<Int, any Error>() }
    let started = Counter()
    let callers = works.map { work in
      Recorder(
        Recipes().admit(
          work.initially { started.add() }, by: gate, within: .seconds(1), on: scheduler))
    }
    #expect(scheduler.waitingCount == 2)
    callers[1].dispose()
    scheduler.advance(by: .seconds(1))
    #expect(callers[0].events.isEmpty && started.value == 1)
    #expect(callers[2].completion?.error is Recipes.Busy && callers[1].events.isEmpty)
    works[0].send(7)
    works[0].complete()
    #expect(callers[0].values == [7] && callers[0].completion != nil)
    #expect(started.value == 1 && scheduler.waitingCount == 0)
    #expect(Recorder(gate.admit(Signal<Int, Oops>.just(1))).values == [1])
  }
}
