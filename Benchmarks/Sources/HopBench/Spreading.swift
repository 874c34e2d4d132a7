// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Dispatch
import Weir

/// `spread/K`: a thread sends values with 64 keys. Each value causes K rounds of arithmetic, of one or two
/// nanoseconds each, which continue those of the previous value with its key. `limit` does them in the loop
/// that sends, `weir-one` on one worker, `weir` on two, with half of the keys on each.
enum Spreading {
  static var benchmarks: [Benchmark] {
    [64, 512].flatMap { rounds in
      [
        spread(rounds, over: 2, .weir), spread(rounds, over: 1, .weirOne),
        inline(rounds),
      ]
    }
  }

  private static let keyCount = 64
  /// With fewer, the result would be how long the workers take to wake up.
  private static let fewest = 20_000

  @inline(never)
  private static func partitioned(into count: Int, _ run: Run) -> Subject<Int, Never> {
    let source = Subject<Int, Never>()
    source.partitioned(by: { $0 % keyCount }, into: count).subscribe { partition in
      partition.observe(on: SerialScheduler(), waiting: .unbounded)
        .subscribe(next: { run.work(on: $0) }, completed: { run.end() })
    }
    return source
  }

  private static func spread(_ rounds: Int, over workers: Int, _ implementation: Implementation) -> Benchmark
  {
    Benchmark(scenario: "spread/\(rounds)", implementation: implementation, fewest: fewest) {
      { operations in
        let run = Run(rounds: rounds, workers: workers)
        let source = partitioned(into: workers, run)
        var sample = measure(operations) {
          for value in 0..<operations { source.send(value) }
          source.complete()
          run.wait()
        }
        // What the workers allocate is not counted.
        sample.heap = nil
        verify("spread/\(rounds) \(implementation.name)", run.sum, equals: run.expected(operations))
        return sample
      }
    }
  }

  private static func inline(_ rounds: Int) -> Benchmark {
    Benchmark(scenario: "spread/\(rounds)", implementation: .limit, fewest: fewest) {
      { operations in
        let run = Run(rounds: rounds, workers: 0)
        let sample = measure(operations) { for value in 0..<operations { run.work(on: value) } }
        verify("spread/\(rounds) limit", run.sum, equals: run.expected(operations))
        return sample
      }
    }
  }

  /// One repetition: the results for each key, each on a cache line of its own that only one worker uses.
  private final class Run: @unchecked Sendable {  // only its worker uses the count of a key
    private let rounds: Int
    private let workers: Int
    private let keys = Cells(count: keyCount * Cells.intsPerLine)
    /// Sleeps while it waits: spinning would take one of two processors away from the workers.
    private let ended = DispatchSemaphore(value: 0)

    init(rounds: Int, workers: Int) {
      self.rounds = rounds
      self.workers = workers
    }

    func work(on value: Int) {
      keys.cell(0).count(value % keyCount, by: result(of: value))
    }

    func end() { ended.signal() }
    func wait() { for _ in 0..<workers { ended.wait() } }

    var sum: Int { (0..<keyCount).reduce(0) { $0 &+ keys[$1 * Cells.intsPerLine] } }
    func expected(_ count: Int) -> Int { (0..<count).reduce(0) { $0 &+ result(of: $1) } }

    /// Each round depends on the one before it, so the processor cannot run them in parallel.
    @inline(never)
    private func result(of value: Int) -> Int {
      var state = UInt64(truncatingIfNeeded: value)
      for _ in 0..<rounds { state = (state ^ state >> 29) &* 0x9E37_79B9_7F4A_7C15 }
      return Int(truncatingIfNeeded: state >> 32)
    }
  }
}
