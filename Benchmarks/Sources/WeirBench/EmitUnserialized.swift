// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Weir

/// `emit-unserialized/K`: `emit/K` with the subject for a single producer.
enum EmitUnserialized {
  static var benchmarks: [Benchmark] {
    Emit.subscriberCounts.map {
      Emit.benchmark("emit-unserialized/\($0)", subscribers: $0, UnserializedSource.init)
    }
  }
}

private struct UnserializedSource: MeasuredSource {
  static let implementation = Implementation.weir
  static var mark: Int { 31 }
  private let subject = UnserializedSubject<Int, Never>()

  @inline(never)
  func subscribe(summingInto cell: Cell) -> Subscription { subject.subscribe { cell.add($0 &+ Self.mark) } }

  @inline(__always)
  func send(_ value: Int) { subject.send(value) }
}
