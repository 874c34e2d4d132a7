// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Disposes another disposable when it is released itself.
///
/// Store it in the owner of the work: the subscription ends with its owner. But if eight releases of
/// subjects, observers, properties, sets of disposables or scopes are already nested on the stack, it
/// disposes when the innermost of them is over: what it disposes must not rely on the owner.
///
/// ReactiveObjC: `RACScopedDisposable`, `-asScopedDisposable`.
public final class ScopedDisposable: Disposable, @unchecked Sendable {
  // Unchecked: constant until no other thread can reach it. Exactly one of the two is set.
  private var scope: ScopedDisposable?
  private var other: (any Disposable)?

  /// Creates a scope of `inner`.
  ///
  /// - Parameter inner: disposed at the latest when the scope is released. Scoping a scoped disposable is the
  ///   same as scoping what it holds.
  public init(_ inner: any Disposable) {
    if type(of: inner) == ScopedDisposable.self {
      scope = unsafeDowncast(inner, to: ScopedDisposable.self)
    } else {
      other = inner
    }
  }

  deinit {
    // An inner scope that nothing else retains disposes when it is released, which is now.
    if !isKnownUniquelyReferenced(&scope), let content {
      ReleaseQueue().end(content) { DisposalContent.disposable($0).open { $0.dispose() } }
    }
    // By then nothing here refers to the content any more.
    Leftover.release(leftover())
  }

  /// The disposable in it.
  var content: (any Disposable)? { scope ?? other }

  /// True from the moment the first ``dispose()`` started.
  public var isDisposed: Bool {
    var innermost = self
    while let scope = innermost.scope { innermost = scope }
    return innermost.other?.isDisposed ?? true
  }

  /// Disposes the disposable in it, now.
  public func dispose() { DisposalContent.disposable(self).open { $0.dispose() } }

  private func leftover() -> UInt64 {
    let content: (any Disposable)? = scope.take() ?? other.take()
    return content.map { Leftover.make(of: $0) } ?? 0
  }
}
