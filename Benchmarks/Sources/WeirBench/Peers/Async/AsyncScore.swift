// Part of Weir. SPDX-License-Identifier: Apache-2.0
import AsyncAlgorithms
import BenchmarkKit

/// Words, and the letters of each, as asynchronous sequences.
enum AsyncScore {
  static var benchmarks: [Benchmark] {
    [
      Score.benchmark(
        "score", .asyncAlgorithms,
        measured: { words, rules, runs in
          let sum = SharedCells(count: 1)
          let cell = sum.cell(0)
          let sample = measureInOneTask(runs * words.count) {
            for _ in 0..<runs { cell.add(await run(words, rules)) }
          }
          return (sample, sum.cells[0])
        })
    ]
  }

  @Sendable @inline(never)
  private static func run(_ words: [[UInt8]], _ rules: ScoreRules) async -> Int {
    await words.async
      .map { (word: [UInt8]) in await word.async.map { rules.points($0) }.reduce(0) { $0 &+ $1 } }
      .filter { rules.isEnough($0) }
      .flatMap { (score: Int) in CollectionOfOne(score).async.map { rules.withBonus($0) } }
      .reduce(0) { max($0, $1) }
  }
}
