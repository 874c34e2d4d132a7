// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The state of an operator in one subscription.
///
/// An object, because the closures of a chain share it; without exclusivity checks, because a signal delivers
/// to one subscriber serially: that is part of the contract. Where the chain is fused, the optimiser turns it
/// into a local variable.
@usableFromInline
final class OperatorState<Value>: @unchecked Sendable {  // accessed within serial delivery only
  @exclusivity(unchecked) @usableFromInline var value: Value
  @inlinable @inline(__always) init(_ value: Value) { self.value = value }
}
