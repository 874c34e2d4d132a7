// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import CBenchSupport

/// `hop-latency-p50/…`, `hop-latency-p99/…`: the time from just before a number is sent until it is received.
/// `back-to-back`: the next one is sent when this one has arrived. `idle`: it is sent 50 µs later, when the
/// receiver has gone to sleep. `hop-latency/…`: the times of which these are percentiles, as a histogram.
struct Latency {
  private(set) var scenarios = TimedScenarios()

  init() {
    for pause in Pause.allCases {
      add(WeirPoolHop.self, pause)
      add(WeirSpinningHop.self, pause)
      add(WeirThreadHop.self, pause)
      add(WeirValuesHop.self, pause)
      add(DispatchHop.self, pause)
      add(OpenCombineHop.self, pause)
      add(AsyncStreamHop.self, pause)
      add(ConditionHop.self, pause)
      add(RingHop.self, pause)
    }
  }

  private enum Pause: String, CaseIterable {
    case none = "back-to-back"
    case idle

    var nanoseconds: Int64 { self == .none ? 0 : 50_000 }
    /// How many values are sent in a repetition. With pauses there are fewer: a fast hop would otherwise take
    /// many times as long as its values need.
    var most: Int { self == .none ? 100_000 : 1_000 }
  }

  private mutating func add<H: MeasuredHop>(_: H.Type, _ pause: Pause) {
    scenarios.add("hop-latency", pause.rawValue, H.implementation) { wanted in
      Self.times(H.self, min(max(200, wanted), pause.most), pause)
    }
  }

  /// How many numbers are sent before those whose times count: the hop is new, and its threads must start
  /// first.
  private static let unmeasured = 16

  /// Sends `count` numbers, and returns how long each was on its way.
  private static func times<H: MeasuredHop>(_: H.Type, _ operations: Int, _ pause: Pause) -> [Int] {
    let (arrival, received) = (Arrival(), Cells(count: 1))
    let cell = received.cell(0)
    let hop = H { _ in
      cell.add(Int(bench_monotonic_ns()))
      arrival.report()
    }
    var times: [Int] = []
    times.reserveCapacity(operations)
    for number in 0..<unmeasured + operations {
      let start = Int(bench_monotonic_ns())
      hop.send(number)
      arrival.wait()
      if number >= unmeasured { times.append(received[0] - start) }
      received.reset()
      let next = bench_monotonic_ns() + pause.nanoseconds
      while bench_monotonic_ns() < next {}
    }
    hop.end()
    return times
  }
}
