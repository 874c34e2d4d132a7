// Part of Weir. SPDX-License-Identifier: Apache-2.0
import AsyncAlgorithms
import BenchmarkKit

/// A range as an asynchronous sequence, and its operators.
enum AsyncCold {
  static var benchmarks: [Benchmark] {
    [
      benchmark("cold-chain/0", chain0, checksum: ColdChain.checksum0),
      benchmark("cold-chain/3", chain3, checksum: checksum3),
      benchmark("cold-chain/10", chain10, checksum: checksum10),
      benchmark("cold-maps/10", maps10, checksum: ColdChain.checksumOfMaps),
    ]
  }

  private static func benchmark(
    _ scenario: String,
    _ run: @escaping @Sendable (_ count: Int, _ constants: Constants, _ cell: Cell) async -> Void,
    checksum: @escaping (_ count: Int, _ constants: Constants) -> Int
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: .asyncAlgorithms) {
      let cells = Cells(count: 1)
      let cell = cells.cell(0)
      let constants = Constants()
      return { operations in
        cells.reset()
        let sample = measureInOneTask(operations) { await run(operations, constants, cell) }
        verify(
          "\(scenario) async-algorithms, checksum", cells[0], equals: checksum(operations, constants))
        return sample
      }
    }
  }

  @Sendable @inline(never)
  private static func chain0(_ count: Int, _ constants: Constants, _ cell: Cell) async {
    let sink = HiddenSink.into(cell)
    for await value in (0..<count).async { sink(value) }
  }

  @Sendable @inline(never)
  private static func chain3(_ count: Int, _ constants: Constants, _ cell: Cell) async {
    for await value in (0..<count).async.threeOperators(constants) { cell.add(value) }
  }

  @Sendable @inline(never)
  private static func chain10(_ count: Int, _ constants: Constants, _ cell: Cell) async {
    for await value in (0..<count).async.tenOperators(constants) { cell.add(value) }
  }

  @Sendable @inline(never)
  private static func maps10(_ count: Int, _ constants: Constants, _ cell: Cell) async {
    let sink = HiddenSink.into(cell)
    for await value in (0..<count).async.tenMaps(constants) { sink(value) }
  }
}
