// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Weir

/// `hot-chain/3`, `hot-maps/10`, `scan-distinct-take`: what one subject sends goes through operators into a counter. The filter
/// of the first keeps all.
enum HotChain {
  static var benchmarks: [Benchmark] { [HotChain3.weir, HotMaps10.weir, ScanDistinctTake.weir] }

  static let constants = Constants(rejecting: 8)
}

enum HotChain3: OperatorScenario {
  static let name = "hot-chain/3"
  static let sourceCount = 1
  static var mark: Int { 150 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) {
    sources[0].signal.threeOperators(HotChain.constants).subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) {
    (checksum3(count, HotChain.constants), count)
  }
}

enum HotMaps10: OperatorScenario {
  static let name = "hot-maps/10"
  static let sourceCount = 1
  static var mark: Int { 160 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) {
    sources[0].signal.tenMaps(HotChain.constants).subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) {
    ((0..<count).reduce(0) { $0 &+ transformByTenMaps($1, HotChain.constants) }, count)
  }
}

/// Each result doubles the value, which depends on the one before only for a compiler; none equals the one before, and none is
/// too many.
enum ScanDistinctTake: OperatorScenario {
  static let name = "scan-distinct-take"
  static let sourceCount = 1
  static var mark: Int { 170 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) {
    sources[0].scan(0, gather).distinctUntilChanged().take(first: .max)
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  @inline(__always) @Sendable
  static func gather(_ last: Int, _ value: Int) -> Int { value &* 2 &+ (last & 1) }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) { (2 * OperatorScenarios.sum(count), count) }
}
