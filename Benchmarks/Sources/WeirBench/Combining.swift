// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// `merge/8`, `combine-latest/2`, `combine-latest/4`, `zip/2`, `with-latest/2`: values of several subjects
/// are combined; one thread sends.
enum Combining {
  static var benchmarks: [Benchmark] {
    Merge8.compared + CombineLatest2.compared + [CombineLatest4.weir] + Zip2.compared + WithLatest2.compared
  }
}

enum Merge8: ComparedScenario {
  static let name = "merge/8"
  static let sourceCount = 8
  static var mark: Int { 10 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    Signal.merge(sources.map { $0.signal }).subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  @inline(never)
  static func subscribe<S: MutexSource>(_ sources: ContiguousArray<S>, _ cell: Cell) -> MutexDisposal {
    S.merge(Array(sources)) { cell.add($0 &+ mark(S.self)) }
  }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) { (OperatorScenarios.sum(count), count) }
}

enum CombineLatest2: ComparedScenario {
  static let name = "combine-latest/2"
  static let sourceCount = 2
  static var mark: Int { 20 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0].combineLatest(with: sources[1]).map { $0 &+ $1 &+ mark(WeirSource.self) }
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  @inline(never)
  static func subscribe<S: MutexSource>(_ sources: ContiguousArray<S>, _ cell: Cell) -> MutexDisposal {
    sources[0].combineLatest(with: sources[1]) {
      $0 &+ $1 &+ mark(S.self)
    } next: {
      cell.add($0 &+ mark(S.self))
    }
  }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) {
    (sumOfNewest(count, of: sourceCount), 2 * count)
  }
}

enum CombineLatest4: OperatorScenario {
  static let name = "combine-latest/4"
  static let sourceCount = 4
  static var mark: Int { 30 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0].combineLatest(with: sources[1], sources[2], sources[3]).map {
      $0 &+ $1 &+ $2 &+ $3 &+ mark(WeirSource.self)
    }
    .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) {
    (sumOfNewest(count, of: sourceCount), 2 * count)
  }
}

/// Every second value completes a pair.
enum Zip2: ComparedScenario {
  static let name = "zip/2"
  static let sourceCount = 2
  static var mark: Int { 40 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0].zip(with: sources[1]).map { $0 &+ $1 &+ mark(WeirSource.self) }
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  @inline(never)
  static func subscribe<S: MutexSource>(_ sources: ContiguousArray<S>, _ cell: Cell) -> MutexDisposal {
    sources[0].zip(with: sources[1]) {
      $0 &+ $1 &+ mark(S.self)
    } next: {
      cell.add($0 &+ mark(S.self))
    }
  }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) { (OperatorScenarios.sum(count), count) }
}

/// The second source has sent one value; only the first one sends during the measurement.
enum WithLatest2: ComparedScenario {
  static let name = "with-latest/2"
  static let sourceCount = 2
  static let senderCount = 1
  static var mark: Int { 50 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0].withLatest(from: sources[1]).map { $0 &+ $1 &+ mark(WeirSource.self) }
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  @inline(never)
  static func subscribe<S: MutexSource>(_ sources: ContiguousArray<S>, _ cell: Cell) -> MutexDisposal {
    sources[0].withLatest(from: sources[1]) {
      $0 &+ $1 &+ mark(S.self)
    } next: {
      cell.add($0 &+ mark(S.self))
    }
  }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) {
    (OperatorScenarios.sum(count) + count * OperatorScenarios.primer, 2 * count)
  }
}

/// The sum over all combinations of the newest values of sources that send in turn.
private func sumOfNewest(_ count: Int, of sources: Int) -> Int {
  var newest = [Int](repeating: OperatorScenarios.primer, count: sources)
  var sum = 0
  for value in 0..<count {
    newest[value % sources] = value
    sum &+= newest.reduce(0, &+)
  }
  return sum
}
