// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirTesting

@testable import Weir

extension Stress {
  @Suite struct SchedulerStress {
    init() { perturb() }

    @Test(
      "a work queue used by four threads returns each piece of work once, in each thread's order, and frees all memory"
    )
    func queue() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(20) {
        let (pieces, resources) = (2_000, Resources())
        let (taken, disorder) = (Counter(), Counter())
        let words = weir_block_allocate(8 * WorkQueue.wordCount).assumingMemoryBound(to: UInt64.self)
        let queue = WorkQueue(words: words)
        withThreads(4) { index in
          if index < 2 {
            for number in 0..<pieces { queue.push(Numbered(index, number, resources.make())) }
            return
          }
          var last = [-1, -1]
          while taken.value < 2 * pieces {
            guard let work = queue.pop() as? Numbered else { continue }
            if work.number <= last[work.thread] || !work.take() { disorder.add() }
            last[work.thread] = work.number
            taken.add()
          }
        }
        #expect(taken.value == 2 * pieces && disorder.value == 0)
        #expect(resources.alive == 0)
        #expect(queue.nodes.used.load() <= UInt64(2 * pieces + 8))
        queue.destroy()
        weir_block_free(words, 8 * WorkQueue.wordCount)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "I8: a serial scheduler on a pool runs the work of four threads without loss or overlap, in each thread's order"
    )
    func serial() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(20) {
        let (pieces, resources) = (1_000, Resources())
        let (overlaps, disorder, running, runs) = (Counter(), Counter(), Counter(), Counter())
        let last = Last()
        withThreads(4) { [scheduler = SerialScheduler(on: WorkerPool(threads: 3))] index in
          for number in 0..<pieces {
            scheduler.schedule { [token = resources.make()] in
              _ = token
              if running.add() != 0 { overlaps.add() }
              if last.numbers[index] + 1 != number { disorder.add() }
              last.numbers[index] = number
              running.add(-1)
              runs.add()
            }
            if number % 100 == 0 { weir_yield() }
          }
        }
        while runs.value < 4 * pieces { weir_yield() }
        #expect(overlaps.value == 0 && disorder.value == 0)
        while resources.alive > 0 { weir_yield() }
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("an idle pool always wakes up for one piece of work, whatever its workers are just doing")
    func parking() {
      let blocksBefore = blocksAlive()
      for threads in [1, 3] {
        let pool = WorkerPool(threads: threads)
        let runs = Counter()
        for round in 0..<roundCount(4_000) {
          // In small steps from no pause at all to one in which all fall asleep.
          for _ in 0..<round % 400 { weir_pause() }
          pool.schedule { runs.add() }
          while runs.value <= round { weir_pause() }
        }
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("an idle pool always wakes up for four threads that each wait for their own piece of work")
    func parkingTogether() {
      let pool = WorkerPool(threads: 4)
      withThreads(4) { index in
        let runs = Counter()
        for round in 0..<roundCount(500) {
          pool.schedule { runs.add() }
          while runs.value <= round { weir_yield() }
          if round % 8 == index { for _ in 0..<400 { weir_pause() } }
        }
      }
    }

    @Test(
      "pools and serial schedulers released while work is enqueued and run still run all of it and are freed"
    )
    func released() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(200) {
        let runs = Counter()
        withThreads(3) { [pool = WorkerPool(threads: 2)] _ in
          let scheduler = SerialScheduler(on: pool)
          for _ in 0..<10 {
            pool.schedule { runs.add() }
            scheduler.schedule { runs.add() }
          }
        }
        while runs.value < 60 { weir_yield() }
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "shutdown while four threads enqueue runs or abandons each piece of work once, and reports no more than that"
    )
    func shutdown() async {
      let blocksBefore = blocksAlive()
      for round in 0..<roundCount(200) {
        let tally = Tally()
        let pool = WorkerPool(threads: 2)
        let scheduler: any Scheduler = round % 2 == 0 ? pool : SerialScheduler(on: pool)
        let begun = Counter()
        let pieces = 200
        let enqueuing = Task.detached {
          withThreads(4) { _ in
            for _ in 0..<pieces {
              scheduler.enqueue(tally.piece())
              begun.add()
            }
          }
        }
        while begun.value < (round * 37) % (3 * pieces) { await Task.yield() }
        let limit: Duration = round % 3 == 0 ? .zero : .seconds(60)
        let report =
          round % 2 == 0
          ? await pool.shutdown(within: limit)
          : await (scheduler as? SerialScheduler)?.shutdown(within: limit)
        await enqueuing.value
        if round % 2 == 1 { await pool.shutdown(within: .seconds(60)) }
        while tally.runs.value + tally.abandoned.value < 4 * pieces { await Task.yield() }
        #expect(tally.runs.value + tally.abandoned.value == 4 * pieces)
        #expect(tally.twice.value == 0)
        #expect((report?.notRun ?? 0) <= tally.abandoned.value)
        if limit > .zero { #expect(report?.stillRunning == 0) }
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("a shutdown while thirty pieces line up again and again reports each as not run or still running")
    func reportIsWhole() async {
      let pieces = 30
      for round in 0..<roundCount(400) {
        let pool = WorkerPool(threads: 2)
        let serial = round % 2 == 0 ? nil : SerialScheduler(on: pool)
        let (rounds, abandoned) = (Counter(), Counter())
        let scheduler: any Scheduler = serial ?? pool
        for _ in 0..<pieces { scheduler.enqueue(Circling(on: scheduler, rounds, abandoned)) }
        while rounds.value < pieces * (1 + round % 7) { await Task.yield() }
        let report =
          if let serial { await serial.shutdown(within: .zero) } else { await pool.shutdown(within: .zero) }
        #expect(report.notRun + report.stillRunning >= pieces)
        while abandoned.value < pieces { await Task.yield() }
        #expect(report.notRun <= pieces && abandoned.value == pieces)
      }
    }
  }
}

private final class Numbered: ScheduledWork, @unchecked Sendable {  // the flag is atomic
  private var claimWord: UInt64 = 0
  let thread: Int
  let number: Int
  private let token: Resources.Resource

  init(_ thread: Int, _ number: Int, _ token: Resources.Resource) {
    self.thread = thread
    self.number = number
    self.token = token
  }

  /// True for the first call.
  func take() -> Bool { OnceFlag(AtomicWord(property: 0, of: self)).claim() }
  func run() {}
}

/// Lines up again whenever it has run.
private final class Circling: ScheduledWork {
  private let scheduler: any Scheduler
  private let rounds: Counter
  private let abandoned: Counter
  init(on scheduler: any Scheduler, _ rounds: Counter, _ abandoned: Counter) {
    (self.scheduler, self.rounds, self.abandoned) = (scheduler, rounds, abandoned)
  }

  func run() {
    rounds.add()
    scheduler.lineUp(self)
  }
  func abandon() { abandoned.add() }
}

/// The last number of each thread.
private final class Last: @unchecked Sendable {  // what is tested
  var numbers = [-1, -1, -1, -1]
}

/// Counts what became of pieces of work.
private final class Tally: Sendable {
  let runs = Counter()
  let abandoned = Counter()
  let twice = Counter()

  func piece() -> Piece { Piece(self) }

  final class Piece: ScheduledWork, @unchecked Sendable {  // atomic
    private var claimWord: UInt64 = 0
    private let tally: Tally
    init(_ tally: Tally) { self.tally = tally }

    private func decide(_ counter: Counter) {
      if !OnceFlag(AtomicWord(property: 0, of: self)).claim() { tally.twice.add() }
      counter.add()
    }
    func run() { decide(tally.runs) }
    func abandon() { decide(tally.abandoned) }
  }
}
