// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `hop/subject`: one thread sends as fast as it can, another one adds the numbers up; the time until the
/// last number has arrived, divided by the number of numbers. `hop/range`: the same from a range, where the
/// source costs nothing. What the other thread allocates is not counted.
enum Throughput {
  static var benchmarks: [Benchmark] {
    [
      subject(WeirPoolHop.self), subject(WeirSpinningHop.self), subject(WeirThreadHop.self),
      subject(RingHop.self),
      subject(ConditionHop.self),
      subject(DispatchHop.self),
      subject(WeirValuesHop.self), subject(WeirChunksHop.self),
      subject(OpenCombineHop.self), subject(AsyncStreamHop.self), subject(AsyncChannelHop.self),
      range(),
    ]
  }

  /// With fewer, the result would be how long the receiver takes to wake up.
  private static let fewest = 100_000

  private static func subject<H: MeasuredStream>(_: H.Type) -> Benchmark {
    Benchmark(scenario: "hop/subject", implementation: H.implementation, fewest: fewest) {
      let (cells, arrival) = (Cells(count: 1), Arrival())
      let cell = cells.cell(0)
      return { operations in
        cells.reset()
        let hop = H { number in
          if number == Arrival.last { arrival.report() } else { cell.add(number) }
        }
        var sample = measure(operations) {
          hop.sendAll(operations)
          arrival.wait()
        }
        sample.heap = nil
        hop.end()
        verify("hop/subject \(H.implementation.name)", cells[0], equals: operations * (operations - 1) / 2)
        return sample
      }
    }
  }

  private static func range() -> Benchmark {
    Benchmark(scenario: "hop/range", implementation: .weirThread, fewest: fewest) {
      let (cells, arrival) = (Cells(count: 1), Arrival())
      let cell = cells.cell(0)
      return { operations in
        cells.reset()
        let thread = ThreadScheduler()
        var sample = measure(operations) {
          rangeLoop(on: thread, cell, arrival, operations)
          arrival.wait()
        }
        sample.heap = nil
        thread.stop()
        verify("hop/range", cells[0], equals: operations * (operations - 1) / 2)
        return sample
      }
    }
  }
}
