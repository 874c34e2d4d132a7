// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The loops that one would write instead of a chain, and the sums that both must give.

// MARK: - Three operators

@inline(never)
package func handLoop3(_ count: Int, _ constants: Constants, _ cell: Cell) {
  let (factor, offset) = (constants.factor, constants.offset)
  let (mask, rejected) = (constants.mask, constants.rejected)
  for value in 0..<count {
    let scaled = value &* factor
    if scaled & mask != rejected { cell.add(scaled &+ offset) }
  }
}

/// The sum that chains and loops of three operators must give, computed with one opaque call per element:
/// slow, and independent of how a chain is fused.
package func checksum3(_ count: Int, _ constants: Constants) -> Int {
  var sum = 0
  for value in 0..<count { sum &+= transform3(value, constants) ?? 0 }
  return sum
}

@inline(never)
package func transform3(_ value: Int, _ constants: Constants) -> Int? {
  let scaled = value &* constants.factor
  return scaled & constants.mask != constants.rejected ? scaled &+ constants.offset : nil
}

// MARK: - Ten maps

/// The result of a chain of ten maps for a value.
@inline(never)
package func transformByTenMaps(_ value: Int, _ constants: Constants) -> Int {
  var x = value
  for step in 0..<10 { x = (step % 2 == 0 ? x &* constants.factor : x &+ constants.offset) ^ step }
  return x
}

// MARK: - Ten operators

@inline(never)
package func handLoop10(_ count: Int, _ constants: Constants, _ cell: Cell) {
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

/// The sum that chains and loops of ten operators must give; see ``checksum3(_:_:)``.
package func checksum10(_ count: Int, _ constants: Constants) -> Int {
  var sum = 0
  for value in 0..<count { sum &+= transform10(value, constants) ?? 0 }
  return sum
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
