// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport
import Weir

/// `score`: each word becomes a signal of its letters, which are mapped to points and added up; a word with
/// enough points becomes a signal of one value, with a bonus; the maximum is the result. `hand-score`: the
/// loops that one would write instead. One operation is one of 20,000 words.
enum Score {
  static var benchmarks: [Benchmark] {
    [benchmark("score", .weir, weirScore), benchmark("hand-score", .limit, handScore)]
  }

  /// - Parameter run: returns the best score of the words.
  static func benchmark(
    _ scenario: String, _ implementation: Implementation,
    _ run: @escaping (_ words: [[UInt8]], _ rules: ScoreRules) -> Int
  ) -> Benchmark {
    benchmark(
      scenario, implementation,
      measured: { words, rules, runs in
        var sum = 0
        let sample = measure(runs * words.count) {
          for _ in 0..<runs { sum += run(words, rules) }
        }
        return (sample, sum)
      })
  }

  /// - Parameter measured: processes the words several times, and returns the sum of the best scores.
  static func benchmark(
    _ scenario: String, _ implementation: Implementation,
    measured: @escaping (_ words: [[UInt8]], _ rules: ScoreRules, _ runs: Int) -> (Sample, sum: Int)
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: implementation) {
      let rules = ScoreRules()
      return { operations in
        let runs = (operations + words.count - 1) / words.count
        let (sample, sum) = measured(words, rules, runs)
        verify("\(scenario) \(implementation.name), best", sum, equals: runs * best)
        return sample
      }
    }
  }

  /// Words of 1 to 16 letters, the same in every run.
  static let words: [[UInt8]] = {
    var state: UInt64 = 1
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    return (0..<20_000).map { _ in (0...next(16)).map { _ in UInt8(97 + next(26)) } }
  }()

  /// The best score, computed in a way that is not measured.
  private static let best: Int = {
    let rules = ScoreRules()
    return words.map { $0.map(rules.points).reduce(0, +) }.filter(rules.isEnough).map(rules.withBonus).max()
      ?? 0
  }()
}

/// Known only at run time.
struct ScoreRules: Sendable {
  private let mask = Int(bench_opaque_int(7))
  private let enough = Int(bench_opaque_int(20))
  private let bonus = Int(bench_opaque_int(50))

  @inline(__always) func points(_ letter: UInt8) -> Int { Int(letter) & mask &+ 1 }
  @inline(__always) func isEnough(_ score: Int) -> Bool { score >= enough }
  @inline(__always) func withBonus(_ score: Int) -> Int { score &+ bonus }
}

@inline(never)
private func weirScore(_ words: [[UInt8]], _ rules: ScoreRules) -> Int {
  // One thread writes it, before it is read.
  nonisolated(unsafe) var best = 0
  _ = Signal<[UInt8], Never>(words)
    .flatMap { (word: [UInt8]) -> Signal<Int, Never> in
      Signal<UInt8, Never>(word).map { rules.points($0) }.reduce(0) { $0 &+ $1 }
    }
    .filter { rules.isEnough($0) }
    .flatMap { (score: Int) -> Signal<Int, Never> in .just(score).map { rules.withBonus($0) } }
    .reduce(0) { max($0, $1) }
    .subscribe { best = $0 }
  return best
}

@inline(never)
private func handScore(_ words: [[UInt8]], _ rules: ScoreRules) -> Int {
  var best = 0
  for word in words {
    var score = 0
    for letter in word { score &+= rules.points(letter) }
    if rules.isEnough(score) { best = max(best, rules.withBonus(score)) }
  }
  return best
}
