// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A counter in raw memory: adding to it costs no exclusivity check and no reference count, and cannot be
/// optimised away.
///
/// `@unchecked Sendable`: in every scenario only one thread at a time accesses a cell, and it is read only
/// after the writers have been joined.
@frozen @usableFromInline package struct Cell: @unchecked Sendable {
  @usableFromInline let pointer: UnsafeMutablePointer<Int>

  @inlinable @inline(__always)
  package func add(_ summand: Int) { pointer.pointee &+= summand }

  /// Adds `mark` to the counter that is `line` cache lines further on.
  @inlinable @inline(__always)
  package func count(_ line: Int, by mark: Int) { pointer[line &* Cells.intsPerLine] &+= mark }
}

/// The counters of one scenario.
@usableFromInline package final class Cells {
  @inlinable package static var intsPerLine: Int { 8 }

  private let memory: UnsafeMutableBufferPointer<Int>

  package init(count: Int) {
    let raw = UnsafeMutableRawBufferPointer.allocate(
      byteCount: count * MemoryLayout<Int>.stride, alignment: 64)
    memory = raw.bindMemory(to: Int.self)
    memory.initialize(repeating: 0)
  }

  deinit { memory.deallocate() }

  package var count: Int { memory.count }

  /// Bounds-checked, unlike the pointers it hands out.
  package func cell(_ index: Int) -> Cell {
    precondition(memory.indices.contains(index))
    return Cell(pointer: memory.baseAddress.unsafelyUnwrapped + index)
  }

  package func reset() { memory.update(repeating: 0) }

  package subscript(index: Int) -> Int { memory[index] }
}
