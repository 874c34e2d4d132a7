// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CWeirAtomics

/// `calls/2`, `cas-call`, `cas-2-calls`: flattening and combining without a library. One call is a subscriber
/// that adds to a counter; two calls are a function of the user and the subscriber. The compare-and-swap is
/// that of the shim that Weir itself uses; it counts the values, and would admit one thread at a time.
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
  ///   - sum: the sum that the subscriber must have added up after so many values.
  ///   - word: the value that the first word of the turn must have then.
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

/// A subscriber and a function that the compiler cannot see into, and one word for the swaps or a ring of
/// words, on cache lines of its own.
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

/// The number that the subscriber adds to the value, see `MeasuredSource.mark`.
private var turnMark: Int { 7 }
