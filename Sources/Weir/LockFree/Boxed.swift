// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A value in an object of its own, whose address is stored in a word.
@usableFromInline
final class Boxed<Value>: Leftover {
  @usableFromInline let value: Value
  @inlinable init(_ value: Value) { self.value = value }

  /// The value in the object at an address that somebody else owns, or nil if there is none.
  @inlinable
  static func value(at address: UInt64) -> Value? {
    guard let object = UnsafeRawPointer(bitPattern: UInt(address)) else { return nil }
    return Unmanaged<Boxed>.fromOpaque(object)._withUnsafeGuaranteedRef { $0.value }
  }
}
