// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Calls a closure when it is deallocated.
final class Parting: Sendable {
  private let action: @Sendable () -> Void
  init(_ action: @escaping @Sendable () -> Void) { self.action = action }
  deinit { action() }
}
