// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CWeirAtomics

/// `calls/2`, `cas-call`, `cas-2-calls`: what flattening and combining come down to without a library. One
/// call is a sink that adds to a counter, two are a function of the user's and the sink. The compare-and-swap
/// is the shim's that Weir itself uses; it counts the values, and would admit one thread at a time.
enum LimitTurns {
  static var benchmarks: [Benchmark] {
    [
      benchmark("calls/2", sum: sumOfSuccessors, word: { _ in 0 }) { turn, count in
        twoCallsLoop(turn.sink, turn.transform, count)
      },
      benchmark("cas-call", sum: sumOfValues, word: { $0 }) { turn, count in
        swapAndCallLoop(turn.word, turn.sink, count)
      },
      benchmark("cas-2-calls", sum: sumOfSuccessors, word: { $0 }) { turn, count in
        swapAndTwoCallsLoop(turn.word, turn.sink, turn.transform, count)
      },
    ]
  }

  /// - Parameters:
  ///   - sum: what the sink must have added up to when there were so many values.
  ///   - word: what must stand in the first word of the turn then.
  static func benchmark(
    _ scenario: String, sum: @escaping (_ count: Int) -> Int, word: @escaping (_ count: Int) -> Int,
    _ run: @escaping (_ turn: Turn, _ count: Int) -> Void
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: .limit) {
      let cells = Cells(count: 1)
      let turn = Turn(cells.cell(0))
      return { operations in
        cells.reset()
        weir_store_relaxed_u64(turn.word, 0)
        let hidden = opaque(turn)
        let sample = measure(operations) { run(hidden, operations) }
        verify("\(scenario), checksum", cells[0], equals: sum(operations) + operations * turnMark)
        verify("\(scenario), word", Int(weir_load_relaxed_u64(turn.word)), equals: word(operations))
        return sample
      }
    }
  }

  static func sumOfValues(_ count: Int) -> Int { count * (count - 1) / 2 }

  private static func sumOfSuccessors(_ count: Int) -> Int { sumOfValues(count) + count }
}

/// A sink and a function that the compiler does not know, and a word for the swaps or a ring of them, on
/// cache lines of its own.
final class Turn {
  static var ringSize: Int { 16 }

  let word = weir_block_allocate(8 * ringSize).assumingMemoryBound(to: UInt64.self)
  let transform: (Int) -> Int = { $0 &+ 1 }
  let sink: (Int) -> Void

  init(_ cell: Cell) { sink = { cell.add($0 &+ turnMark) } }

  deinit { weir_block_free(word, 8 * Self.ringSize) }
}

@inline(never)
func twoCallsLoop(_ sink: (Int) -> Void, _ transform: (Int) -> Int, _ count: Int) {
  for value in 0..<count { sink(transform(value)) }
}

@inline(never)
func swapAndCallLoop(_ word: UnsafeMutablePointer<UInt64>, _ sink: (Int) -> Void, _ count: Int) {
  for value in 0..<UInt64(count) where weir_compare_exchange_seq_cst_u64(word, value, value &+ 1) {
    sink(Int(truncatingIfNeeded: value))
  }
}

@inline(never)
func swapAndTwoCallsLoop(
  _ word: UnsafeMutablePointer<UInt64>, _ sink: (Int) -> Void, _ transform: (Int) -> Int, _ count: Int
) {
  for value in 0..<UInt64(count) where weir_compare_exchange_seq_cst_u64(word, value, value &+ 1) {
    sink(transform(Int(truncatingIfNeeded: value)))
  }
}

/// What the sink adds besides the value, see `MeasuredSource.mark`.
private var turnMark: Int { 7 }
