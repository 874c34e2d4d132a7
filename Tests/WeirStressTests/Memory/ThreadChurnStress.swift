// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

extension Stress {
  /// Threads that come and go by the thousand. The system gives the memory of one that has ended to the next,
  /// and with it the address by which the library knows a thread, and the words that belong to it.
  @Suite struct ThreadChurnStress {
    init() { perturb() }

    @Test(
      "short-lived threads that send, subscribe and schedule receive their own values and leave nothing behind"
    )
    func churn() {
      let blocksBefore = blocksAlive()
      let (resources, wrong) = (Resources(), Counter())
      do {
        let subject = Subject<Int, Never>()
        let replaying = ReplaySubject<Int, Never>(capacity: 4)
        let pool = WorkerPool(threads: 2)
        let scheduled = Counter()
        let (rounds, threads) = (500 * scale, 4)
        for round in 0..<rounds {
          withThreads(threads) { index in
            let number = round * threads + index
            wrong.add(Self.thread(number, subject, replaying, resources))
            pool.schedule { [token = resources.make()] in
              _ = token
              scheduled.add()
            }
          }
        }
        while scheduled.value < rounds * threads { weir_yield() }
        #expect(wrong.value == 0)
      }
      let patience = ContinuousClock.now + .seconds(60)
      while resources.alive > 0, ContinuousClock.now < patience { weir_yield() }
      #expect(resources.problem == nil)
      expectBlocks(notAbove: blocksBefore)
    }

    /// What one thread does in its life. Returns how much of it went wrong.
    private static func thread(
      _ number: Int, _ subject: Subject<Int, Never>, _ replaying: ReplaySubject<Int, Never>,
      _ resources: Resources
    ) -> Int {
      var wrong = 0
      // The words of a thread are fresh, although an earlier thread used the same memory.
      if weir_thread_release_queue()[0] != 0 || weir_thread_release_queue()[1] != 0 { wrong += 1 }
      if weir_thread_trampoline().pointee != nil || weir_thread_scheduler().pointee != nil { wrong += 1 }
      if weir_thread_command().pointee != nil { wrong += 1 }
      if Schedulers.current != nil || TrampolineScheduler.trampoline.isCurrent { wrong += 1 }
      let seen = Counter()
      let token = resources.make()
      let own = subject.subscribe { value in
        _ = token
        if value != number { return }
        // A nested send, which must not be taken for one of a thread that has ended.
        if seen.add() == 0 { subject.send(number) }
      }
      let late = replaying.subscribe { _ in _ = token }
      subject.send(number)
      replaying.send(number)
      // Others may be delivering for this thread.
      while seen.value < 2 { weir_yield() }
      let order = Counter()
      TrampolineScheduler.trampoline.schedule {
        TrampolineScheduler.trampoline.schedule { [token] in
          _ = token
          if order.value == 1 { order.add() }
        }
        order.add()
      }
      if order.value != 2 { wrong += 1 }
      // Released without disposal: by way of the thread's own queue.
      _ = CompoundDisposable([CompoundDisposable([ActionDisposable { [token] in _ = token }])])
      own.dispose()
      late.dispose()
      return wrong
    }

    @Test("pools that live for one piece of work run it and leave nothing behind")
    func pools() {
      let blocksBefore = blocksAlive()
      let resources = Resources()
      for _ in 0..<roundCount(500) {
        let done = Counter()
        let scheduler = SerialScheduler(on: WorkerPool(threads: 2))
        scheduler.schedule { [token = resources.make()] in
          _ = token
          done.add()
        }
        while done.value == 0 { weir_yield() }
      }
      expectBlocks(notAbove: blocksBefore)
      #expect(resources.problem == nil)
    }
  }
}
