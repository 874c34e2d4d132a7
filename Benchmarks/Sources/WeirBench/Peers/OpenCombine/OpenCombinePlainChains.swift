// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import OpenCombine

extension HotChainPlain3: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources[0].subject
      .map { (x: Int) -> Int in x &* 3 }
      .filter { (x: Int) -> Bool in x != -1 }
      .map { (x: Int) -> Int in x &+ 7 }
      .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}

/// Neighbouring maps are combined into one, whose closures call each other.
extension HotMapsPlain10: OpenCombineScenario {
  static func subscribe(_ sources: ContiguousArray<OpenCombineSource>, _ cell: Cell) -> AnyCancellable {
    sources[0].subject
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
      .sink { cell.add($0 &+ mark(OpenCombineSource.self)) }
  }
}
