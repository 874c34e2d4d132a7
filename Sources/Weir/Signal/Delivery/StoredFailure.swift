// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// The error of a terminal event as a run stores it. Where an error lies in an object as it is, the deinit of
/// that object, which is compiled for all types at once, has to ask the runtime how to destroy it, which
/// takes 330 instructions for each run. This is an allocation, but only where something fails.
@usableFromInline
final class StoredFailure<Failure: Error>: Sendable {
  @usableFromInline let error: Failure

  @inlinable
  init(_ error: Failure) { self.error = error }
}
