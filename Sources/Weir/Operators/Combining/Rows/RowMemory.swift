// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Memory of the run of a row: words of the run itself, or a block, if those are too few or not aligned
/// enough. So a run of a few values is one allocation.
///
/// A run's first two stored properties are its ``ReceiverWords`` and ``RoomWords``.
@frozen @usableFromInline
struct RowMemory {
  @usableFromInline typealias ReceiverWords = AnyReceiver.Words
  @usableFromInline typealias RoomWords = InlineArray<6, UInt64>

  /// Nil for the words of the run.
  @usableFromInline let block: UnsafeMutableRawPointer?

  @inlinable
  init(byteCount: Int, alignment: Int) {
    let fits = byteCount <= MemoryLayout<RoomWords>.size && alignment <= MemoryLayout<RoomWords>.alignment
    block = fits ? nil : .allocate(byteCount: byteCount, alignment: alignment)
  }

  @inlinable
  func deallocate() { block?.deallocate() }

  @inlinable @inline(__always)
  func start(in run: AnyObject) -> UnsafeMutableRawPointer {
    block ?? Unmanaged.passUnretained(run).toOpaque() + 16 + MemoryLayout<ReceiverWords>.size
  }
}

extension RowRun {
  /// Takes rows and the terminal event, ungated: the delivery has checked whether the run has ended.
  @inlinable @inline(__always) var receiver: Receiver<Shape.Whole, Failure> {
    Receiver(AnyReceiver(at: AtomicWord(property: 0, of: self).address))
  }
}
