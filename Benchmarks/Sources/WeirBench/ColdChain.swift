// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// `cold-chain/N` and `hand-loop/N`: a range through N operators into a counter, and the loop one would have
/// written instead.
enum ColdChain {
  static var benchmarks: [Benchmark] {
    [
      benchmark("cold-chain/3", .weir, weirChain3, reference: transform3),
      benchmark("hand-loop/3", .limit, handLoop3, reference: transform3),
      benchmark("cold-chain/10", .weir, weirChain10, reference: transform10),
      benchmark("hand-loop/10", .limit, handLoop10, reference: transform10),
    ]
  }

  private static func benchmark(
    _ scenario: String, _ implementation: Implementation,
    _ run: @escaping (_ count: Int, _ constants: Constants, _ cell: Cell) -> Void,
    reference: @escaping (_ value: Int, _ constants: Constants) -> Int?
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: implementation) {
      let cells = Cells(count: 1)
      let constants = Constants()
      var expected = (operations: -1, sum: 0)
      return { operations in
        cells.reset()
        let sample = measure(operations) { run(operations, constants, cells.cell(0)) }
        if expected.operations != operations {
          expected = (operations, sum(operations, constants, reference))
        }
        verify("\(scenario) \(implementation.rawValue), checksum", cells[0], equals: expected.sum)
        return sample
      }
    }
  }

  /// The checksum, by one opaque call per element: slow, and independent of how a chain is fused.
  private static func sum(
    _ count: Int, _ constants: Constants, _ transform: (_ value: Int, _ constants: Constants) -> Int?
  ) -> Int {
    var sum = 0
    for value in 0..<count { sum &+= transform(value, constants) ?? 0 }
    return sum
  }
}

// MARK: - Three operators

@inline(never)
func weirChain3(_ count: Int, _ constants: Constants, _ cell: Cell) {
  let (factor, offset) = (constants.factor, constants.offset)
  let (mask, rejected) = (constants.mask, constants.rejected)
  _ = Signal<Int, Never>.range(0..<count)
    .map { (x: Int) -> Int in x &* factor }
    .filter { (x: Int) -> Bool in x & mask != rejected }
    .map { (x: Int) -> Int in x &+ offset }
    .subscribe { (x: Int) in cell.add(x) }
}

@inline(never)
func handLoop3(_ count: Int, _ constants: Constants, _ cell: Cell) {
  let (factor, offset) = (constants.factor, constants.offset)
  let (mask, rejected) = (constants.mask, constants.rejected)
  for value in 0..<count {
    let scaled = value &* factor
    if scaled & mask != rejected { cell.add(scaled &+ offset) }
  }
}

@inline(never)
func transform3(_ value: Int, _ constants: Constants) -> Int? {
  let scaled = value &* constants.factor
  return scaled & constants.mask != constants.rejected ? scaled &+ constants.offset : nil
}

// MARK: - Ten operators

@inline(never)
func weirChain10(_ count: Int, _ constants: Constants, _ cell: Cell) {
  let (factor, offset) = (constants.factor, constants.offset)
  let (mask, rejected) = (constants.mask, constants.rejected)
  _ = Signal<Int, Never>.range(0..<count)
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
    .subscribe { (x: Int) in cell.add(x) }
}

@inline(never)
func handLoop10(_ count: Int, _ constants: Constants, _ cell: Cell) {
  let (factor, offset) = (constants.factor, constants.offset)
  let (mask, rejected) = (constants.mask, constants.rejected)
  for value in 0..<count {
    var x = value &* factor
    if x & mask == rejected { continue }
    x = x &+ offset
    if x & mask == rejected { continue }
    x = x &* factor
    if x & mask == rejected { continue }
    x = x &+ offset
    if x & mask == rejected { continue }
    x = x &* factor
    if x & mask == rejected { continue }
    cell.add(x)
  }
}

@inline(never)
func transform10(_ value: Int, _ constants: Constants) -> Int? {
  var x = value
  for step in 0..<5 {
    x = step % 2 == 0 ? x &* constants.factor : x &+ constants.offset
    if x & constants.mask == constants.rejected { return nil }
  }
  return x
}
