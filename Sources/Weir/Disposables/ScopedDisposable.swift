// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Disposes another disposable when it is itself released.
///
/// Hold it where the work belongs: the subscription ends with its owner.
///
/// ReactiveObjC: `RACScopedDisposable`, `-asScopedDisposable`.
public final class ScopedDisposable: Disposable {
  private let inner: any Disposable

  /// - Parameter inner: what to dispose, at the latest when the new object goes. Scoping a scoped disposable is the same
  ///   as scoping what it holds.
  public init(_ inner: any Disposable) { self.inner = inner }

  deinit { inner.dispose() }

  /// True from the moment the first ``dispose()`` began.
  public var isDisposed: Bool { inner.isDisposed }

  /// Disposes what it holds, now.
  public func dispose() { inner.dispose() }
}
