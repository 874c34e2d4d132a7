// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct TrampolineSchedulerTests {
  @Test(
    "the first piece runs at once; nested ones run after it, first in, first out, before the outer call returns"
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

  @Test("each thread runs its own work, even while another one is blocked in the trampoline")
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

  @Test("inside the trampoline the surrounding scheduler stays the current one")
  func current() {
    let queued = QueuedScheduler()
    queued.schedule { TrampolineScheduler.trampoline.schedule { #expect(queued.isCurrent) } }
    queued.runAll()
  }

  @Test("nested work that is disposed before it begins does not run")
  func takenBack() {
    TrampolineScheduler.trampoline.schedule {
      TrampolineScheduler.trampoline.schedule { Issue.record("it was taken back") }.dispose()
    }
  }

  @Test(
    "F2 F7 AC41: a hundred thousand rounds run in constant stack, recursive ones and ones that schedule the next"
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
