// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CWeirAtomics

/// `ring-store-call` and `exchange-call`: storing and delivering a value without a library. A store into a
/// ring of 16, or an exchange that replaces a value that other threads read, and a call of a subscriber that
/// adds to a counter.
enum LimitStores {
  static var benchmarks: [Benchmark] {
    [
      LimitTurns.benchmark("ring-store-call", sum: LimitTurns.sumOfValues, word: newestInFirstSlot) {
        turn, count in ringStoreAndCallLoop(turn.word, turn.sink, count)
      },
      LimitTurns.benchmark("exchange-call", sum: LimitTurns.sumOfValues, word: { $0 - 1 }) { turn, count in
        exchangeAndCallLoop(turn.word, turn.sink, count)
      },
    ]
  }

  private static func newestInFirstSlot(_ count: Int) -> Int { (count - 1) & ~(Turn.ringSize - 1) }
}

@inline(never)
func ringStoreAndCallLoop(_ ring: UnsafeMutablePointer<UInt64>, _ sink: (Int) -> Void, _ count: Int) {
  var next = 0
  for value in 0..<count {
    ring[next] = UInt64(truncatingIfNeeded: value)
    next = next &+ 1 == Turn.ringSize ? 0 : next &+ 1
    sink(value)
  }
}

@inline(never)
func exchangeAndCallLoop(_ word: UnsafeMutablePointer<UInt64>, _ sink: (Int) -> Void, _ count: Int) {
  for value in 0..<count {
    _ = weir_exchange_seq_cst_u64(word, UInt64(truncatingIfNeeded: value))
    sink(value)
  }
}
