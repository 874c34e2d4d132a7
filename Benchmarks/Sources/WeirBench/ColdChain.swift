// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit
import Weir

/// `cold-chain/N` and `hand-loop/N`: a range through N operators into a counter, and the loop that one would
/// write instead. `cold-maps/10` and `hand-maps/10`: through ten maps. Without operators, and with maps only,
/// the subscriber is a closure that the compiler cannot see into; otherwise it would remove the whole loop.
extension ColdChain {
  static var benchmarks: [Benchmark] {
    [
      benchmark("cold-chain/0", .weir, weirChain0, checksum: checksum0),
      benchmark("hand-loop/0", .limit, handLoop0, checksum: checksum0),
      benchmark("cold-chain/3", .weir, weirChain3, checksum: checksum3),
      benchmark("hand-loop/3", .limit, handLoop3, checksum: checksum3),
      benchmark("cold-chain/10", .weir, weirChain10, checksum: checksum10),
      benchmark("hand-loop/10", .limit, handLoop10, checksum: checksum10),
      benchmark("cold-maps/10", .weir, weirMaps10, checksum: checksumOfMaps),
      benchmark("hand-maps/10", .limit, handMaps10, checksum: checksumOfMaps),
    ]
  }

  static func checksum0(_ count: Int, _: Constants) -> Int { count * (count - 1) / 2 }

  static func checksumOfMaps(_ count: Int, _ constants: Constants) -> Int {
    (0..<count).reduce(0) { $0 &+ transformByTenMaps($1, constants) }
  }
}

/// Adds to a cell. The compiler cannot see into it, and its calls count no references.
final class HiddenSink: Sendable {
  let add: @Sendable (Int) -> Void
  private init(_ cell: Cell) { add = { cell.add($0) } }

  static func into(_ cell: Cell) -> @Sendable (Int) -> Void { opaque(HiddenSink(cell)).add }
}

@inline(never)
private func weirChain0(_ count: Int, _ constants: Constants, _ cell: Cell) {
  _ = Signal<Int, Never>.range(0..<count).subscribe(next: HiddenSink.into(cell))
}

@inline(never)
private func handLoop0(_ count: Int, _ constants: Constants, _ cell: Cell) {
  let sink = HiddenSink.into(cell)
  for value in 0..<count { sink(value) }
}

@inline(never)
private func weirMaps10(_ count: Int, _ constants: Constants, _ cell: Cell) {
  _ = Signal<Int, Never>.range(0..<count).tenMaps(constants).subscribe(next: HiddenSink.into(cell))
}

@inline(never)
private func handMaps10(_ count: Int, _ constants: Constants, _ cell: Cell) {
  let sink = HiddenSink.into(cell)
  let (factor, offset) = (constants.factor, constants.offset)
  for value in 0..<count {
    var x = value
    for pair in 0..<5 { x = (((x &* factor) ^ 2 &* pair) &+ offset) ^ (2 &* pair &+ 1) }
    sink(x)
  }
}
