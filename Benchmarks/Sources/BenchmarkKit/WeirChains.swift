// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Weir

// The operators of the chains, for any source; closure types are spelled out because ten operators without
// them exceed the type checker's patience.
extension Signal<Int, Never> {
  @inlinable @inline(__always)
  package func threeOperators(_ constants: Constants) -> Signal {
    let (factor, offset) = (constants.factor, constants.offset)
    let (mask, rejected) = (constants.mask, constants.rejected)
    return
      self
      .map { (x: Int) -> Int in x &* factor }
      .filter { (x: Int) -> Bool in x & mask != rejected }
      .map { (x: Int) -> Int in x &+ offset }
  }

  @inlinable @inline(__always)
  package func tenOperators(_ constants: Constants) -> Signal {
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

@inline(never)
package func weirChain3(_ count: Int, _ constants: Constants, _ cell: Cell) {
  _ = Signal<Int, Never>.range(0..<count).threeOperators(constants).subscribe { cell.add($0) }
}

@inline(never)
package func weirChain10(_ count: Int, _ constants: Constants, _ cell: Cell) {
  _ = Signal<Int, Never>.range(0..<count).tenOperators(constants).subscribe { cell.add($0) }
}
