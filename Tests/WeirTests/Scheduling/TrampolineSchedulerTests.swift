// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct TrampolineSchedulerTests {
  @Test(
    "the first piece runs at once; what is scheduled inside runs after it, first in, first out, before the outer call returns"
  )
  func nested() {
    let (scheduler, log) = (TrampolineScheduler.trampoline, Box<[String]>([]))
    #expect(!scheduler.isCurrent)
    scheduler.schedule {
      #expect(scheduler.isCurrent)
      log.value.append("begin")
      scheduler.schedule {
        log.value.append("first")
        scheduler.schedule { log.value.append("third") }
      }
      scheduler.schedule { log.value.append("second") }
      log.value.append("end")
    }
    #expect(log.value == ["begin", "end", "first", "second", "third"])
    #expect(!scheduler.isCurrent)
  }

  @Test("threads share nothing: each runs its own work, also while another one is blocked in there")
  func threads() {
    let (begun, free, done) = (Door(), Door(), Counter())
    withThreads(2) { index in
      if index == 0 {
        TrampolineScheduler.trampoline.schedule {
          begun.open()
          free.pass()
          done.add()
        }
        return
      }
      begun.pass()
      let ran = Box(false)
      TrampolineScheduler.trampoline.schedule { ran.value = true }
      #expect(ran.value && done.value == 0)
      free.open()
    }
    #expect(done.value == 1)
  }

  @Test("the trampoline leaves the surrounding scheduler in place")
  func current() {
    let queued = QueuedScheduler()
    queued.schedule { TrampolineScheduler.trampoline.schedule { #expect(queued.isCurrent) } }
    queued.runAll()
  }

  @Test("what was taken back before its turn does not run")
  func takenBack() {
    TrampolineScheduler.trampoline.schedule {
      TrampolineScheduler.trampoline.schedule { Issue.record("it was taken back") }.dispose()
    }
  }

  @Test(
    "F2 F7 AC41: a hundred thousand recursive rounds in constant stack, and as many that schedule the next by hand"
  )
  func recursive() {
    withSmallStack {
      let rounds = Box(0)
      TrampolineScheduler.trampoline.scheduleRecursive { again in
        rounds.value += 1
        if rounds.value < manyRounds { again() }
      }
      #expect(rounds.value == manyRounds)
      byHand(manyRounds, rounds)
      #expect(rounds.value == 2 * manyRounds)
    }
  }
}

private func byHand(_ left: Int, _ rounds: Box<Int>) {
  if left == 0 { return }
  TrampolineScheduler.trampoline.schedule {
    rounds.value += 1
    byHand(left - 1, rounds)
  }
}
