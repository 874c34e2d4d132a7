// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

// # Ensemble
//
// One thread, the leader, is stopped before one of its atomic operations; another one, a follower, does all
// that it has to do; then the leader goes on, and may be stopped again for a second follower. Nothing orders
// their memory meanwhile: they tell each other by relaxed accesses how far they are. So what ThreadSanitizer
// does not report was ordered by what is tested. The explorer, which orders all that it runs, cannot see
// that, and other tests must be lucky to stop a thread where it matters.
//
// State of a follower: three words, which only grow: the number of the round that has begun, of that in which
// the leader stands still for it or has ended, and of that in which it has ended itself. `part` is written by
// the leader between rounds.
//
// Orderings: `begun` releases the part, `over` gives the memory back at the end of a round. The leader, when
// it waits for `over` in the middle, does so without acquiring.

/// Some threads that interrupt another one at given steps.
final class Ensemble: @unchecked Sendable {  // see above; the rest is the leader's
  /// What a follower does, and before which step of the leader.
  struct Interruption {
    let step: Int
    let part: @Sendable () -> Void
  }

  private let followers: [Follower]
  private var interruptions: ArraySlice<Interruption> = []
  private var stepsTaken = 0

  init(followers: Int) { self.followers = (0..<followers).map { _ in Follower() } }

  /// Runs a part and its interruptions, one for each follower, in the order of their steps. Those whose steps
  /// are never reached are done afterwards.
  ///
  /// - Returns: how many came in the middle.
  func lead(_ own: () -> Void, _ interruptions: [Interruption]) -> Int {
    for (follower, interruption) in zip(followers, interruptions) { follower.begin(interruption.part) }
    self.interruptions = interruptions[...]
    stepsTaken = 0
    weir_observe_thread(
      { context, _, address, size in
        // Neither a pause, which has no address, nor a block that is freed, which has a size.
        if address != nil, size == 0 { Unmanaged<Ensemble>.fromOpaque(context).takeUnretainedValue().step() }
        return false
      }, Unmanaged.passUnretained(self).toOpaque())
    own()
    weir_observe_thread(nil, nil)
    let left = self.interruptions.count
    while !self.interruptions.isEmpty { interrupt() }
    for follower in followers { follower.end() }
    return interruptions.count - left
  }

  private func step() {
    while interruptions.first?.step == stepsTaken { interrupt() }
    stepsTaken += 1
  }

  private func interrupt() {
    let index = interruptions.startIndex
    interruptions.removeFirst()
    followers[index].letAct()
  }

  /// No more rounds.
  func close() { for follower in followers { follower.begin(nil) } }

  /// What the thread of a follower does, until there are no more rounds.
  func follow(as index: Int) { followers[index].serve() }
}

/// One that waits for its turn in each round.
private final class Follower: @unchecked Sendable {  // as at the head of the file
  private let words: UnsafeMutablePointer<UInt32>
  private var round: UInt32 = 0
  private var part: (@Sendable () -> Void)?

  init() {
    words = .allocate(capacity: 3)
    words.initialize(repeating: 0, count: 3)
  }
  deinit { words.deallocate() }

  private var begun: UnsafeMutablePointer<UInt32> { words }
  private var stopped: UnsafeMutablePointer<UInt32> { words + 1 }
  private var over: UnsafeMutablePointer<UInt32> { words + 2 }

  // MARK: For the leader

  func begin(_ part: (@Sendable () -> Void)?) {
    self.part = part
    round += 1
    weir_store_release_u32(begun, round)
    weir_wake(begun, 1)
  }

  func letAct() {
    weir_store_relaxed_u32(stopped, round)
    weir_wake(stopped, 1)
    wait(for: over, round) { weir_load_relaxed_u32($0) }
  }

  func end() {
    wait(for: over, round) { weir_load_acquire_u32($0) }
    part = nil
  }

  // MARK: For the follower

  func serve() {
    var round: UInt32 = 0
    repeat {
      round += 1
      wait(for: begun, round) { weir_load_acquire_u32($0) }
    } while act(in: round)
  }

  private func act(in round: UInt32) -> Bool {
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
