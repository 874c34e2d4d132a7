// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Weir

/// A task that takes the values of a subject one by one.
struct WeirValuesHop: MeasuredHop {
  static var implementation: Implementation { .weirValues }
  private let subject = Subject<Int, Never>()

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    let iterator = Handed(subject.values(waiting: .unbounded).makeAsyncIterator())
    Task.detached {
      var values = iterator.content
      while let number = await values.next(isolation: nil) { receive(number) }
    }
  }

  @inline(__always) func send(_ number: Int) { subject.send(number) }
  func end() { subject.complete() }
}

/// A task that takes all waiting values at once.
struct WeirChunksHop: MeasuredHop {
  static var implementation: Implementation { .weirChunks }
  private let subject = Subject<Int, Never>()

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    let iterator = Handed(subject.values(waiting: .unbounded).chunks.makeAsyncIterator())
    Task.detached {
      var chunks = iterator.content
      while let chunk = await chunks.next(isolation: nil) { for number in chunk { receive(number) } }
    }
  }

  @inline(__always) func send(_ number: Int) { subject.send(number) }
  func end() { subject.complete() }
}

/// Something that is used by another task than the one that has created it.
private final class Handed<Content>: @unchecked Sendable {  // handed over once
  let content: Content
  init(_ content: Content) { self.content = content }
}

/// `task/burst`: a task sends 1,024 values and then takes them itself; the time of both, per value.
enum TaskBursts {
  static var benchmarks: [Benchmark] {
    [burst(.weirValues, values), burst(.weirChunks, chunks), burst(.asyncStream, stream)]
  }

  private static let burstSize = 1_024

  private static func burst(
    _ implementation: Implementation, _ run: @escaping @Sendable (_ bursts: Int, Cell) async -> Void
  ) -> Benchmark {
    Benchmark(scenario: "task/burst", implementation: implementation, fewest: 10 * burstSize) {
      let (cells, arrival) = (Cells(count: 1), Arrival())
      let cell = cells.cell(0)
      return { wanted in
        cells.reset()
        let bursts = max(1, wanted / burstSize)
        var sample = measure(bursts * burstSize) {
          Task.detached {
            await run(bursts, cell)
            arrival.report()
          }
          arrival.wait()
        }
        // This thread only waits, and the allocations of the tasks' threads are not counted.
        sample.heap = nil
        verify(
          "task/burst \(implementation.name)", cells[0], equals: bursts * burstSize * (burstSize - 1) / 2)
        return sample
      }
    }
  }

  @Sendable private static func values(_ bursts: Int, _ cell: Cell) async {
    let subject = Subject<Int, Never>()
    var iterator = subject.values().makeAsyncIterator()
    for _ in 0..<bursts {
      for number in 0..<burstSize { subject.send(number) }
      for _ in 0..<burstSize { cell.add(await iterator.next(isolation: nil) ?? 0) }
    }
  }

  @Sendable private static func chunks(_ bursts: Int, _ cell: Cell) async {
    let subject = Subject<Int, Never>()
    var iterator = subject.values().chunks.makeAsyncIterator()
    for _ in 0..<bursts {
      for number in 0..<burstSize { subject.send(number) }
      for number in await iterator.next(isolation: nil) ?? [] { cell.add(number) }
    }
  }

  @Sendable private static func stream(_ bursts: Int, _ cell: Cell) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    var iterator = stream.makeAsyncIterator()
    for _ in 0..<bursts {
      for number in 0..<burstSize { continuation.yield(number) }
      for _ in 0..<burstSize { cell.add(await iterator.next(isolation: nil) ?? 0) }
    }
  }
}
