// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// A number that any thread may increment.
///
/// ReactiveObjC has none.
public final class Counter: @unchecked Sendable {  // the word is atomic
  private let word: UnsafeMutablePointer<UInt64>

  /// A counter at zero.
  public init() {
    word = .allocate(capacity: 1)
    word.initialize(to: 0)
  }
  deinit { word.deallocate() }

  /// The current number.
  public var value: Int { Int(truncatingIfNeeded: weir_load_acquire_u64(word)) }

  /// Adds `amount`, and returns the *old* number, as atomic operations do: of several threads that add 1,
  /// each gets a different one, counted from 0. The new number is that plus `amount`.
  ///
  /// ```swift
  /// let isFirst = calls.add() == 0
  /// ```
  @discardableResult
  public func add(_ amount: Int = 1) -> Int {
    Int(truncatingIfNeeded: weir_add_acq_rel_u64(word, UInt64(bitPattern: Int64(amount))))
  }
}
