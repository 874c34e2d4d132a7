// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `calls/4`, `composed-maps/10`, `hand-scan-distinct-take`: hot chains without a subject. Map, filter, map
/// and subscriber as closures that the compiler cannot see into; ten maps in one such closure, and a
/// subscriber; scan, comparison and count in one closure with a state, and a subscriber.
enum LimitChains {
  static var benchmarks: [Benchmark] {
    [
      benchmark("calls/4", fourCallsLoop) { checksum3($0, HotChain.constants) },
      benchmark("composed-maps/10", composedMapsLoop) { count in
        (0..<count).reduce(0) { $0 &+ transformByTenMaps($1, HotChain.constants) }
      },
      benchmark("hand-scan-distinct-take", statefulLoop) { $0 * ($0 - 1) },
    ]
  }

  private static func benchmark(
    _ scenario: String, _ run: @escaping (_ stages: Stages, _ count: Int) -> Void,
    sum: @escaping (_ count: Int) -> Int
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: .limit) {
      let cells = Cells(count: 1)
      let stages = Stages(HotChain.constants, cells.cell(0))
      var expected = (operations: -1, sum: 0)
      return { operations in
        // So that all repetitions begin in the same state.
        stages.gather(OperatorScenarios.primer)
        cells.reset()
        let hidden = opaque(stages)
        let sample = measure(operations) { run(hidden, operations) }
        if expected.operations != operations { expected = (operations, sum(operations)) }
        verify("\(scenario), checksum", cells[0], equals: expected.sum + operations * stagesMark)
        return sample
      }
    }
  }
}

/// Closures that the compiler cannot see into.
private final class Stages {
  let scale: (Int) -> Int
  let keeps: (Int) -> Bool
  let shift: (Int) -> Int
  let mapTenTimes: (Int) -> Int
  let gather: (Int) -> Void
  let sink: (Int) -> Void

  init(_ constants: Constants, _ cell: Cell) {
    let (factor, offset) = (constants.factor, constants.offset)
    let (mask, rejected) = (constants.mask, constants.rejected)
    scale = { $0 &* factor }
    keeps = { $0 & mask != rejected }
    shift = { $0 &+ offset }
    mapTenTimes = { value in
      var x = value
      for pair in 0..<5 { x = (((x &* factor) ^ 2 &* pair) &+ offset) ^ (2 &* pair &+ 1) }
      return x
    }
    let sink: (Int) -> Void = { cell.add($0 &+ stagesMark) }
    self.sink = sink
    let state = State()
    gather = { value in
      let result = ScanDistinctTake.gather(state.sum, value)
      state.sum = result
      if state.last == result || state.left == 0 { return }
      state.last = result
      state.left -= 1
      sink(result)
    }
  }

  final class State {
    var sum = 0
    var last: Int?
    var left = Int.max
  }
}

@inline(never)
private func fourCallsLoop(_ stages: Stages, _ count: Int) {
  let (scale, keeps, shift, sink) = (stages.scale, stages.keeps, stages.shift, stages.sink)
  for value in 0..<count {
    let scaled = scale(value)
    if keeps(scaled) { sink(shift(scaled)) }
  }
}

@inline(never)
private func composedMapsLoop(_ stages: Stages, _ count: Int) {
  let (transform, sink) = (stages.mapTenTimes, stages.sink)
  for value in 0..<count { sink(transform(value)) }
}

@inline(never)
private func statefulLoop(_ stages: Stages, _ count: Int) {
  let gather = stages.gather
  for value in 0..<count { gather(value) }
}

/// The number that the subscriber adds to the value, see `MeasuredSource.mark`.
private var stagesMark: Int { 8 }
