// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import CWeirAtomics
public import Synchronization

/// A 64-bit word in memory that it does not own, accessed only through atomic operations.
///
/// It keeps call sites readable; every operation but `loadAcquire` is one primitive of the shim. A name
/// states the ordering where it is weaker than sequentially consistent, and a plain name stands for the
/// strong one: `load` and the read-modify-writes are sequentially consistent, which on x86-64 costs nothing
/// over acquire-release.
@frozen @usableFromInline
struct AtomicWord: @unchecked Sendable {  // the pointee is touched by atomic operations only
  @usableFromInline let address: UnsafeMutablePointer<UInt64>

  @inlinable @inline(__always)
  init(_ address: UnsafeMutablePointer<UInt64>) { self.address = address }

  @inlinable @inline(__always)
  init(at address: UnsafeMutableRawPointer) { self.address = address.assumingMemoryBound(to: UInt64.self) }

  /// Word `index` of the stored properties of a native object, which start 16 bytes after its address. Taking
  /// the address of a class property in Swift itself would be an exclusive access, checked at run time.
  @inlinable @inline(__always)
  init(property index: Int, of object: AnyObject) {
    self.init(at: Unmanaged.passUnretained(object).toOpaque() + 16 + 8 * index)
  }

  @inlinable @inline(__always) func load() -> UInt64 { weir_load_seq_cst_u64(address) }
  @inlinable static var isHooked: Bool { WEIR_IS_HOOKED != 0 }
  /// An acquire load that bypasses the shim, except in a hooked build: each step of a chain uses it to check
  /// whether its run has ended, and a step is a thunk, into which Swift 6.3 does not let the optimiser inline
  /// a C function.
  @inlinable @inline(__always) func loadAcquire() -> UInt64 {
    if Self.isHooked { return weir_load_acquire_u64(address) }
    return UnsafeRawPointer(address).assumingMemoryBound(to: Atomic<UInt64>.self).pointee.load(
      ordering: .acquiring)
  }
  @inlinable @inline(__always) func loadRelaxed() -> UInt64 { weir_load_relaxed_u64(address) }
  @inlinable @inline(__always) func storeRelaxed(_ value: UInt64) { weir_store_relaxed_u64(address, value) }
  @inlinable @inline(__always) func storeRelease(_ value: UInt64) { weir_store_release_u64(address, value) }
  /// A store that later loads may overtake unless another thread calls `weir_process_fence`.
  @inlinable @inline(__always) func storeAsymmetric(_ value: UInt64) {
    weir_store_asymmetric_u64(address, value)
  }
  @inlinable @inline(__always) func exchange(_ value: UInt64) -> UInt64 {
    weir_exchange_seq_cst_u64(address, value)
  }
  @inlinable @inline(__always) @discardableResult
  func add(_ value: UInt64) -> UInt64 { weir_add_seq_cst_u64(address, value) }
  @inlinable @inline(__always) @discardableResult
  func addRelaxed(_ value: UInt64) -> UInt64 { weir_add_relaxed_u64(address, value) }
  @inlinable @inline(__always) @discardableResult
  func subtract(_ value: UInt64) -> UInt64 { weir_sub_seq_cst_u64(address, value) }
  @inlinable @inline(__always) @discardableResult
  func subtractRelaxed(_ value: UInt64) -> UInt64 { weir_sub_relaxed_u64(address, value) }
  @inlinable @inline(__always) @discardableResult
  func formUnion(_ bits: UInt64) -> UInt64 { weir_or_seq_cst_u64(address, bits) }

  /// Replaces `expected` by `desired`. False if the word does not hold `expected`.
  @inlinable @inline(__always)
  func compareExchange(_ expected: UInt64, _ desired: UInt64) -> Bool {
    weir_compare_exchange_seq_cst_u64(address, expected, desired)
  }
}

/// A state that several threads change together, packed into one word.
protocol PackedWord: Equatable {
  var bits: UInt64 { get }
  init(bits: UInt64)
}

extension AtomicWord {
  /// Changes the packed state in one atomic step.
  ///
  /// - Parameter decide: changes its argument, and returns what the caller is to do. It may be called several
  ///   times; only the last call counts.
  func change<State: PackedWord, Answer>(_ decide: (inout State) -> Answer) -> Answer {
    while true {
      let before = State(bits: load())
      var after = before
      let answer = decide(&after)
      if after == before || compareExchange(before.bits, after.bits) { return answer }
    }
  }
}
