// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Weir

/// `hot-chain-plain/3`, `hot-maps-plain/10`: the hot chains with closures that capture nothing, like most
/// closures of a program. Those of the other hot chains capture numbers that are known only at run time. The
/// compiler can leave out neither the filter nor a checksum.
enum HotChainPlain3: OperatorScenario {
  static let name = "hot-chain-plain/3"
  static let sourceCount = 1
  static var mark: Int { 180 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0]
      .map { (x: Int) -> Int in x &* 3 }
      .filter { (x: Int) -> Bool in x != -1 }
      .map { (x: Int) -> Int in x &+ 7 }
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) {
    (3 &* OperatorScenarios.sum(count) &+ 7 &* count, count)
  }
}

enum HotMapsPlain10: OperatorScenario {
  static let name = "hot-maps-plain/10"
  static let sourceCount = 1
  static var mark: Int { 190 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0]
      .map { (x: Int) -> Int in (x &* 3) ^ 0 }
      .map { (x: Int) -> Int in (x &+ 7) ^ 1 }
      .map { (x: Int) -> Int in (x &* 3) ^ 2 }
      .map { (x: Int) -> Int in (x &+ 7) ^ 3 }
      .map { (x: Int) -> Int in (x &* 3) ^ 4 }
      .map { (x: Int) -> Int in (x &+ 7) ^ 5 }
      .map { (x: Int) -> Int in (x &* 3) ^ 6 }
      .map { (x: Int) -> Int in (x &+ 7) ^ 7 }
      .map { (x: Int) -> Int in (x &* 3) ^ 8 }
      .map { (x: Int) -> Int in (x &+ 7) ^ 9 }
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) {
    (
      (0..<count).reduce(0) { sum, x in sum &+ (0..<10).reduce(x) { ($1 % 2 == 0 ? $0 &* 3 : $0 &+ 7) ^ $1 }
      }, count
    )
  }
}
