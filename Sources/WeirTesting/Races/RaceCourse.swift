// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Race course
//
// Guarantees: in each round every lane runs one operation, all of them released together; a round begins when
// the one before is over.
//
// State: `round` is the number of the round, `closed` at the end. `ready` and `done` count all lanes of all
// rounds that stood at the start, and that have come in. `state` is written by the leader between two rounds,
// when nobody else reads it.
//
// Orderings: `round` releases `state` to the followers, `done` gives it back to the leader.

/// Where a race table has its threads race: one leads, the others follow.
final class RaceCourse<State: Sendable>: @unchecked Sendable {  // see above
  private static var closed: UInt64 { .max }

  private let words: UnsafeMutablePointer<UInt64>
  private let lanes: UInt64
  private var state: State?

  init(lanes: Int) {
    self.lanes = UInt64(lanes)
    words = .allocate(capacity: 3)
    words.initialize(repeating: 0, count: 3)
  }
  deinit { words.deallocate() }

  private var round: UnsafeMutablePointer<UInt64> { words }
  private var ready: UnsafeMutablePointer<UInt64> { words + 1 }
  private var done: UnsafeMutablePointer<UInt64> { words + 2 }

  /// One round: for the thread of lane 0. Returns when all lanes are done.
  func lead(_ state: State, _ operations: [@Sendable (State) -> Void]) {
    self.state = state
    let number = weir_load_acquire_u64(round) + 1
    weir_store_release_u64(round, number)
    race(lane: 0, in: number, operations)
    wait { weir_load_acquire_u64(done) == number * lanes }
    self.state = nil
  }

  /// Runs the operations of a lane until the course is closed.
  func follow(lane: Int, _ operations: [@Sendable (State) -> Void]) {
    var last: UInt64 = 0
    while true {
      wait { weir_load_acquire_u64(round) != last }
      last = weir_load_acquire_u64(round)
      if last == Self.closed { return }
      race(lane: lane, in: last, operations)
    }
  }

  /// No more rounds.
  func close() { weir_store_release_u64(round, Self.closed) }

  private func race(lane: Int, in number: UInt64, _ operations: [@Sendable (State) -> Void]) {
    guard let state else { return }
    let operation = operations[(lane + Int(number)) % operations.count]
    weir_add_acq_rel_u64(ready, 1)
    wait { weir_load_acquire_u64(ready) >= number * lanes }
    for _ in 0..<delay(lane: lane, in: number) { weir_pause() }
    operation(state)
    weir_add_acq_rel_u64(done, 1)
  }

  /// A number from 0 to 15 that looks random, the same in each run.
  private func delay(lane: Int, in number: UInt64) -> UInt64 {
    var random = SplitMix64(seed: number &* lanes &+ UInt64(lane))
    return random.next() >> 60
  }

  /// Spins for a while, so that all are released in the same moment if there are cores enough, and then lets
  /// others run.
  private func wait(until condition: () -> Bool) {
    var spins = 0
    while !condition() {
      spins += 1
      if spins < 1000 { weir_pause() } else { weir_yield() }
    }
  }
}
