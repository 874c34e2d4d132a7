// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A ``Backlog`` as a run stores it. Where a backlog lies in an object as it is, the deinit of that object,
/// which is compiled for all types at once, has to ask the runtime for the type of the failure, which takes
/// 330 instructions. This one takes a word that such code just releases; it is made once for the operator.
@frozen @usableFromInline
struct StoredBacklog<Failure: Error>: Sendable {
  @usableFromInline let bound: Int
  /// Nil for the usual policy.
  @usableFromInline let object: BacklogObject<Failure>?

  @inlinable
  init(_ backlog: Backlog<Failure>) {
    bound = backlog.bound
    if case .trap = backlog.overflow, backlog.drops == nil {
      object = nil
    } else {
      object = BacklogObject(backlog)
    }
  }

  @inlinable var original: Backlog<Failure> { object?.backlog ?? Backlog(bound: bound, overflow: .trap) }
  @inlinable var canDropOldest: Bool { object?.backlog.canDropOldest == true }
  @inlinable var drops: DropCounter? { object?.backlog.drops }
}

@usableFromInline
final class BacklogObject<Failure: Error>: Sendable {
  @usableFromInline let backlog: Backlog<Failure>

  @inlinable
  init(_ backlog: Backlog<Failure>) { self.backlog = backlog }
}
