// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

struct SerialSchedulerTests {
  @Test("I8: on a pool of four threads a serial scheduler runs work one at a time, first in, first out")
  func serial() {
    let scheduler = SerialScheduler(on: WorkerPool(threads: 4))
    let (log, overlaps, running, done) = (Box<[Int]>([]), Counter(), Counter(), Door())
    for number in 0..<100_000 {
      scheduler.schedule {
        if running.add() != 0 { overlaps.add() }
        log.value.append(number)
        running.add(-1)
      }
    }
    scheduler.schedule { done.open() }
    done.pass()
    #expect(log.value.elementsEqual(0..<100_000))
    #expect(overlaps.value == 0)
  }

  @Test("two serial schedulers on one pool do not wait for each other")
  func independent() {
    let pool = WorkerPool(threads: 2)
    let (blocked, free) = (SerialScheduler(on: pool), SerialScheduler(on: pool))
    let (begun, door, done) = (Door(), Door(), Door())
    blocked.schedule {
      begun.open()
      door.pass()
      done.open()
    }
    begun.pass()
    free.schedule { done.open() }
    done.pass()
    door.open()
    done.pass()
  }

  @Test("I6: inside its work a serial scheduler is the current one, not the scheduler below")
  func current() {
    let queued = QueuedScheduler()
    let scheduler = SerialScheduler(on: queued)
    scheduler.schedule { #expect(scheduler.isCurrent && !queued.isCurrent) }
    queued.schedule { #expect(!scheduler.isCurrent && queued.isCurrent) }
    queued.runAll()
    #expect(Schedulers.current == nil)
  }

  @Test("a burst is one piece of work for the scheduler below, which can run other work after 256 pieces")
  func portions() {
    let (queued, runs) = (QueuedScheduler(), Counter())
    let scheduler = SerialScheduler(on: queued)
    for _ in 0..<600 { scheduler.schedule { runs.add() } }
    queued.schedule { #expect(runs.value == 256) }
    for expected in [256, 256, 512, 600] {
      queued.runOne()
      #expect(runs.value == expected)
    }
    queued.runAll()
  }

  @Test(
    "a serial scheduler returns to the one below when a hop, or a serial scheduler on it, lines up again",
    arguments: [true, false])
  func linesUpBelow(isHop: Bool) {
    let (queued, runs) = (QueuedScheduler(), Counter())
    let busy = SerialScheduler(on: queued)
    if isHop {
      let source = Subject<Int, Never>()
      source.observe(on: busy).subscribe { _ in runs.add() }
      for number in 0..<10_000 { source.send(number) }
    } else {
      let above = SerialScheduler(on: busy)
      for _ in 0..<10_000 { above.schedule { runs.add() } }
    }
    queued.runOne()
    #expect(runs.value == (isHop ? 1_024 : 256))
    queued.runAll()
    #expect(runs.value == 10_000)
  }

  @Test("recursive rounds count as pieces of work: the scheduler below can run other work after 256 of them")
  func recursivePortions() {
    let (queued, rounds) = (QueuedScheduler(), Counter())
    let scheduler = SerialScheduler(on: queued)
    scheduler.scheduleRecursive { again in if rounds.add() < 599 { again() } }
    for expected in [256, 512, 600] {
      queued.runOne()
      #expect(rounds.value == expected)
    }
    queued.runAll()
  }

  @Test("work scheduled inside a piece of work runs after that piece")
  func nested() {
    for makesItself in [true, false] {
      let queued = QueuedScheduler()
      let scheduler = makesItself ? SerialScheduler(on: .immediate) : SerialScheduler(on: queued)
      let log = Box<[String]>([])
      scheduler.schedule {
        log.value.append("begin")
        scheduler.schedule { log.value.append("nested") }
        log.value.append("end")
      }
      queued.runAll()
      #expect(log.value == ["begin", "end", "nested"])
    }
  }

  @Test(
    "F2 F7 AC41: a hundred thousand recursive rounds run on a pool, and in constant stack on the immediate scheduler"
  )
  func recursive() {
    let (rounds, done) = (Counter(), Door())
    SerialScheduler(on: WorkerPool(threads: 2)).scheduleRecursive { again in
      if rounds.add() < 99_999 { again() } else { done.open() }
    }
    done.pass()
    #expect(rounds.value == 100_000)
    withSmallStack {
      let scheduler = SerialScheduler(on: .immediate)
      let rounds = Box(0)
      scheduler.scheduleRecursive { again in
        rounds.value += 1
        if rounds.value < 300_000 { again() }
      }
      #expect(rounds.value == 300_000)
    }
  }

  @Test("a serial scheduler that nothing else retains runs its queued work, and is then deallocated")
  func released() {
    let (queued, runs, resources) = (QueuedScheduler(), Counter(), Resources())
    weak var gone: SerialScheduler?
    do {
      let scheduler = SerialScheduler(on: queued)
      gone = scheduler
      for _ in 0..<300 { scheduler.schedule { [token = resources.make()] in _ = (runs.add(), token) } }
    }
    #expect(gone != nil)
    queued.runAll()
    #expect(runs.value == 300 && resources.alive == 0)
    #expect(gone == nil)
  }

  @Test(
    "contract 7: after a shutdown, of its own or of the one below, a serial scheduler is released like any other",
    arguments: [true, false])
  func releasedAfterShutdown(isItsOwn: Bool) {
    let queued = QueuedScheduler()
    weak var gone: SerialScheduler?
    do {
      let scheduler = SerialScheduler(on: queued)
      gone = scheduler
      scheduler.schedule {}
      if isItsOwn { scheduler.close() } else { queued.stop() }
      queued.runAll()
    }
    #expect(gone == nil)
  }

  @Test("when the scheduler below is shut down, queued and new work is abandoned")
  func targetStopped() {
    let (queued, resources) = (QueuedScheduler(), Resources())
    let scheduler = SerialScheduler(on: queued)
    let early = scheduler.schedule { [token = resources.make()] in _ = token }
    queued.stop()
    #expect(early.isDisposed && resources.alive == 0)
    let late = scheduler.schedule { [token = resources.make()] in _ = token }
    #expect(late.isDisposed && resources.alive == 0)
    let refused = SerialScheduler(on: queued)
    #expect(refused.schedule {}.isDisposed)
  }

  @Test("I5: timers run on a serial scheduler, with it as the current one")
  func timed() {
    let (scheduler, done) = (SerialScheduler(), Door())
    let begin = ContinuousClock.now
    scheduler.schedule(after: .milliseconds(5)) {
      #expect(scheduler.isCurrent && ContinuousClock.now - begin >= .milliseconds(5))
      done.open()
    }
    done.pass()
  }

  @Test("memory stays constant in a steady state")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let queued = QueuedScheduler()
      let scheduler = SerialScheduler(on: queued)
      let growth = allocatedGrowth {
        for _ in 0..<3 { scheduler.schedule {} }
        queued.runAll()
      }
      #expect(growth < spareMemory)
    }
  }
}
