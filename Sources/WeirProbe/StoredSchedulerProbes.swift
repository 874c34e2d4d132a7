// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Debounce on an `any TimedScheduler`, as programs store one. Apart from ``TimeProbe``, where one more case
/// changes what the optimiser makes of the others.
enum StoredSchedulerProbe: String, CaseIterable, Probe {
  case debounce = "debounce-any"

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    let (scheduler, source) = (SteppedScheduler(), Source())
    subscribe(source, scheduler, cell)
    CountedHeap.watch { probeEmit(source, count) }
    scheduler.step()
  }

  @inline(never)
  private func subscribe(_ source: Source, _ scheduler: any TimedScheduler, _ cell: Cell) {
    nonisolated(unsafe) let cell = cell  // the probes run on one thread
    source.debounce(.seconds(1), on: scheduler).subscribe { cell.pointee &+= $0 &+ 59 }
  }

  /// After `count` values from 0 upwards were sent and then a second passed.
  func expected(_ count: Int) -> Int { count - 1 + 59 }
}
