// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport

/// `hop-latency-p50/…`, `hop-latency-p99/…`: the time from before a number is sent until it is received. `back-to-back`: the next one is
/// sent when this one has come. `idle`: 50 µs later, when whoever received it has gone to sleep.
enum Latency {
  static var benchmarks: [Benchmark] {
    Pause.allCases.flatMap { pause in
      Percentile.allCases.flatMap { percentile in
        [
          latency(WeirPoolHop.self, pause, percentile), latency(WeirThreadHop.self, pause, percentile),
          latency(DispatchHop.self, pause, percentile), latency(OpenCombineHop.self, pause, percentile),
          latency(AsyncStreamHop.self, pause, percentile),
        ]
      }
    }
  }

  private enum Pause: String, CaseIterable {
    case none = "back-to-back"
    case idle

    var nanoseconds: Int64 { self == .none ? 0 : 50_000 }
  }

  private enum Percentile: Int, CaseIterable {
    case median = 50
    case tail = 99
  }

  private static func latency<H: MeasuredHop>(_: H.Type, _ pause: Pause, _ percentile: Percentile)
    -> Benchmark
  {
    Benchmark(
      scenario: "hop-latency-p\(percentile.rawValue)/\(pause.rawValue)", implementation: H.implementation
    ) {
      let arrival = Arrival()
      let received = Cells(count: 1)
      let cell = received.cell(0)
      return { wanted in
        let operations = max(200, wanted)
        received.reset()
        let hop = H { _ in
          cell.add(Int(bench_monotonic_ns()))
          arrival.report()
        }
        var times: [Int] = []
        times.reserveCapacity(operations)
        for number in 0..<operations {
          let start = Int(bench_monotonic_ns())
          hop.send(number)
          arrival.wait()
          times.append(received[0] - start)
          received.reset()
          let next = bench_monotonic_ns() + pause.nanoseconds
          while bench_monotonic_ns() < next {}
        }
        hop.end()
        times.sort()
        let time = times[times.count * percentile.rawValue / 100]
        return Sample(operations: operations, nanoseconds: Int64(time * operations), heap: HeapUse())
      }
    }
  }
}
