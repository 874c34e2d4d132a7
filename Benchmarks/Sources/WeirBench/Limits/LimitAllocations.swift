// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CWeirAtomics

/// `allocate-rmw`, `allocate-2-cas`: an object of two words created and released, with the fewest atomic
/// operations that a disposal, or a subscription and its end, can do with. `allocate-action`: an object with
/// a closure, which is a second allocation and is called once.
enum LimitAllocations {
  static var benchmarks: [Benchmark] {
    [
      benchmark("allocate-rmw", word: { $0 }, allocateAndAddLoop),
      benchmark("allocate-2-cas", word: { 2 * $0 }, allocateAndSwapTwiceLoop),
      benchmark("allocate-action", word: { _ in 0 }) { _, cell, count in allocateActionLoop(cell, count) },
    ]
  }

  private static func benchmark(
    _ scenario: String, word expected: @escaping (_ count: Int) -> Int,
    _ run: @escaping (_ word: UnsafeMutablePointer<UInt64>, _ cell: Cell, _ count: Int) -> Void
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: .limit) {
      let cells = Cells(count: 1)
      let turn = Turn(cells.cell(0))
      return { operations in
        cells.reset()
        weir_store_relaxed_u64(turn.word, 0)
        let sample = measure(operations) { run(turn.word, cells.cell(0), operations) }
        verify("\(scenario), released", cells[0], equals: operations)
        verify("\(scenario), word", Int(weir_load_relaxed_u64(turn.word)), equals: expected(operations))
        return sample
      }
    }
  }
}

/// Counts its deinitialization: a side effect, so the compiler cannot leave the object out.
private final class TwoWords {
  private let cell: Cell
  private let step: Int

  init(_ cell: Cell, _ step: Int) {
    self.cell = cell
    self.step = step
  }

  deinit { cell.add(step) }
}

private final class Action {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}

@inline(never)
private func allocateAndAddLoop(_ word: UnsafeMutablePointer<UInt64>, _ cell: Cell, _ count: Int) {
  for _ in 0..<count {
    _ = opaque(TwoWords(cell, 1))
    _ = weir_add_seq_cst_u64(word, 1)
  }
}

@inline(never)
private func allocateAndSwapTwiceLoop(_ word: UnsafeMutablePointer<UInt64>, _ cell: Cell, _ count: Int) {
  for number in 0..<UInt64(count) {
    let object = opaque(TwoWords(cell, 1))
    _ = weir_compare_exchange_seq_cst_u64(word, 2 &* number, 2 &* number &+ 1)
    withExtendedLifetime(object) {}
    _ = weir_compare_exchange_seq_cst_u64(word, 2 &* number &+ 1, 2 &* number &+ 2)
  }
}

@inline(never)
private func allocateActionLoop(_ cell: Cell, _ count: Int) {
  for _ in 0..<count { opaque(Action { cell.add(1) }).run() }
}
