// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import OpenCombine

/// A cancellable with a closure; a set of them; a variable that is overwritten, which cancels what it held.
enum OpenCombineDisposables {
  static var benchmarks: [Benchmark] {
    [
      Disposables.action(.openCombine, actionLoop), Disposables.compound(.openCombine, compoundRun),
      Disposables.serial(.openCombine, serialLoop),
    ]
  }

  @inline(never)
  private static func actionLoop(_ cell: Cell, _ count: Int) {
    for _ in 0..<count { opaque(AnyCancellable { cell.add(1) }).cancel() }
  }

  private static func compoundRun(_ staying: Cell, _ passing: Cell, _ count: Int) -> Sample {
    var compound: Set<AnyCancellable> = []
    for _ in 0..<Disposables.held { compound.insert(AnyCancellable { staying.add(1) }) }
    var isOver = false
    // Cancels when it is released, as all cancellables do.
    let action = AnyCancellable { if !isOver { passing.add(1) } }
    let sample = measure(count) { compoundLoop(&compound, action, count) }
    withExtendedLifetime(action) { isOver = true }
    return sample
  }

  @inline(never)
  private static func compoundLoop(
    _ compound: inout Set<AnyCancellable>, _ action: AnyCancellable, _ count: Int
  ) {
    for _ in 0..<count {
      compound.insert(action)
      compound.remove(action)
    }
  }

  @inline(never)
  private static func serialLoop(_ cell: Cell, _ count: Int) {
    var slot: AnyCancellable?
    for _ in 0..<count { slot = opaque(AnyCancellable { cell.add(1) }) }
    slot?.cancel()
  }
}
