// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Scenarios in which a loop in one function does all the work. One operation is one element of a range.
package enum ColdChain {
  /// - Parameters:
  ///   - run: the function that is timed. It adds up its results in the cell.
  ///   - checksum: the sum that must be in the cell afterwards, computed in another way.
  package static func benchmark(
    _ scenario: String, _ implementation: Implementation,
    _ run: @escaping (_ count: Int, _ constants: Constants, _ cell: Cell) -> Void,
    checksum: @escaping (_ count: Int, _ constants: Constants) -> Int
  ) -> Benchmark {
    Benchmark(scenario: scenario, implementation: implementation) {
      let cells = Cells(count: 1)
      let constants = Constants()
      var expected = (operations: -1, sum: 0)
      return { operations in
        cells.reset()
        let sample = measure(operations) { run(operations, constants, cells.cell(0)) }
        if expected.operations != operations { expected = (operations, checksum(operations, constants)) }
        verify("\(scenario) \(implementation.name), checksum", cells[0], equals: expected.sum)
        return sample
      }
    }
  }
}
