// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir

/// An actor that notices if two threads are in it.
private actor Guarded {
  nonisolated let executor: SchedulerSerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var isBusy = false
  private(set) var count = 0
  private(set) var overlaps = 0

  init(_ scheduler: some Scheduler) { executor = SchedulerSerialExecutor(serial: scheduler) }

  func enter() {
    if isBusy { overlaps += 1 }
    isBusy = true
    // Long enough for another thread to come.
    for _ in 0..<20 { weir_yield() }
    count += 1
    isBusy = false
  }
}

extension Stress {
  @Suite struct ExecutorStress {
    init() { perturb() }

    @Test(
      "an actor runs all its jobs, one at a time, while its scheduler is shut down and afterwards",
      arguments: [Duration.zero, .seconds(60)])
    func shutdown(limit: Duration) async {
      for _ in 0..<roundCount(200) {
        let scheduler = SerialScheduler()
        let guarded = Guarded(scheduler)
        await withTaskGroup { group in
          for task in 0..<3 {
            group.addTask {
              for round in 0..<100 {
                await guarded.enter()
                if task == 0, round == 20 { Task { _ = await scheduler.shutdown(within: limit) } }
              }
            }
          }
        }
        #expect(await guarded.count == 300)
        #expect(await guarded.overlaps == 0)
      }
    }
  }
}
