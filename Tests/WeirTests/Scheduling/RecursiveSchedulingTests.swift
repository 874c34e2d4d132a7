// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// Work that asks to be run again.
struct RecursiveSchedulingTests {
  @Test("F2 F7 AC41: a hundred thousand rounds on the immediate scheduler run in constant stack")
  func immediate() {
    withSmallStack {
      let rounds = Box(0)
      ImmediateScheduler.immediate.scheduleRecursive { again in
        rounds.value += 1
        if rounds.value < manyRounds { again() }
      }
      #expect(rounds.value == manyRounds)
    }
  }

  @Test(
    "F2: every round runs with its scheduler as the current one, even if that runs work inside `enqueue`")
  func current() {
    let schedulers: [any Scheduler] = [
      Inline(), SerialScheduler(on: .immediate),
      SerialScheduler(on: SerialScheduler(on: .immediate)),
    ]
    for scheduler in schedulers {
      let isCurrent = Box<[Bool]>([])
      scheduler.scheduleRecursive { again in
        isCurrent.value.append(scheduler.isCurrent)
        if isCurrent.value.count < 3 { again() }
      }
      #expect(isCurrent.value == [true, true, true])
    }
  }

  private final class Inline: Scheduler {
    func enqueue(_ work: any ScheduledWork) { performAsCurrent { work.run() } }
  }

  @Test("F6: work that another thread schedules on a serial scheduler during a round runs after that round")
  func serialRounds() {
    let bottom = SerialScheduler(on: .immediate)
    for scheduler in [bottom, SerialScheduler(on: bottom)] {
      let (log, scheduled) = (Box<[String]>([]), Door())
      scheduler.scheduleRecursive { _ in
        log.value.append("begin")
        SystemThread.start(named: "other") {
          scheduler.schedule { log.value.append("other") }
          bottom.schedule { log.value.append("below") }
          scheduled.open()
        }
        scheduled.pass()
        log.value.append("end")
      }
      #expect(log.value.prefix(2) == ["begin", "end"] && Set(log.value.suffix(2)) == ["other", "below"])
    }
  }

  @Test("F3: memory stays constant over recursive rounds")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let scheduler = QueuedScheduler()
      let work = scheduler.scheduleRecursive { again in again() }
      #expect(allocatedGrowth { scheduler.runOne() } < spareMemory)
      work.dispose()
      scheduler.stop()
    }
  }

  @Test("F4: a round requested inside another one begins after that has returned, and each request counts")
  func flattened() {
    for makesItself in [true, false] {
      let queued = QueuedScheduler()
      let scheduler: any Scheduler = makesItself ? .immediate : queued
      let log = Box<[String]>([])
      scheduler.scheduleRecursive { again in
        let round = log.value.count / 2
        log.value.append("begin \(round)")
        if round == 0 {
          again()
          again()
        }
        log.value.append("end \(round)")
      }
      queued.runAll()
      #expect(log.value == ["begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2"])
    }
  }

  @Test("other work runs between two rounds")
  func fairness() {
    let (scheduler, log) = (QueuedScheduler(), Box<[String]>([]))
    let work = scheduler.scheduleRecursive { again in
      log.value.append("round")
      again()
    }
    scheduler.schedule { log.value.append("other") }
    for _ in 0..<4 { scheduler.runOne() }
    #expect(log.value == ["round", "other", "round", "round"])
    work.dispose()
    scheduler.stop()
  }

  @Test("a round requested outside of a round is scheduled at that time")
  func later() {
    let (scheduler, rounds) = (QueuedScheduler(), Box(0))
    let kept = Box<Recursion?>(nil)
    scheduler.scheduleRecursive { again in
      rounds.value += 1
      kept.value = again
    }
    scheduler.runAll()
    #expect(rounds.value == 1)
    kept.value?()
    #expect(rounds.value == 1)
    scheduler.runAll()
    #expect(rounds.value == 2)
    kept.value = nil
  }

  @Test("F5: disposal inside a round prevents the next one, and the closure is released when the round ends")
  func disposedInside() {
    let (scheduler, resources, rounds) = (QueuedScheduler(), Resources(), Box(0))
    let work = scheduler.scheduleRecursive { [token = resources.make()] again in
      _ = token
      rounds.value += 1
      again()
      again.dispose()
    }
    scheduler.runAll()
    #expect(rounds.value == 1 && work.isDisposed)
    #expect(resources.alive == 0)
  }

  @Test("disposal between two rounds releases the closure at once")
  func disposedBetween() {
    let (scheduler, resources) = (QueuedScheduler(), Resources())
    let work = scheduler.scheduleRecursive { [token = resources.make()] again in
      _ = token
      again()
    }
    scheduler.runOne()
    #expect(resources.alive == 1)
    work.dispose()
    #expect(resources.alive == 0)
    scheduler.runAll()
  }

  @Test(
    "contract 7: disposed recursive work does not retain its scheduler",
    arguments: [true, false])
  func letsGoOfScheduler(isWaiting: Bool) {
    weak var gone: QueuedScheduler?
    let (work, kept): (any Disposable, Box<Recursion?>) = {
      let (scheduler, kept) = (QueuedScheduler(), Box<Recursion?>(nil))
      gone = scheduler
      let work = scheduler.scheduleRecursive { again in kept.value = again }
      scheduler.runAll()
      if isWaiting { kept.value?() }
      return (work, kept)
    }()
    #expect(gone != nil)
    work.dispose()
    #expect(gone == nil)
    kept.value?()
    kept.value = nil
  }

  @Test("a scheduler that is shut down between two rounds releases the closure")
  func abandoned() {
    let (scheduler, resources) = (QueuedScheduler(), Resources())
    let work = scheduler.scheduleRecursive { [token = resources.make()] again in
      _ = token
      again()
    }
    scheduler.runOne()
    scheduler.stop()
    #expect(work.isDisposed && resources.alive == 0)
  }
}
