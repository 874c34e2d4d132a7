// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Duet
//
// One thread, the leader, is stopped before one of its atomic operations; another one, the follower, does all that it has to do; then the
// leader goes on. Nothing orders their memory meanwhile: they tell each other by relaxed accesses how far they are. So what ThreadSanitizer
// does not report was ordered by what is tested. The explorer, which orders all that it runs, cannot see that, and other tests must be lucky to
// stop a thread where it matters.
//
// State: three words, which only grow: the number of the round that has begun, of that in which the leader stands still or has ended, and of
// that in which the follower has ended. `part` is written by the leader between rounds.
//
// Orderings: `begun` releases the part, `over` gives the memory back at the end of a round. The leader, when it waits for `over` in the
// middle, does so without acquiring.

/// Two threads that interrupt each other where they are told to.
final class Duet: @unchecked Sendable {  // see above
  private let words: UnsafeMutablePointer<UInt32>
  private var number: UInt32 = 0
  private var part: (@Sendable () -> Void)?
  private var stepsLeft = 0
  private var wasInterrupted = false

  init() {
    words = .allocate(capacity: 3)
    words.initialize(repeating: 0, count: 3)
  }
  deinit { words.deallocate() }

  private var begun: UnsafeMutablePointer<UInt32> { words }
  private var stopped: UnsafeMutablePointer<UInt32> { words + 1 }
  private var over: UnsafeMutablePointer<UInt32> { words + 2 }

  // MARK: Leader

  /// Runs a part, and another one in the middle of it. False if it has ended before that step: then the other one came afterwards.
  func lead(_ own: () -> Void, at step: Int, by other: @escaping @Sendable () -> Void) -> Bool {
    part = other
    begin()
    stepsLeft = step
    wasInterrupted = false
    weir_observe_thread(
      { context, _, address, size in
        // Neither a pause, which has no address, nor a block that is freed, which has a size.
        if address != nil, size == 0 { Unmanaged<Duet>.fromOpaque(context).takeUnretainedValue().step() }
        return false
      }, Unmanaged.passUnretained(self).toOpaque())
    own()
    weir_observe_thread(nil, nil)
    weir_store_relaxed_u32(stopped, number)
    weir_wake(stopped, 1)
    wait(for: over, number) { weir_load_acquire_u32($0) }
    part = nil
    return wasInterrupted
  }

  /// No more rounds.
  func close() { begin() }

  private func begin() {
    number += 1
    weir_store_release_u32(begun, number)
    weir_wake(begun, 1)
  }

  private func step() {
    if stepsLeft == 0 {
      wasInterrupted = true
      weir_store_relaxed_u32(stopped, number)
      weir_wake(stopped, 1)
      wait(for: over, number) { weir_load_relaxed_u32($0) }
    }
    stepsLeft -= 1
  }

  // MARK: Follower

  /// Interrupts the leader until there are no more rounds.
  func follow() {
    var round: UInt32 = 0
    repeat {
      round += 1
      wait(for: begun, round) { weir_load_acquire_u32($0) }
    } while interrupt(in: round)
  }

  private func interrupt(in round: UInt32) -> Bool {
    guard perform(in: round) else { return false }
    weir_store_release_u32(over, round)
    weir_wake(over, 1)
    return true
  }

  /// What the part holds is released with it, before the round is over.
  private func perform(in round: UInt32) -> Bool {
    guard let part else { return false }
    wait(for: stopped, round) { weir_load_relaxed_u32($0) }
    part()
    return true
  }

  private func wait(
    for word: UnsafeMutablePointer<UInt32>, _ round: UInt32, _ load: (UnsafeMutablePointer<UInt32>) -> UInt32
  ) {
    while case let seen = load(word), seen != round { weir_wait_while(word, seen, -1) }
  }
}
