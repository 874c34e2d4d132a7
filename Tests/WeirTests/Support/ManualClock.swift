// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A clock that stands still until a test moves it on.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var elapsed = Duration.zero
    func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  /// What sleepers do; tests wait for it.
  enum Event: Equatable { case slept, cancelled }

  private struct State {
    var now = Instant()
    var sleepers: [(id: Int, deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = []
    var cancelled: Set<Int> = []
    var lastID = 0
  }
  private let state = Mutex(State())
  private let events = AsyncStream.makeStream(of: Event.self)

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.contains(id) { return true }
          state.sleepers.append((id, deadline, continuation))
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        events.continuation.yield(isCancelled ? .cancelled : .slept)
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled.insert(id)
        return state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0).continuation }
      }
      guard let sleeper else { return }
      sleeper.resume(throwing: CancellationError())
      events.continuation.yield(.cancelled)
    }
  }

  /// Moves the clock on, and wakes those whose time has come.
  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let woken = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// What its sleepers do, in order. For one reader.
  var sleeperEvents: AsyncStream<Event> { events.stream }
}
