// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Weir

/// What the workers of a pool decide, one step at a time.
struct CrewTests {
  private func crew(
    searching: Int = 0, busy: Int = 0, sleeping: Int = 0, called: Int = 0, phase: Crew.Phase = .open
  ) -> Crew {
    var crew = Crew(bits: 0)
    crew.searching = searching
    crew.busy = busy
    crew.sleeping = sleeping
    crew.called = called
    crew.phase = phase
    return crew
  }

  @Test("the fields of the packed word do not overlap")
  func parts() {
    let all = crew(searching: 1, busy: Crew.limit, sleeping: 2, called: 3, phase: .ended)
    #expect((all.searching, all.busy, all.sleeping, all.called) == (1, Crew.limit, 2, 3))
    #expect(all.phase == .ended && all.count == Crew.limit + 6)
    #expect(crew(searching: Crew.limit).searching == Crew.limit)
    #expect(crew(sleeping: Crew.limit).sleeping == Crew.limit)
  }

  @Test("a sleeping worker is called only if no other worker will look at the queue")
  func call() {
    for (before, isCalled) in [
      (crew(busy: 2, sleeping: 2), true), (crew(searching: 1, sleeping: 2), false),
      (crew(sleeping: 2, called: 1), false), (crew(busy: 4), false),
    ] {
      var crew = before
      #expect(crew.needsCall == isCalled)
      let wasCalled = crew.call()
      #expect(wasCalled == isCalled)
      #expect(crew.called == before.called + (isCalled ? 1 : 0) && crew.count == before.count)
    }
  }

  @Test("begin() returns whether the worker was the last one that would have looked at the queue")
  func begin() {
    for (before, isLast) in [
      (crew(searching: 1, busy: 1, sleeping: 1), true), (crew(searching: 2), false),
      (crew(searching: 1, called: 1), false),
    ] {
      var crew = before
      let wasLast = crew.begin()
      #expect(wasLast == isLast)
      #expect((crew.searching, crew.busy) == (before.searching - 1, before.busy + 1))
    }
  }

  @Test(
    "after the end, a worker that has seen work does not begin it; one that lingers returns to its own work")
  func beginTooLate() {
    var crew = crew(searching: 2, phase: .ended)
    crew.lingering = 1
    let before = crew
    let wasLast = crew.begin()
    #expect(wasLast == nil && crew == before)
    let wasLastToLook = crew.stopLingering()
    #expect(!wasLastToLook && crew.atWork == 1 && crew.searching == 1)
    let idling = crew.giveUp(after: .closing)
    #expect(idling == .end && crew.searching == 0)
  }

  @Test("at most half of the crew search; a worker that has searched long enough sleeps")
  func finish() {
    var crew = crew(busy: 4)
    let idlings = (0..<3).map { _ in crew.finish(.parking) }
    #expect(idlings == [.search, .search, .sleep])
    #expect((crew.searching, crew.busy, crew.sleeping) == (2, 1, 1))
    let idling = crew.giveUp(after: .open)
    #expect(idling == .sleep)
    #expect((crew.searching, crew.busy, crew.sleeping) == (1, 1, 2))
  }

  @Test("the only worker of a crew may search")
  func single() {
    var crew = crew(busy: 1)
    let idling = crew.finish(.parking)
    #expect(idling == .search)
  }

  @Test("a worker that gets up takes the place of a called one, or its own; a called worker searches")
  func getUp() {
    var crew = crew(busy: 1, sleeping: 1, called: 1)
    let tookPlaces = (0..<2).map { _ in crew.getUp() }
    #expect(tookPlaces == [true, false])
    #expect((crew.searching, crew.sleeping, crew.called) == (2, 0, 0))
    let uncalled = crew.answerCall()
    crew.called = 1
    crew.phase = .released
    let called = crew.answerCall()
    #expect(uncalled == nil && called == .released)
    #expect((crew.searching, crew.called) == (3, 0))
  }

  @Test("after closing, no worker sleeps: each searches once more, and the last one to end ends the shutdown")
  func closing() {
    var crew = crew(searching: 1, busy: 1, sleeping: 2, phase: .closing)
    let called = crew.callAll()
    let phases = (0..<2).map { _ in crew.answerCall() }
    #expect(called == 2 && phases == [.closing, .closing])
    let again = [crew.giveUp(after: .open), crew.finish(.parking)]
    #expect(again == [.search, .search] && crew.searching == 4)
    let idlings = (0..<4).map { _ in crew.giveUp(after: .closing) }
    #expect(idlings == [.end, .end, .end, .endShutdown])
    #expect(crew.count == 0 && crew.phase == .ended)
    var late = self.crew(busy: 1, phase: .ended)
    let idling = late.finish(.parking)
    #expect(idling == .end)
  }
}
