// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Race course
//
// Guarantees: in each round every lane runs one operation, all of them released together; a round starts when
// the one before is over.
//
// State: `round` is the number of the round, `closed` at the end. `ready` counts the lanes, over all rounds,
// that have arrived at the start, `done` those that have finished. `state` is written by the leader between
// two rounds, when no other thread reads it.
//
// Orderings: `round` releases `state` to the followers, `done` gives it back to the leader.

/// Runs the rounds of a race table on its threads: one leads, the others follow.
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

  /// Runs one round, called by the thread of lane 0. Returns when all lanes are done.
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

  /// Ends the course: there are no more rounds.
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

  /// A pseudorandom number from 0 to 15, the same in each run.
  private func delay(lane: Int, in number: UInt64) -> UInt64 {
    var random = SplitMix64(seed: number &* lanes &+ UInt64(lane))
    return random.next() >> 60
  }

  /// Spins for a while, so that all lanes are released at the same moment if there are enough cores, and then
  /// yields.
  private func wait(until condition: () -> Bool) {
    var spins = 0
    while !condition() {
      spins += 1
      if spins < 1000 { weir_pause() } else { weir_yield() }
    }
  }
}
