// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `emit-many/N`: one thread sends to N subjects in turn, each with one subscriber, which adds to a counter
/// of its own. The next subject is always far away: so a send finds nothing in the nearest caches.
/// `property-set-many/N` is the same for a value that is set.
enum EmitToMany {
  static let sourceCount = 20_000
  /// From one subject to the next. A prime, so that all get their turn.
  private static let step = 7_919

  static var benchmarks: [Benchmark] {
    [
      benchmark("emit-many") { WeirSubject() }, benchmark("emit-many") { CopySubject() },
      benchmark("emit-many") { InsideSubject() }, benchmark("emit-many") { SnapshotSubject() },
      limit,
      benchmark("property-set-many") { WeirProperty() }, benchmark("property-set-many") { MutexCurrent() },
    ]
  }

  static func benchmark<S: MeasuredSource>(_ name: String, _ makeSource: @escaping () -> S) -> Benchmark {
    benchmark(name, S.implementation, mark: S.mark) { cells in
      let sources = ContiguousArray((0..<sourceCount).map { _ in makeSource() })
      let tokens = sources.enumerated().map { $1.subscribe(summingInto: cells.cell($0)) }
      return { count in
        withExtendedLifetime(tokens) { sources.withUnsafeBufferPointer { emitToManyLoop($0, count) } }
      }
    }
  }

  /// The calls of the subscribers.
  private static var limit: Benchmark {
    benchmark("emit-many", .limit, mark: 7) { cells in
      let targets = ContiguousArray(
        (0..<sourceCount).map { index in
          let cell = cells.cell(index)
          return ClosureTarget { cell.add($0 &+ 7) }
        })
      return { count in
        targets.withUnsafeBufferPointer { owned in
          owned.withMemoryRebound(to: Unmanaged<ClosureTarget>.self) { callManyLoop($0, count) }
        }
      }
    }
  }

  private static func benchmark(
    _ name: String, _ implementation: Implementation, mark: Int,
    _ makeLoop: @escaping (_ cells: Cells) -> (_ count: Int) -> Void
  ) -> Benchmark {
    let scenario = "\(name)/\(sourceCount)"
    return Benchmark(scenario: scenario, implementation: implementation, fewest: sourceCount) {
      let cells = Cells(count: sourceCount)
      let loop = makeLoop(cells)
      return { operations in
        cells.reset()
        let sample = measure(operations) { loop(operations) }
        verify(
          "\(scenario) \(implementation.name), checksum", (0..<sourceCount).reduce(0) { $0 + cells[$1] },
          equals: operations * (operations - 1) / 2 + operations * mark)
        return sample
      }
    }
  }

  @inline(__always)
  static func next(_ index: Int) -> Int {
    let next = index &+ step
    return next < sourceCount ? next : next &- sourceCount
  }
}

@inline(never)
func emitToManyLoop<S: MeasuredSource>(_ sources: UnsafeBufferPointer<S>, _ count: Int) {
  var index = 0
  for value in 0..<count {
    sources[index].send(value)
    index = EmitToMany.next(index)
  }
}

@inline(never)
func callManyLoop(_ targets: UnsafeBufferPointer<Unmanaged<ClosureTarget>>, _ count: Int) {
  var index = 0
  for value in 0..<count {
    targets[index]._withUnsafeGuaranteedRef { $0.call(value) }
    index = EmitToMany.next(index)
  }
}
