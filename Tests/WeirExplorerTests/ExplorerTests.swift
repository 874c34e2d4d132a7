// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

extension Exploring {
  /// The explorer finds the errors that it is made for.
  @Suite struct ExplorerTests {
    /// Two threads that count without a read-modify-write.
    private static var lostUpdate: Scenario<Words> {
      let count = Operation<Words>("count") { state in
        let word = AtomicWord(state.words)
        word.storeRelease(word.loadAcquire() + 1)
      }
      return Scenario(
        "lost update", setup: { Words(1) }, threads: [[count], [count]],
        check: { $0.words[0] == 2 ? nil : "counted \($0.words[0])" })
    }

    /// Four steps, of which any may come first.
    private static var free: Scenario<Words> {
      let step = Operation<Words>("add") { AtomicWord($0.words).add(1) }
      return Scenario(
        "free", setup: { Words(1) }, threads: [[step, step], [step, step]],
        check: { $0.words[0] == 4 ? nil : "not four" })
    }

    @Test("a lost update is found with one preemption, and its schedule reproduces it")
    func lostUpdateIsFound() throws {
      #expect(
        explore(Self.lostUpdate, .exhaustive(preemptions: 0, atMost: .max)).failure == nil,
        "it takes an interruption")
      let found = explore(Self.lostUpdate, .exhaustive(preemptions: 1, atMost: 20))
      let failure = try #require(found.failure)
      #expect(failure.problem == "counted 1")
      #expect(failure.trace.count == 4)
      for _ in 0..<3 {
        let again = try #require(replay(Self.lostUpdate, failure.schedule).failure)
        #expect(again.problem == failure.problem)
        #expect(again.schedule == failure.schedule)
        #expect(again.trace == failure.trace)
      }
      #expect(replay(Self.lostUpdate, "A3B3").failure == nil)
    }

    @Test("random searches find a lost update, and the seed of a failure reproduces it")
    func random() throws {
      for search in [Search.priorities(changes: 1, schedules: 100), .uniform(schedules: 100)] {
        let failure = try #require(explore(Self.lostUpdate, search, seed: 7).failure)
        let seed = try #require(failure.seed)
        let again = explore(Self.lostUpdate, .uniform(schedules: 100), seed: seed)
        if case .uniform = search { #expect(again.schedules == 1) }
        #expect(again.failure?.problem == failure.problem)
      }
    }

    @Test("an exhaustive search runs all schedules within its bound, and reports that it is complete")
    func complete() {
      let none = explore(Self.free, .exhaustive(preemptions: 0, atMost: .max))
      #expect(none.isComplete && none.schedules == 2)
      let all = explore(Self.free, .exhaustive(preemptions: 9, atMost: .max))
      #expect(all.isComplete && all.failure == nil)
      // The places before two steps, and the end, of each thread can be put together in 6 · 5 · 4 / 3! ways.
      #expect(all.schedules >= 20)
      let cut = explore(Self.free, .exhaustive(preemptions: 9, atMost: 3))
      #expect(!cut.isComplete && cut.schedules == 3)
    }

    @Test("a thread that waits in a loop lets the others run, so that the search ends")
    func waiting() {
      func wait(until value: UInt64) -> Operation<Words> {
        Operation("wait") { state in
          while AtomicWord(state.words).load() < value { weir_yield() }
          AtomicWord(state.words).add(1)
        }
      }
      let go = Operation<Words>("go") { AtomicWord($0.words).add(1) }
      let scenario = Scenario(
        "waiting", setup: { Words(1) }, threads: [[wait(until: 2)], [wait(until: 1)], [go]],
        check: { $0.words[0] == 3 ? nil : "not three" })
      let exploration = explore(scenario, .exhaustive(preemptions: 2, atMost: 100_000))
      #expect(exploration.failure == nil && exploration.isComplete)
      for search in [Search.priorities(changes: 3, schedules: 200), .uniform(schedules: 200)] {
        #expect(explore(scenario, search).failure == nil)
      }
    }

    @Test("the explorer finds threads that wait for each other for ever")
    func livelock() throws {
      let wait = Operation<Words>("wait") { while AtomicWord($0.words).load() == 0 { weir_pause() } }
      let scenario = Scenario(
        "livelock", setup: { Words(1) }, threads: [[wait], [wait]], check: { _ in nil })
      let failure = try #require(explore(scenario, .exhaustive(preemptions: 0, atMost: 1)).failure)
      #expect(failure.problem.hasPrefix("no end after"))
    }

    @Test("the invariant finds a state that is wrong only for a moment")
    func invariant() throws {
      let dip = Operation<Words>("dip") { state in
        AtomicWord(state.words).add(1)
        AtomicWord(state.words).subtract(1)
      }
      let scenario = Scenario(
        "dip", setup: { Words(1) }, threads: [[dip], [dip]],
        invariant: { $0.words[0] < 2 ? nil : "two at once" }, check: { _ in nil })
      let failure = try #require(explore(scenario, .exhaustive(preemptions: 1, atMost: 20)).failure)
      #expect(failure.problem == "two at once")
      #expect(replay(scenario, failure.schedule).failure?.problem == "two at once")
    }

    @Test("the explorer finds an access to a freed block")
    func freed() throws {
      let read = Operation<Words>("read") { state in
        let bits = AtomicWord(state.words).load()
        guard let block = UnsafeMutablePointer<UInt64>(bitPattern: UInt(bits)) else { return }
        _ = AtomicWord(block).load()
      }
      let free = Operation<Words>("free") { state in
        let bits = AtomicWord(state.words).exchange(0)
        if let block = UnsafeMutableRawPointer(bitPattern: UInt(bits)) { weir_block_free(block, 64) }
      }
      let scenario = Scenario(
        "freed",
        setup: {
          let state = Words(1)
          state.words[0] = UInt64(UInt(bitPattern: weir_block_allocate(64)))
          return state
        }, threads: [[read], [free]], check: { _ in nil })
      let failure = try #require(explore(scenario, .exhaustive(preemptions: 1, atMost: 20)).failure)
      #expect(failure.problem.contains("freed"))
    }

    @Test("a crash leaves its schedule in the error output")
    func crash() async throws {
      let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let count = Operation<Words>("count") { state in
          let word = AtomicWord(state.words)
          let before = word.load()
          precondition(word.exchange(before + 1) == before)
        }
        let scenario = Scenario<Words>(
          "crash", setup: { Words(1) }, threads: [[count], [count]], check: { _ in nil })
        _ = explore(scenario, .exhaustive(preemptions: 1, atMost: 20))
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("WEIR_EXPLORE_REPLAY='crash@A2"))
    }

    @Test("an unreadable seed or schedule in the environment stops the process, and the message names it")
    func badSettings() async throws {
      let seed = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        setenv("WEIR_EXPLORE_SEED", "many", 1)
        _ = explore(ExplorerTests.free, .uniform(schedules: 1))
      }
      let aboutSeed = String(decoding: seed.standardErrorContent, as: UTF8.self)
      #expect(aboutSeed.contains("WEIR_EXPLORE_SEED='many'"))
      let replay = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        setenv("WEIR_EXPLORE_REPLAY", "free@A?", 1)
        _ = explore(ExplorerTests.free, .uniform(schedules: 1))
      }
      let aboutSchedule = String(decoding: replay.standardErrorContent, as: UTF8.self)
      #expect(aboutSchedule.contains("WEIR_EXPLORE_REPLAY='free@A?'"))
    }

    @Test(
      "a schedule names the threads in the order of their steps, each with its number of steps unless that is one"
    )
    func text() throws {
      let failure = try #require(explore(Self.lostUpdate, .exhaustive(preemptions: 1, atMost: 20)).failure)
      #expect(failure.schedule == "A2B3A")
      #expect(replay(Self.lostUpdate, "A3B3").failure == nil)
    }
  }
}
