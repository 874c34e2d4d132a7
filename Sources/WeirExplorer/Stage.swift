// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

// # Stage
//
// Guarantees: one thread of a run executes at a time, and the strategy decides which, before each atomic
// operation. So a run is determined by the choices, and can be repeated.
//
// Invariants:
//  1. Only the thread that has the baton runs, and accesses the state here. It passes the baton on through
//     the semaphore of the next thread. The controller, which starts the runs, has the baton between them.
//  2. A run that has failed stops where it is: its threads wait for ever, the stage is abandoned, and what
//     they retain is never released.
//  3. Blocks that are freed in a run are held until it is over. So no address is reused within a run, and an
//     access to a freed block is detected.

/// Runs scenarios, one thread at a time.
final class Stage: @unchecked Sendable {  // see above
  private(set) var lanes: [Lane] = []
  private let controller = Semaphore()
  private let strategy: any Strategy
  private let quarantine = Quarantine()
  private let olderLoads: OlderLoads?
  let schedule = Schedule()
  private(set) var isClosed = false
  private(set) var failure: String?
  /// Called with each step that is taken.
  private let watch: ((Step) -> Void)?
  private var invariant: () -> String? = { nil }

  /// One step of a thread: an atomic operation, a pause or a yield.
  struct Step {
    let number: Int
    let lane: Lane
    let operation: UnsafePointer<CChar>
    let address: UnsafeRawPointer?
  }

  init(threads: Int, _ strategy: any Strategy, _ loads: Loads, watch: ((Step) -> Void)?) {
    self.strategy = strategy
    olderLoads = loads == .older ? OlderLoads(threads: threads) : nil
    self.watch = watch
    lanes = (0..<threads).map { Lane($0, of: self) }
  }

  /// Runs all threads to their end, or until something is wrong; returns what is wrong.
  func run(_ work: [Lane.Work], invariant: @escaping () -> String?) -> String? {
    schedule.clear()
    olderLoads?.clear()
    self.invariant = invariant
    for (lane, work) in zip(lanes, work) { lane.prepare(work) }
    lanes[choose(Crossroads(options: Array(lanes.indices), isCharged: false, givingWay: nil))].baton.signal()
    if !controller.wait(atMost: 120) {
      failure = "a thread waits for something that the explorer cannot see, such as a lock"
    }
    self.invariant = { nil }
    return failure
  }

  /// Frees the blocks that were held in the run.
  func endRun() { quarantine.release() }

  /// Ends the threads. Must not be called after a failure.
  func close() {
    isClosed = true
    for lane in lanes { lane.baton.signal() }
    for lane in lanes { lane.join() }
    schedule.free()
  }
}

// MARK: - For the thread that runs

extension Stage {
  /// Called before the thread accesses an atomic word. Returns what a load returns, if it is not the value in
  /// the word.
  func step(_ lane: Lane, _ operation: UnsafePointer<CChar>, _ address: UnsafeRawPointer) -> UInt64? {
    proceed(lane, Crossroads(options: options(lane, .first), isCharged: true, givingWay: nil))
    watch?(Step(number: schedule.count, lane: lane, operation: operation, address: address))
    if quarantine.contains(address) {
      fail(lane, "\(lane.label): \(String(cString: operation)) of memory that has been freed")
    }
    return olderLoads?.step(lane.index, operation, address) { count in
      let options = Array(Schedule.newest..<min(Schedule.newest + count, Schedule.oldest))
      return choose(Crossroads(options: options, isCharged: true, givingWay: nil)) - Schedule.newest
    }
  }

  /// Called when the thread pauses or yields.
  func giveWay(_ lane: Lane, _ operation: UnsafePointer<CChar>, mustWait: Bool) {
    let place = mustWait ? Placement.onlyIfAlone : .first
    proceed(
      lane, Crossroads(options: options(lane, place), isCharged: mustWait, givingWay: lane.index))
    watch?(Step(number: schedule.count, lane: lane, operation: operation, address: nil))
  }

  func keep(_ block: UnsafeRawPointer, _ size: Int) -> Bool {
    quarantine.keep(block, size)
    return true
  }

  /// Called when the thread has finished.
  func finish(_ lane: Lane) {
    if let problem = invariant() { fail(lane, problem) }
    if lanes.allSatisfy(\.isFinished) { return controller.signal() }
    lanes[choose(Crossroads(options: options(lane, .onlyIfAlone), isCharged: false, givingWay: nil))].baton
      .signal()
  }

  private enum Placement { case first, onlyIfAlone }

  /// The threads that can continue: the current one first, or only if it is alone; then the one that has
  /// waited longest, and so on.
  private func options(_ present: Lane, _ place: Placement) -> [Int] {
    var options: [Int] = []
    options.reserveCapacity(lanes.count)
    if place == .first { options.append(present.index) }
    let start = options.count
    for lane in lanes where !lane.isFinished && lane !== present {
      var index = options.count
      while index > start, lanes[options[index - 1]].lastStep > lane.lastStep { index -= 1 }
      options.insert(lane.index, at: index)
    }
    if options.isEmpty { options.append(present.index) }
    return options
  }

  private func choose(_ crossroads: Crossroads) -> Int {
    let lane = crossroads.options[strategy.choose(crossroads)]
    schedule.append(lane)
    return lane
  }

  private func proceed(_ lane: Lane, _ crossroads: Crossroads) {
    if let problem = invariant() { fail(lane, problem) }
    if schedule.isFull { fail(lane, "no end after \(Schedule.limit) steps") }
    lane.lastStep = schedule.count
    let next = choose(crossroads)
    if next == lane.index { return }
    lanes[next].baton.signal()
    lane.baton.wait()
  }

  private func fail(_ lane: Lane, _ problem: String) -> Never {
    failure = problem
    controller.signal()
    while true { lane.baton.wait() }
  }
}
