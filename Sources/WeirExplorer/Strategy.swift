// Part of Weir. SPDX-License-Identifier: Apache-2.0
import WeirTesting

/// A point at which the strategy has a choice.
struct Crossroads {
  /// The threads that may continue. The first is the expected one: the one that was running, if it can
  /// continue, otherwise the one that has waited longest. For a load, the values that it may return, the
  /// newest first.
  let options: [Int]
  /// Whether another choice than the first counts as an interruption: it interrupts a thread that could have
  /// continued, lets a thread continue that should wait, or is an older value.
  let isCharged: Bool
  /// The thread that has just paused or yielded, if that is the reason for the choice.
  let givingWay: Int?
}

/// Decides which thread continues.
protocol Strategy: AnyObject {
  /// Prepares for the next run. Returns false if there is nothing left to try.
  func begin() -> Bool
  /// Returns the index of the option to take. Also called if there is only one.
  func choose(_ crossroads: Crossroads) -> Int
  /// The seed that repeats the current run, as its schedule does; nil if there is none.
  var seed: UInt64? { get }
}

/// Tries all schedules with at most `preemptions` interruptions, those with the fewest first, so that the
/// first failure is a simple one.
final class Exhaustive: Strategy {
  private let preemptions: Int
  private var limit: Int
  /// The choices of the previous run. For the next run, the last choice that can be changed is changed.
  private var path: [(choice: Int, count: Int)] = []
  private var depth = 0
  private var charged = 0
  private var hasBegun = false
  private(set) var isComplete = false
  var seed: UInt64? { nil }

  init(preemptions: Int) {
    self.preemptions = preemptions
    limit = 0
  }

  func begin() -> Bool {
    depth = 0
    charged = 0
    if !hasBegun {
      hasBegun = true
      return true
    }
    while let last = path.popLast() {
      if last.choice + 1 < last.count {
        path.append((last.choice + 1, last.count))
        return true
      }
    }
    limit += 1
    isComplete = limit > preemptions
    return !isComplete
  }

  func choose(_ crossroads: Crossroads) -> Int {
    let isFree = !crossroads.isCharged
    let count = isFree || charged < limit ? crossroads.options.count : 1
    if count == 1 { return 0 }
    if depth == path.count { path.append((0, count)) }
    let choice = path[depth].choice
    depth += 1
    if !isFree, choice > 0 { charged += 1 }
    return choice
  }
}

/// Takes a random option each time, all equally likely.
final class Uniform: Strategy {
  private let base: UInt64
  private var left: Int
  private var number: UInt64 = 0
  private var random = SplitMix64(seed: 0)
  private(set) var seed: UInt64?

  init(schedules: Int, seed: UInt64) {
    left = schedules
    base = seed
  }

  func begin() -> Bool {
    if left == 0 { return false }
    left -= 1
    seed = base &+ number
    random = SplitMix64(seed: base &+ number)
    number += 1
    return true
  }

  func choose(_ crossroads: Crossroads) -> Int {
    crossroads.options.count == 1 ? 0 : random.number(below: crossroads.options.count)
  }
}

/// Gives each thread a random priority, lets the one with the highest continue, and lowers the priority of
/// the running thread at `changes` random moments. A bug that needs `changes + 1` events in a certain order
/// is found with a probability that has a lower bound (Burckhardt and others, 2010).
final class Priorities: Strategy {
  private let base: UInt64
  private let changes: Int
  private var left: Int
  private var number: UInt64 = 0
  private var random = SplitMix64(seed: 0)
  private var priorities: [Int]
  private var lowest = 0
  private var moments: [Int] = []
  private var step = 0
  /// The largest number of steps of any run so far.
  private var length = 1
  private(set) var seed: UInt64?

  init(threads: Int, changes: Int, schedules: Int, seed: UInt64) {
    base = seed
    left = schedules
    self.changes = changes
    priorities = Array(0..<threads)
  }

  func begin() -> Bool {
    if left == 0 { return false }
    left -= 1
    length = max(length, step)
    step = 0
    lowest = 0
    seed = base &+ number
    random = SplitMix64(seed: base &+ number)
    number += 1
    priorities = priorities.indices.shuffled(using: &random)
    moments = (0..<changes).map { _ in random.number(below: length) }
    return true
  }

  func choose(_ crossroads: Crossroads) -> Int {
    if let thread = crossroads.givingWay { lower(thread) }
    var best = highest(of: crossroads)
    if moments.contains(step) {
      lower(crossroads.options[best])
      best = highest(of: crossroads)
    }
    step += 1
    return best
  }

  private func lower(_ thread: Int) {
    lowest -= 1
    priorities[thread] = lowest
  }

  private func highest(of crossroads: Crossroads) -> Int {
    crossroads.options.indices.max { priorities[crossroads.options[$0]] < priorities[crossroads.options[$1]] }
      ?? 0
  }
}

/// Repeats a schedule. Where the schedule does not fit, because the program has changed, it takes the
/// expected option.
final class Replay: Strategy {
  private let lanes: [Int]
  private var step = 0
  private var hasBegun = false
  /// Whether the program had other steps than the schedule.
  private(set) var hasDiverged = false
  var seed: UInt64? { nil }

  init(_ lanes: [Int]) { self.lanes = lanes }

  func begin() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  func choose(_ crossroads: Crossroads) -> Int {
    defer { step += 1 }
    guard step < lanes.count else { return 0 }
    if let index = crossroads.options.firstIndex(of: lanes[step]) { return index }
    hasDiverged = true
    return 0
  }
}
