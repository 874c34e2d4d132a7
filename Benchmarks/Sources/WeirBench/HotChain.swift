// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Weir

/// `hot-chain/3`, `hot-maps/10`, `scan-distinct-take`: the values of one subject go through operators into a
/// counter. The filter of the first one lets all values pass. The chains are written out here, because
/// closures of another module cost one more call, which those of a program's own module do not.
enum HotChain {
  static var benchmarks: [Benchmark] {
    [HotChain3.weir, HotMaps10.weir, HotChainPlain3.weir, HotMapsPlain10.weir, ScanDistinctTake.weir]
  }

  static let constants = Constants(rejecting: 8)
}

enum HotChain3: OperatorScenario {
  static let name = "hot-chain/3"
  static let sourceCount = 1
  static var mark: Int { 150 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    let (factor, offset) = (HotChain.constants.factor, HotChain.constants.offset)
    let (mask, rejected) = (HotChain.constants.mask, HotChain.constants.rejected)
    return sources[0]
      .map { (x: Int) -> Int in x &* factor }
      .filter { (x: Int) -> Bool in x & mask != rejected }
      .map { (x: Int) -> Int in x &+ offset }
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
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
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0].signal.tenMaps(HotChain.constants).subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) {
    ((0..<count).reduce(0) { $0 &+ transformByTenMaps($1, HotChain.constants) }, count)
  }
}

extension Signal<Int, Never> {
  /// Ten different maps: the compiler would merge identical closures into stubs that call one another, and no
  /// program has ten identical ones.
  @inline(__always)
  func tenMaps(_ constants: Constants) -> Signal {
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
}

/// Each result is twice the value; only the compiler cannot tell that it does not depend on the previous one.
/// No result equals the previous one, and `take` never ends.
enum ScanDistinctTake: OperatorScenario {
  static let name = "scan-distinct-take"
  static let sourceCount = 1
  static var mark: Int { 170 }

  @inline(never)
  static func subscribe(_ sources: ContiguousArray<WeirSource>, _ cell: Cell) -> Subscription {
    sources[0].scan(0, gather).distinctUntilChanged().take(first: .max)
      .subscribe { cell.add($0 &+ mark(WeirSource.self)) }
  }

  @inline(__always) @Sendable
  static func gather(_ last: Int, _ value: Int) -> Int { value &* 2 &+ (last & 1) }

  static func expected(_ count: Int) -> (sum: Int, marks: Int) { (2 * OperatorScenarios.sum(count), count) }
}
