// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import OpenCombine
import Weir

/// One of a thousand chains of ten maps on one source, with its subscriber. The ten closures of a chain
/// capture a number each, or nothing in a plain chain; the subscription is retained.
enum Chains {
  // Only one thread does all of this, and nothing is sent.
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
      item("weir", of: "plain-map/10") {
        Subject<Int, Never>()
      } subscribe: { subject in
        subject
          .map { (x: Int) -> Int in x &* 3 }
          .map { (x: Int) -> Int in x &+ 4 }
          .map { (x: Int) -> Int in x &* 5 }
          .map { (x: Int) -> Int in x &+ 6 }
          .map { (x: Int) -> Int in x &* 7 }
          .map { (x: Int) -> Int in x &+ 8 }
          .map { (x: Int) -> Int in x &* 9 }
          .map { (x: Int) -> Int in x &+ 10 }
          .map { (x: Int) -> Int in x &* 11 }
          .map { (x: Int) -> Int in x &+ 12 }
          .subscribe { cell.add($0) }
      } end: {
        $0.dispose()
      },
      item("opencombine", of: "plain-map/10") {
        PassthroughSubject<Int, Never>()
      } subscribe: { subject in
        subject
          .map { (x: Int) -> Int in x &* 3 }
          .map { (x: Int) -> Int in x &+ 4 }
          .map { (x: Int) -> Int in x &* 5 }
          .map { (x: Int) -> Int in x &+ 6 }
          .map { (x: Int) -> Int in x &* 7 }
          .map { (x: Int) -> Int in x &+ 8 }
          .map { (x: Int) -> Int in x &* 9 }
          .map { (x: Int) -> Int in x &+ 10 }
          .map { (x: Int) -> Int in x &* 11 }
          .map { (x: Int) -> Int in x &+ 12 }
          .sink { cell.add($0) }
      } end: {
        $0.cancel()
      },
    ]
  }

  private static func item<Source, Token>(
    _ implementation: String, of chain: String = "map/10", _ make: @escaping () -> Source,
    subscribe: @escaping (Source) -> Token, end: @escaping (Token) -> Void
  ) -> Item {
    Item(piece: "chain", source: chain, implementation: implementation) {
      .ofEach(1000, on: make, subscribe, end: end)
    }
  }
}
