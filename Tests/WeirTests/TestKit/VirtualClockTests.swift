// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

/// Tasks that sleep in virtual time.
struct VirtualClockTests {
  private let scheduler = VirtualScheduler()

  @Test("a task sleeps until the scheduler reaches its instant")
  func sleeps() async throws {
    let woken = Counter()
    let task = Task { [clock = scheduler.clock] in
      try await clock.sleep(for: .seconds(60))
      woken.add()
    }
    await scheduler.clock.waitForSleepers(1)
    scheduler.advance(by: .seconds(59))
    #expect(scheduler.clock.sleepers == 1 && woken.value == 0)
    scheduler.advance(by: .seconds(1))
    try await task.value
    #expect(scheduler.clock.sleepers == 0 && woken.value == 1)
  }

  @Test("a sleep until an instant that has passed returns at once")
  func passed() async throws {
    scheduler.advance(by: .seconds(5))
    try await scheduler.clock.sleep(until: .init(.seconds(5)))
    #expect(scheduler.waitingCount == 0)
  }

  @Test("the time between two instants is exact, or the longest or shortest duration, but never overflows")
  func between() {
    let (shortest, longest) = (Duration(attoseconds: .min), Duration(attoseconds: .max))
    let (first, last) = (VirtualClock.Instant(shortest), VirtualClock.Instant(longest))
    let (early, late) = (VirtualClock.Instant(.seconds(-1)), VirtualClock.Instant(.seconds(2)))
    #expect(early.duration(to: late) == .seconds(3) && late.duration(to: early) == .seconds(-3))
    #expect(early.duration(to: last) == longest && first.duration(to: late) == longest)
    #expect(last.duration(to: early) == shortest && late.duration(to: first) == shortest)
  }

  @Test("the longest duration reaches the last instant from wherever the clock is, and does not overflow")
  func longest() async {
    await #expect(processExitsWith: .success) {
      let (longest, scheduler) = (Duration(attoseconds: .max), VirtualScheduler())
      scheduler.advance(by: .seconds(1))
      let task = Task { [clock = scheduler.clock] in try await clock.sleep(for: longest) }
      await scheduler.clock.waitForSleepers(1)
      scheduler.advance(by: .seconds(1))
      #expect(scheduler.clock.sleepers == 1)
      scheduler.advance(by: longest)
      try await task.value
      #expect(scheduler.clock.now.elapsed == longest)
      scheduler.advance(by: .seconds(1))
      #expect(scheduler.clock.now.elapsed == longest)
      let first = VirtualClock.Instant(.seconds(-1)).advanced(by: Duration(attoseconds: .min))
      #expect(first.elapsed == Duration(attoseconds: .min))
    }
  }

  @Test("a cancelled sleeper throws at once, also if its time has come, and leaves nothing scheduled")
  func cancelled() async throws {
    let task = Task { [clock = scheduler.clock] in try await clock.sleep(for: .seconds(60)) }
    await scheduler.clock.waitForSleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scheduler.waitingCount == 0 && scheduler.clock.sleepers == 0)
    for time in [Duration.seconds(60), .zero] {
      let early = Task { [clock = scheduler.clock] in
        withUnsafeCurrentTask { $0?.cancel() }
        try await clock.sleep(for: time)
      }
      await #expect(throws: CancellationError.self) { try await early.value }
    }
    #expect(scheduler.waitingCount == 0)
  }

  @Test("a scheduler that is deallocated makes its sleepers throw, and later ones, too")
  func goes() async throws {
    var scheduler: VirtualScheduler? = VirtualScheduler()
    let clock = try #require(scheduler?.clock)
    let task = Task { try await clock.sleep(for: .seconds(60)) }
    await clock.waitForSleepers(1)
    scheduler = nil
    await #expect(throws: CancellationError.self) { try await task.value }
    await #expect(throws: CancellationError.self) { try await clock.sleep(for: .seconds(60)) }
  }

  @Test("waitForSleepers returns when its task is cancelled")
  func waitCancelled() async {
    let clock = scheduler.clock
    let task = Task { await clock.waitForSleepers(1) }
    task.cancel()
    await task.value
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await clock.waitForSleepers(1)
    }
    await early.value
  }

  @Test("waitForSleepers returns when the scheduler is deallocated")
  func waitAbandoned() async throws {
    var scheduler: VirtualScheduler? = VirtualScheduler()
    let clock = try #require(scheduler?.clock)
    async let waiting: Void = clock.waitForSleepers(2)
    let sleeper = Task { try await clock.sleep(for: .seconds(60)) }
    await clock.waitForSleepers(1)
    scheduler = nil
    await waiting
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    await clock.waitForSleepers(1)
  }

  @Test("every sleeper ends when many tasks sleep and are cancelled while time advances")
  func crowd() async {
    let clock = scheduler.clock
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          let task = Task { try await clock.sleep(for: .seconds(index % 10 + 1)) }
          if index % 3 == 0 { task.cancel() }
          _ = await task.result
        }
      }
      group.addTask { [scheduler] in
        while !Task.isCancelled {
          scheduler.advance(by: .seconds(1))
          await Task.yield()
        }
      }
      for _ in 0..<200 { await group.next() }
      group.cancelAll()
    }
    #expect(clock.sleepers == 0)
  }
}
