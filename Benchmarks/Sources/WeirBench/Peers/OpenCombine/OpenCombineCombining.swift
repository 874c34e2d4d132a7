// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import OpenCombine

// OpenCombine 0.14 has neither merge nor combineLatest nor anything like withLatest.

/// A flattened sequence of subjects, in place of merge.
extension Merge8: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources.map(\.subject).publisher.flatMap { $0 }
      .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}

extension Zip2: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources[0].subject.zip(sources[1].subject).map { $0 &+ $1 &+ mark(OpenCombineSource.self) }
      .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}

extension FlatMapJust: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources[0].subject.flatMap { Just($0 &+ mark(OpenCombineSource.self)) }
      .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}

extension FlatMapInner: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources[0].subject.flatMap {
      Just($0).eraseToAnyPublisher().map { $0 &+ mark(OpenCombineSource.self) }
    }
    .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}

/// One publisher at a time, with a buffer before it: a subject drops values for which there is no demand.
extension ConcatMapJust: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources[0].subject.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest)
      .flatMap(maxPublishers: .max(1)) { Just($0 &+ mark(OpenCombineSource.self)) }
      .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}

extension SwitchJust: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources[0].subject.map { Just($0 &+ mark(OpenCombineSource.self)) }.switchToLatest()
      .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}
