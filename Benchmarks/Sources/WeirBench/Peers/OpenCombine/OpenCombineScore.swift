// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import OpenCombine

/// The usual form: the letters of a word are mapped as an array, and added up immediately.
enum OpenCombineScore {
  static var benchmarks: [Benchmark] { [Score.benchmark("score", .openCombine, run)] }

  @inline(never)
  private static func run(_ words: [[UInt8]], _ rules: ScoreRules) -> Int {
    var best = 0
    _ = words.publisher
      .flatMap { (word: [UInt8]) in word.publisher.map { rules.points($0) }.reduce(0) { $0 &+ $1 } }
      .filter { rules.isEnough($0) }
      .flatMap { (score: Int) in Just(score).map { rules.withBonus($0) } }
      .reduce(0) { max($0, $1) }
      .sink { best = $0 }
    return best
  }
}
