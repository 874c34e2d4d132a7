// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import ShapeAlternatives

/// Closures whose `next` returns whether to go on.
enum AnsweringShape: Shape {
  static let implementation = Implementation.answeringClosures

  @inline(never)
  static func cold3(_ count: Int, _ constants: Constants, _ cell: Cell) {
    _ = AnsweringSignal.range(0..<count).threeOperators(constants).subscribe { cell.add($0) }
  }

  @inline(never)
  static func cold10(_ count: Int, _ constants: Constants, _ cell: Cell) {
    _ = AnsweringSignal.range(0..<count).tenOperators(constants).subscribe { cell.add($0) }
  }

  @inline(never)
  static func coldScanTake(_ count: Int, _ constants: Constants, _ cell: Cell) {
    let factor = constants.factor
    _ = AnsweringSignal.range(0..<Int.max)
      .scan(0) { (sum: Int, x: Int) -> Int in sum &+ x &* factor }
      .take(first: count)
      .subscribe { cell.add($0) }
  }

  @inline(never)
  static func hot0(
    _ subject: BareSubject<AnsweringReceiver<Int>>, _ constants: Constants, _ cell: Cell
  ) -> Run {
    AnsweringSignal(subject).subscribe { cell.add($0) }
  }

  @inline(never)
  static func hot3(
    _ subject: BareSubject<AnsweringReceiver<Int>>, _ constants: Constants, _ cell: Cell
  ) -> Run {
    AnsweringSignal(subject).threeOperators(constants).subscribe { cell.add($0) }
  }

  @inline(never)
  static func hot10(
    _ subject: BareSubject<AnsweringReceiver<Int>>, _ constants: Constants, _ cell: Cell
  ) -> Run {
    AnsweringSignal(subject).tenOperators(constants).subscribe { cell.add($0) }
  }

  @inline(never)
  static func hotScanTake(
    _ subject: BareSubject<AnsweringReceiver<Int>>, _ constants: Constants, _ cell: Cell
  ) -> Run {
    let factor = constants.factor
    return AnsweringSignal(subject)
      .scan(0) { (sum: Int, x: Int) -> Int in sum &+ x &* factor }
      .take(first: Int.max)
      .subscribe { cell.add($0) }
  }
}

extension AnsweringSignal<Int> {
  @inline(__always)
  fileprivate func threeOperators(_ constants: Constants) -> AnsweringSignal {
    let (factor, offset) = (constants.factor, constants.offset)
    let (mask, rejected) = (constants.mask, constants.rejected)
    return
      self
      .map { (x: Int) -> Int in x &* factor }
      .filter { (x: Int) -> Bool in x & mask != rejected }
      .map { (x: Int) -> Int in x &+ offset }
  }

  @inline(__always)
  fileprivate func tenOperators(_ constants: Constants) -> AnsweringSignal {
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
