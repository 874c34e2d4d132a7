// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics

// # Value cell
//
// Guarantees: any thread reads a value of any type while others replace it; nobody waits, no read is torn,
// and a read that starts after a replacement has returned sees that value or a later one. Each value has a
// version, one higher than that of the value before it, and a value and its version can be read together.
//
// An owner that is done with the values clears the cell: then a value in a block is destroyed when nobody
// reads it any more, even while others retain the cell; they find no value in it, and can put none there.
//
// Four words. A trivial value that fits into a word is in the first of them and its version in the second;
// one operation replaces both, and reading the value is one load. Any other value is the payload of a block
// of a PinnedCell, whose `sequence` is the version; the first word is the cell's `current`, the others are
// its pool. The payload is nil in the last block of a cell that was cleared; a value in a word retains
// nothing, and stays.
//
// Invariants:
//  1. Versions start at 1, grow by 1 and never recur.
//  2. In a pair of words value and version change together. So a version that is the same before and after
//     the value was read is the version of that value.
//  3. A block's payload is constant and is touched under a pin only. Values are copied out; no user code runs
//     under the pin, except for copying the value itself.
//  4. A block without a value is never replaced: an unconditional replacement checks for it first, and its
//     version is never returned, so no conditional one can name it. Callers that keep the cell from being
//     cleared need not check.
//
// Orderings: sequentially consistent; 2 needs that the three loads are not reordered. A replacement releases
// what was done before it to readers of the value.

/// A value that is replaced by some threads while others read it.
@frozen @usableFromInline
struct ValueCell<Value>: @unchecked Sendable {  // by the invariants above
  @usableFromInline typealias Versioned = (value: Value, version: UInt64)
  @usableFromInline typealias Block = PinnedBlock<Value?>
  @usableFromInline static var wordCount: Int { 1 + PinnedCell<Value?>.wordCount }

  @usableFromInline let words: UnsafeMutablePointer<UInt64>

  /// - Parameter words: ``wordCount`` zeroed words, 16-byte aligned, that outlive the cell.
  @inlinable @inline(__always)
  init(words: UnsafeMutablePointer<UInt64>) { self.words = words }

  /// Whether values are stored in a word. In specialised code a constant.
  @inlinable static var isWord: Bool {
    @inline(__always) get {
      #if arch(x86_64) || arch(arm64)
      _isPOD(Value.self) && MemoryLayout<Value>.size <= 8 && MemoryLayout<Value>.alignment <= 8
      #else
      false
      #endif
    }
  }

  @inlinable @inline(__always) var bits: AtomicWord { AtomicWord(words) }
  @inlinable @inline(__always) var version: AtomicWord { AtomicWord(words + 1) }
  @inlinable @inline(__always) var blocks: PinnedCell<Value?> { PinnedCell(current: words, words: words + 1) }

  /// Gives a new cell its first value, before any other thread knows of it.
  @inlinable
  func publishFirst(_ value: consuming Value) {
    if Self.isWord {
      bits.storeRelaxed(Self.bits(of: value))
      version.storeRelease(1)
    } else {
      blocks.publishFirst(value)
    }
  }

  // For callers that keep the cell from being cleared meanwhile.

  /// The value.
  @inlinable @inline(__always)
  func load() -> Value { Self.isWord ? Self.value(of: bits.load()) : loadBlockValue() }

  /// The value with its version.
  @inlinable
  func loadVersioned() -> Versioned {
    if Self.isWord {
      let pair = loadPair()
      return (Self.value(of: pair.bits), pair.version)
    }
    return loadBlock().unsafelyUnwrapped
  }

  /// Replaces the value and returns the old one.
  @inlinable
  func exchange(_ value: consuming Value) -> Value {
    if Self.isWord {
      let new = Self.bits(of: value)
      while true {
        let old = loadPair()
        if replace(old, by: new) { return Self.value(of: old.bits) }
      }
    }
    return exchangeBlock(value).unsafelyUnwrapped
  }

  // For all callers.

  /// The value with its version; nil if the cell has been cleared.
  @inlinable @inline(__always)
  func loadUnlessCleared() -> Versioned? { Self.isWord ? loadVersioned() : loadBlock() }

  /// Replaces the value, and does not read the old one. False if the cell has been cleared.
  @inlinable @discardableResult
  func set(_ value: consuming Value) -> Bool {
    if Self.isWord {
      _ = exchange(value)
      return true
    }
    return setBlock(value)
  }

  /// Removes the value for good, unless it is stored in a word, where it retains nothing.
  @inlinable
  func clear() { if !Self.isWord { _ = setBlock(nil) } }

  /// Replaces the value if it still has this version; never if the cell has been cleared.
  @inlinable
  func compareExchange(_ version: UInt64, _ value: consuming Value) -> Bool {
    if Self.isWord { return replace((bits.load(), version), by: Self.bits(of: value)) }
    let block = pin()
    if block.sequence.loadRelaxed() == version {
      let new = blocks.make(value, sequence: version &+ 1)
      if blocks.replaceUnpinning(block, by: new) { return true }
      // Not under the pin: this releases the value, which may run user code.
      unpin(block)
      blocks.recycle(new)
    } else {
      unpin(block)
    }
    return false
  }

  /// For the owner's deinit: destroys the value. No other thread may use the cell any more.
  @inlinable
  func destroy() { if !Self.isWord { blocks.destroy() } }
}

// Values in a word.
extension ValueCell {
  @usableFromInline typealias Pair = (bits: UInt64, version: UInt64)

  @inlinable
  func loadPair() -> Pair {
    while true {
      let before = version.load()
      let read = bits.load()
      if version.load() == before { return (read, before) }
    }
  }

  @inlinable @inline(__always)
  func replace(_ old: Pair, by new: UInt64) -> Bool {
    weir_compare_exchange_seq_cst_pair(words, old.bits, old.version, new, old.version &+ 1)
  }

  /// The bits of a value; those that it does not use are zero.
  @inlinable @inline(__always)
  static func bits(of value: Value) -> UInt64 {
    var bits: UInt64 = 0
    _withUnprotectedUnsafeMutablePointer(to: &bits) {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: Value.self).initialize(to: value)
    }
    return bits
  }

  @inlinable @inline(__always)
  static func value(of bits: UInt64) -> Value {
    _withUnprotectedUnsafePointer(to: bits) { UnsafeRawPointer($0).load(as: Value.self) }
  }
}

// Values in a block.
extension ValueCell {
  /// The value alone: without a version beside it, an existential is copied twice less.
  @inlinable
  func loadBlockValue() -> Value {
    let block = pin()
    defer { unpin(block) }
    return block.payload.pointee.unsafelyUnwrapped
  }

  @inlinable
  func loadBlock() -> Versioned? {
    let block = pin()
    defer { unpin(block) }
    return block.payload.pointee.map { ($0, block.sequence.loadRelaxed()) }
  }

  @inlinable
  func exchangeBlock(_ value: consuming Value?) -> Value? {
    replaceBlock(by: value) { $0.payload.pointee.unsafelyUnwrapped }
  }

  @inlinable
  func setBlock(_ value: consuming Value?) -> Bool { replaceBlock(by: value) { _ in } != nil }

  /// Replaces the value, and returns what `read` has returned of the block with the old one, the last time
  /// that it was called; nil if the cell has been cleared.
  ///
  /// - Parameter value: nil clears the cell.
  @inlinable @inline(__always)
  func replaceBlock<Old>(by value: consuming Value?, _ read: (Block) -> Old) -> Old? {
    let new = blocks.make(value, sequence: 0)
    while true {
      let block = pin()
      if block.payload.pointee == nil {
        unpin(block)
        blocks.recycle(new)
        return nil
      }
      new.sequence.storeRelaxed(block.sequence.loadRelaxed() &+ 1)
      let old = read(block)
      if blocks.replaceUnpinning(block, by: new) { return old }
      unpin(block)
    }
  }

  @inlinable
  func pin() -> Block { blocks.pin(reclaim: blocks.recycle).block }

  @inlinable
  func unpin(_ block: Block) { if blocks.unpin(block) { blocks.recycle(block) } }
}
