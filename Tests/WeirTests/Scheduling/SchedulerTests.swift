// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What all schedulers have in common, tested on one whose queue the test runs.
struct SchedulerTests {
  @Test("I7: an action that is disposed before it begins does not run, and is released at once")
  func takenBack() {
    let (scheduler, resources, ran) = (QueuedScheduler(), Resources(), Box(0))
    let scheduled = scheduler.schedule { [token = resources.make()] in
      _ = token
      ran.value += 1
    }
    #expect(!scheduled.isDisposed && resources.alive == 1)
    scheduled.dispose()
    #expect(resources.alive == 0)
    scheduler.runAll()
    #expect(ran.value == 0)
  }

  @Test("I7: disposal does not stop an action that has begun; it is released when it has run")
  func begun() {
    let (scheduler, resources, ran) = (QueuedScheduler(), Resources(), Box(0))
    let own = Box<(any Disposable)?>(nil)
    own.value = scheduler.schedule { [token = resources.make()] in
      _ = token
      #expect(own.value?.isDisposed == true)
      own.value?.dispose()
      ran.value += 1
    }
    scheduler.runAll()
    #expect(ran.value == 1)
    #expect(resources.alive == 0)
  }

  @Test("an action that a scheduler abandons does not run, and is disposed and released")
  func abandoned() {
    let (scheduler, resources, ran) = (QueuedScheduler(), Resources(), Counter())
    let schedule = { [scheduler, resources, ran] in
      scheduler.schedule { [token = resources.make()] in withExtendedLifetime(token) { _ = ran.add() } }
    }
    let early = schedule()
    scheduler.stop()
    let late = schedule()
    #expect(early.isDisposed && late.isDisposed)
    #expect(resources.alive == 0 && ran.value == 0)
  }

  @Test("I6: the current scheduler is the innermost one that runs the code, and is restored afterwards")
  func current() {
    let (outer, inner) = (QueuedScheduler(), QueuedScheduler())
    #expect(Schedulers.current == nil)
    outer.schedule {
      #expect(outer.isCurrent && !inner.isCurrent)
      inner.schedule { #expect(inner.isCurrent && !outer.isCurrent) }
      inner.runAll()
      ImmediateScheduler.immediate.schedule { #expect(outer.isCurrent) }
      #expect(Schedulers.current === outer)
    }
    outer.runAll()
    #expect(Schedulers.current == nil && !outer.isCurrent)
  }

  @Test("I9: the immediate scheduler runs an action at once, returns it disposed, and is no TimedScheduler")
  func immediate() {
    let ran = Box(false)
    let scheduler: any Scheduler = .immediate
    #expect(scheduler.schedule { ran.value = true }.isDisposed)
    #expect(ran.value)
    #expect(!(scheduler is any TimedScheduler))
  }
}
