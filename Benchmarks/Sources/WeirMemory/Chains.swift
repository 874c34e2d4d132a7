// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import OpenCombine
import Weir

/// What a chain of ten maps and its subscriber take, of a thousand on one source. Each chain has ten closures, which refer to a
/// number, and its subscription is kept.
enum Chains {
  // One thread does all of this, and nobody sends.
  nonisolated(unsafe) private static let counters = Cells(count: 1)

  static var items: [Item] {
    let (cell, constants) = (counters.cell(0), Constants())
    return [
      item("weir") {
        Subject<Int, Never>()
      } subscribe: { subject in
        let (factor, offset) = (constants.factor, constants.offset)
        return
          subject
          .map { (x: Int) -> Int in x &* factor }
          .map { (x: Int) -> Int in x &+ offset }
          .map { (x: Int) -> Int in x &* factor }
          .map { (x: Int) -> Int in x &+ offset }
          .map { (x: Int) -> Int in x &* factor }
          .map { (x: Int) -> Int in x &+ offset }
          .map { (x: Int) -> Int in x &* factor }
          .map { (x: Int) -> Int in x &+ offset }
          .map { (x: Int) -> Int in x &* factor }
          .map { (x: Int) -> Int in x &+ offset }
          .subscribe { cell.add($0) }
      } end: {
        $0.dispose()
      },
      item("opencombine") {
        PassthroughSubject<Int, Never>()
      } subscribe: { subject in
        let (factor, offset) = (constants.factor, constants.offset)
        return
          subject
          .map { (x: Int) -> Int in x &* factor }
          .map { (x: Int) -> Int in x &+ offset }
          .map { (x: Int) -> Int in x &* factor }
          .map { (x: Int) -> Int in x &+ offset }
          .map { (x: Int) -> Int in x &* factor }
          .map { (x: Int) -> Int in x &+ offset }
          .map { (x: Int) -> Int in x &* factor }
          .map { (x: Int) -> Int in x &+ offset }
          .map { (x: Int) -> Int in x &* factor }
          .map { (x: Int) -> Int in x &+ offset }
          .sink { cell.add($0) }
      } end: {
        $0.cancel()
      },
    ]
  }

  private static func item<Source, Token>(
    _ implementation: String, _ make: @escaping () -> Source,
    subscribe: @escaping (Source) -> Token, end: @escaping (Token) -> Void
  ) -> Item {
    Item(piece: "chain", source: "map/10", implementation: implementation) {
      .ofEach(1000, on: make, subscribe, end: end)
    }
  }
}
