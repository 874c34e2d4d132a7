// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// The decisions of a shared signal, one after the other, with notifications that come late.
struct SharingStateTests {
  private typealias State = SharingState

  private func outlet() -> SharedOutlet<Int, Never> { SharedOutlet(forOneRun: Subject<Int, Never>()) }

  private func connected(_ state: inout State) -> SharedRun {
    let run = state.join(minimum: 1, outlet: outlet).run
    #expect(state.connect(run.generation, minimum: 1) == true)
    return run
  }

  private func isNothing(_ duty: State.Duty) -> Bool { if case .nothing = duty { true } else { false } }
  private func isEnd(_ duty: State.Duty, of run: SharedRun) -> Bool {
    if case .end(let ended, _) = duty { ended === run } else { false }
  }

  @Test("one subscriber connects, the others join; the last to leave ends the run")
  func counting() {
    var state = State(hasGrace: false)
    let first = state.join(minimum: 1, outlet: outlet)
    let second = state.join(minimum: 1, outlet: outlet)
    #expect(first.mayConnect && second.mayConnect && first.run === second.run)
    // The first to ask connects: that may be the second subscriber, while the first one still receives its
    // history.
    #expect(state.connect(first.run.generation, minimum: 1) == true)
    #expect(state.connect(first.run.generation, minimum: 1) == false)
    #expect(state.join(minimum: 1, outlet: outlet).mayConnect == false)
    #expect(isNothing(state.leave(first.run.generation)))
    #expect(isNothing(state.leave(first.run.generation)))
    #expect(isEnd(state.leave(first.run.generation), of: first.run))
    #expect(state.run == nil)
    #expect(state.join(minimum: 1, outlet: outlet).mayConnect)
  }

  @Test("the minimum of subscribers is checked when one asks to connect, not when it joined")
  func minimum() {
    var state = State(hasGrace: false)
    let first = state.join(minimum: 2, outlet: outlet)
    #expect(!first.mayConnect)
    #expect(state.join(minimum: 2, outlet: outlet).mayConnect)
    #expect(isNothing(state.leave(first.run.generation)))
    #expect(state.connect(first.run.generation, minimum: 2) == false)
    #expect(state.join(minimum: 2, outlet: outlet).mayConnect)
    #expect(state.connect(first.run.generation, minimum: 2) == true)
  }

  @Test("late notifications of an earlier run are ignored")
  func late() {
    var state = State(hasGrace: false)
    let old = state.join(minimum: 1, outlet: outlet).run
    _ = state.leave(old.generation)
    let run = state.join(minimum: 1, outlet: outlet).run
    #expect(run.generation > old.generation)
    #expect(state.connect(old.generation, minimum: 1) == false)
    #expect(isNothing(state.leave(old.generation)))
    #expect(isNothing(state.sourceLetGo(old.generation)))
    #expect(state.sourceEnded(old.generation, .whileConnected).counts == false)
    #expect(state.sourceEnded(old.generation, .forever).counts == false)
    #expect(state.run === run && state.count == 1)
  }

  @Test("a source ends once; a subscriber that leaves after that ends nothing", arguments: lifetimes)
  func ended(lifetime: ShareLifetime) {
    var state = State(hasGrace: false)
    let run = state.join(minimum: 1, outlet: outlet).run
    #expect(state.sourceEnded(run.generation, lifetime).counts)
    #expect(state.sourceEnded(run.generation, lifetime).counts == false)
    #expect(isNothing(state.leave(run.generation)))
    #expect(isNothing(state.sourceLetGo(run.generation)))
    let late = state.join(minimum: 1, outlet: outlet)
    #expect(late.isCounted == late.mayConnect)
    #expect(late.mayConnect == (lifetime == .whileConnected))
  }

  @Test("a timer that was stopped, or belongs to an earlier grace period, ends nothing")
  func timers() {
    var state = State(hasGrace: true)
    let run = connected(&state)
    guard case .linger(let first) = state.leave(run.generation) else {
      Issue.record("it should wait")
      return
    }
    let second = state.join(minimum: 1, outlet: outlet)
    #expect(second.run === run && second.timer === first && !second.mayConnect)
    #expect(isNothing(state.timeIsUp(first)))
    guard case .linger(let last) = state.leave(run.generation) else {
      Issue.record("it should wait again")
      return
    }
    #expect(isNothing(state.timeIsUp(first)))
    #expect(isEnd(state.timeIsUp(last), of: run))
    #expect(isNothing(state.timeIsUp(last)))
  }

  @Test(
    "a source that ends or releases its sink within the grace period stops the timer", arguments: [0, 1, 2])
  func waitCutShort(how: Int) {
    var state = State(hasGrace: true)
    let run = connected(&state)
    guard case .linger(let timer) = state.leave(run.generation) else {
      Issue.record("it should wait")
      return
    }
    if how < 2 {
      let (counts, stopped) = state.sourceEnded(run.generation, lifetimes[how])
      #expect(counts && stopped === timer)
    } else if case .end(let ended, let stopped) = state.sourceLetGo(run.generation) {
      #expect(ended === run && stopped === timer)
    } else {
      Issue.record("it should end")
    }
    #expect(isNothing(state.timeIsUp(timer)))
  }

  @Test(
    "close() ends a run that waits or is in its grace period; a connected one ends with its last subscriber")
  func closed() {
    var waiting = State(hasGrace: false)
    let lonely = waiting.join(minimum: 2, outlet: outlet).run
    #expect(isEnd(waiting.close(), of: lonely))

    var running = State(hasGrace: true)
    let run = connected(&running)
    #expect(isNothing(running.close()))
    #expect(isEnd(running.leave(run.generation), of: run))

    var lingering = State(hasGrace: true)
    let left = connected(&lingering)
    _ = lingering.leave(left.generation)
    #expect(isEnd(lingering.close(), of: left))

    var idle = State(hasGrace: false)
    #expect(isNothing(idle.close()))
  }

  @Test("close() does not end a run whose source has ended: its terminal event is still delivered")
  func closedAtTheEnd() {
    var state = State(hasGrace: false)
    let run = connected(&state)
    #expect(state.sourceEnded(run.generation, .forever).counts)
    #expect(isNothing(state.close()))
  }

  @Test(
    "values of an earlier run are dropped once the next one has begun, even if the earlier one begins again")
  func gate() {
    let subject = Subject<Int, Never>()
    let outlet = SharedOutlet<Int, Never>(forAllRuns: subject)
    let recorder = Recorder(outlet.signal)
    let first = outlet.begin(1)
    first(1)
    let second = outlet.begin(2)
    first(2)
    second(3)
    // A connection that was decided earlier, and begins later, does not open the gate again.
    let late = outlet.begin(1)
    late(4)
    second(5)
    outlet.terminate(.completed)
    second(6)
    #expect(recorder.events == [.next(1), .next(3), .next(5), .completed])
  }

  @Test("a state changes atomically, and is released when the next one replaces it")
  func decided() {
    let resources = Resources()
    let state = AtomicState(resources.make())
    #expect(resources.alive == 1)
    for _ in 0..<10 { state.change { $0 = resources.make() } }
    #expect(resources.alive == 1)
    let sums = AtomicState((0, 0))
    withThreads(3) { _ in for _ in 0..<1_000 { sums.change { $0 = ($0.0 + 1, $0.1 - 1) } } }
    #expect(sums.change { $0 } == (3_000, -3_000))
  }
}
