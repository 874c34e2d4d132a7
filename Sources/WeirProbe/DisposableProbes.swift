// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// Disposables that are created, stored, removed and disposed.
enum DisposableProbe: String, CaseIterable, Probe {
  case action = "action-disposable"
  case compound = "compound-add-remove"
  case serial = "serial-swap"

  @inline(never)
  func run(_ cell: Cell, _ count: Int) {
    switch self {
    case .action: CountedHeap.watch { probeActionDisposable(cell, count) }
    case .compound:
      let (compound, first) = (CompoundDisposable(), Subscription())
      for _ in 0..<100 { compound.add(Subscription()) }
      cell.pointee = CountedHeap.watch { probeCompoundAddRemove(compound, first, count) }
    case .serial:
      cell.pointee = CountedHeap.watch { probeSerialSwap(SerialDisposable(), Subscription(), count) }
    }
  }

  func expected(_ count: Int) -> Int { count }
}

@inline(never)
func probeActionDisposable(_ cell: Cell, _ count: Int) {
  for _ in 0..<count { createAndDispose(cell) }
}

@inline(never)
private func createAndDispose(_ cell: Cell) {
  nonisolated(unsafe) let cell = cell  // the probes run on one thread
  ActionDisposable { cell.pointee &+= 1 }.dispose()
}

@inline(never)
func probeCompoundAddRemove(_ compound: CompoundDisposable, _ added: Subscription, _ count: Int) -> Int {
  (0..<count).reduce(0) { sum, _ in sum &+ (compound.add(added).remove() ? 1 : 0) }
}

/// How many disposables were in the slot, including the last one.
@inline(never)
func probeSerialSwap(_ serial: SerialDisposable, _ put: Subscription, _ count: Int) -> Int {
  let replaced = (0..<count).reduce(0) { sum, _ in sum &+ (serial.swap(put) == nil ? 0 : 1) }
  return replaced &+ (serial.disposable == nil ? 0 : 1)
}
