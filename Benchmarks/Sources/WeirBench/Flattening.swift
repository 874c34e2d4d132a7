// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import MutexBaseline
import Weir

/// `flat-map-just`, `flat-map-inner`, `concat-map-just`, `switch-just`: each value of a subject becomes a
/// signal of one value.
enum Flattening {
  static var benchmarks: [Benchmark] {
    FlatMapJust.compared + FlatMapInner.compared + [ConcatMapJust.weir, SwitchJust.weir]
  }
}

/// What all scenarios in this file deliver: every value of one subject, with a mark added by the inner signal
/// and one by the subscriber.
protocol FlatteningScenario: OperatorScenario {}

extension FlatteningScenario {
  static var sourceCount: Int { 1 }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) { (OperatorScenarios.sum(count), 2 * count) }
}

enum FlatMapJust: FlatteningScenario, ComparedScenario {
  static let name = "flat-map-just"
  static var mark: Int { 60 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0].flatMap { .just($0 &+ mark(WeirSource.self)) }.subscribe {
      cell.add($0 &+ mark(WeirSource.self))
    }
  }

  @inline(never)
  static func subscribe<S: MutexSource>(_ sources: ContiguousArray<S>, _ cell: Cell) -> MutexDisposal {
    sources[0].flatMap {
      .just($0 &+ mark(S.self))
    } next: {
      cell.add($0 &+ mark(S.self))
    }
  }
}

/// The inner signals have an operator of their own, so what they send cannot be known beforehand.
enum FlatMapInner: FlatteningScenario, ComparedScenario {
  static let name = "flat-map-inner"
  static var mark: Int { 70 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0].flatMap { Signal<Int, Never>.just($0).map { $0 &+ mark(WeirSource.self) } }
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  @inline(never)
  static func subscribe<S: MutexSource>(_ sources: ContiguousArray<S>, _ cell: Cell) -> MutexDisposal {
    sources[0].flatMap {
      MutexSignal.just($0).map { $0 &+ mark(S.self) }
    } next: {
      cell.add($0 &+ mark(S.self))
    }
  }
}

enum ConcatMapJust: FlatteningScenario {
  static let name = "concat-map-just"
  static var mark: Int { 80 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0].flatMap(.concat) { .just($0 &+ mark(WeirSource.self)) }
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }
}

enum SwitchJust: FlatteningScenario {
  static let name = "switch-just"
  static var mark: Int { 100 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0].map { Signal<Int, Never>.just($0 &+ mark(WeirSource.self)) }.switchToLatest()
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }
}
