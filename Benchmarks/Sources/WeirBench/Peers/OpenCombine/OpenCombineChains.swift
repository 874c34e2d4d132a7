// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import OpenCombine

// The operators of the chains. Closure types are spelled out as in Weir's.
extension Publisher where Output == Int, Failure == Never {
  func threeOperators(_ constants: Constants) -> some Publisher<Int, Never> {
    let (factor, offset) = (constants.factor, constants.offset)
    let (mask, rejected) = (constants.mask, constants.rejected)
    return
      self
      .map { (x: Int) -> Int in x &* factor }
      .filter { (x: Int) -> Bool in x & mask != rejected }
      .map { (x: Int) -> Int in x &+ offset }
  }

  func tenMaps(_ constants: Constants) -> some Publisher<Int, Never> {
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

  func tenOperators(_ constants: Constants) -> some Publisher<Int, Never> {
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

extension HotChain3: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources[0].subject.threeOperators(HotChain.constants)
      .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}

/// Neighbouring maps are combined into one, whose closures call each other.
extension HotMaps10: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources[0].subject.tenMaps(HotChain.constants)
      .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}

extension ScanDistinctTake: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources[0].subject.scan(0, gather).removeDuplicates().prefix(.max)
      .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}

/// A range whose type is erased: otherwise each operator would be applied to a whole array before the next.
enum OpenCombineCold {
  static var benchmarks: [Benchmark] {
    [
      ColdChain.benchmark("cold-chain/0", .openCombine, chain0, checksum: ColdChain.checksum0),
      ColdChain.benchmark("cold-chain/3", .openCombine, chain3, checksum: checksum3),
      ColdChain.benchmark("cold-chain/10", .openCombine, chain10, checksum: checksum10),
      ColdChain.benchmark("cold-maps/10", .openCombine, maps10, checksum: ColdChain.checksumOfMaps),
    ]
  }

  private static func range(_ count: Int) -> AnyPublisher<Int, Never> {
    (0..<count).publisher.eraseToAnyPublisher()
  }

  @inline(never)
  private static func chain0(_ count: Int, _ constants: Constants, _ cell: Cell) {
    _ = range(count).sink(receiveValue: HiddenSink.into(cell))
  }

  @inline(never)
  private static func chain3(_ count: Int, _ constants: Constants, _ cell: Cell) {
    _ = range(count).threeOperators(constants).sink { cell.add($0) }
  }

  @inline(never)
  private static func chain10(_ count: Int, _ constants: Constants, _ cell: Cell) {
    _ = range(count).tenOperators(constants).sink { cell.add($0) }
  }

  @inline(never)
  private static func maps10(_ count: Int, _ constants: Constants, _ cell: Cell) {
    _ = range(count).tenMaps(constants).sink(receiveValue: HiddenSink.into(cell))
  }
}
