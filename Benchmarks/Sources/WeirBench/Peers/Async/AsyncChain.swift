// Part of Weir. SPDX-License-Identifier: Apache-2.0
import AsyncAlgorithms
import BenchmarkKit

/// Scenarios in which one task sends each value into an `AsyncStream` and immediately takes it at the end of
/// a chain: nothing ever waits or changes threads.
enum AsyncChain {
  static var benchmarks: [Benchmark] {
    [
      benchmark("emit/1", .asyncStream, mark: 1, sum: OperatorScenarios.sum) {
        await sendAndTake($0, $1, $2, mark: 1, $3)
      },
      benchmark(HotChain3.name, .asyncStream, mark: 2, sum: { HotChain3.expected($0).sum }) {
        await sendAndTake($0, $1.threeOperators(HotChain.constants), $2, mark: 2, $3)
      },
      benchmark(HotMaps10.name, .asyncStream, mark: 3, sum: { HotMaps10.expected($0).sum }) {
        await sendAndTake($0, $1.tenMaps(HotChain.constants), $2, mark: 3, $3)
      },
      benchmark(
        ScanDistinctTake.name, .asyncAlgorithms, mark: 4, sum: { ScanDistinctTake.expected($0).sum }
      ) {
        let chain = $1.reductions(0) { ScanDistinctTake.gather($0, $1) }.removeDuplicates().prefix(.max)
        await sendAndTake($0, chain, $2, mark: 4, $3)
      },
      benchmark(ConcatMapJust.name, .asyncAlgorithms, mark: 5, sum: OperatorScenarios.sum) {
        await sendAndTake($0, $1.flatMap { CollectionOfOne($0).async }, $2, mark: 5, $3)
      },
    ]
  }

  private static func benchmark(
    _ scenario: String, _ implementation: Implementation, mark: Int, sum: @escaping (_ count: Int) -> Int,
    _ run:
      @escaping @Sendable (
        _ continuation: AsyncStream<Int>.Continuation, _ stream: AsyncStream<Int>, _ cell: Cell, _ count: Int
      ) async -> Void
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: implementation) {
      let cells = Cells(count: 1)
      let cell = cells.cell(0)
      return { operations in
        cells.reset()
        let sample = measureInOneTask(operations) {
          let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
          await run(continuation, stream, cell, operations)
        }
        verify(
          "\(scenario) \(implementation.name), checksum", cells[0],
          equals: sum(operations) + operations * mark)
        return sample
      }
    }
  }
}

@inline(never)
private func sendAndTake<Chain: AsyncSequence>(
  _ continuation: AsyncStream<Int>.Continuation, _ chain: Chain, _ cell: Cell, mark: Int, _ count: Int
) async where Chain.Element == Int, Chain.Failure == Never {
  var iterator = chain.makeAsyncIterator()
  for value in 0..<count {
    continuation.yield(value)
    guard let last = await iterator.next(isolation: nil) else { return }
    cell.add(last &+ mark)
  }
}

// The operators of the chains. Closure types are spelled out as in Weir's.
extension AsyncSequence where Element == Int, Failure == Never {
  func threeOperators(_ constants: Constants) -> some AsyncSequence<Int, Never> {
    let (factor, offset) = (constants.factor, constants.offset)
    let (mask, rejected) = (constants.mask, constants.rejected)
    return
      self
      .map { (x: Int) -> Int in x &* factor }
      .filter { (x: Int) -> Bool in x & mask != rejected }
      .map { (x: Int) -> Int in x &+ offset }
  }

  func tenMaps(_ constants: Constants) -> some AsyncSequence<Int, Never> {
    let (factor, offset) = (constants.factor, constants.offset)
    return
      self
      .map { (x: Int) -> Int in (x &* factor) ^ 0 }
      .map { (x: Int) -> Int in (x &+ offset) ^ 1 }
      .map { (x: Int) -> Int in (x &* factor) ^ 2 }
      .map { (x: Int) -> Int in (x &+ offset) ^ 3 }
      .map { (x: Int) -> Int in (x &* factor) ^ 4 }
      .map { (x: Int) -> Int in (x &+ offset) ^ 5 }
      .map { (x: Int) -> Int in (x &* factor) ^ 6 }
      .map { (x: Int) -> Int in (x &+ offset) ^ 7 }
      .map { (x: Int) -> Int in (x &* factor) ^ 8 }
      .map { (x: Int) -> Int in (x &+ offset) ^ 9 }
  }

  func tenOperators(_ constants: Constants) -> some AsyncSequence<Int, Never> {
    let (factor, offset) = (constants.factor, constants.offset)
    let (mask, rejected) = (constants.mask, constants.rejected)
    return
      self
      .map { (x: Int) -> Int in x &* factor }
      .filter { (x: Int) -> Bool in x & mask != rejected }
      .map { (x: Int) -> Int in x &+ offset }
      .filter { (x: Int) -> Bool in x & mask != rejected }
      .map { (x: Int) -> Int in x &* factor }
      .filter { (x: Int) -> Bool in x & mask != rejected }
      .map { (x: Int) -> Int in x &+ offset }
      .filter { (x: Int) -> Bool in x & mask != rejected }
      .map { (x: Int) -> Int in x &* factor }
      .filter { (x: Int) -> Bool in x & mask != rejected }
  }
}
