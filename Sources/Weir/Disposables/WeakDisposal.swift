// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Disposes something that it does not keep.
final class WeakDisposal: Disposable, @unchecked Sendable {
  // Unchecked: written once; weak loads are atomic.
  private weak var target: (any Disposable)?

  init(of target: any Disposable) { self.target = target }

  var isDisposed: Bool { target?.isDisposed ?? true }
  func dispose() { target?.dispose() }
}
