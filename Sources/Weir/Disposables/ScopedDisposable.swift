// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Disposes another disposable when it is itself released.
///
/// Hold it where the work belongs: the subscription ends with its owner. But where eight releases of
/// subjects, observers, properties, sets of disposables or scopes stand inside each other on the stack
/// already, it disposes when the innermost of them is over: what it disposes must not count on the owner
/// being there.
///
/// ReactiveObjC: `RACScopedDisposable`, `-asScopedDisposable`.
public final class ScopedDisposable: Disposable, @unchecked Sendable {
  // Unchecked: constant until nobody else can reach it. One of the two is there.
  private var scope: ScopedDisposable?
  private var other: (any Disposable)?

  /// - Parameter inner: what to dispose, at the latest when the new object goes. Scoping a scoped disposable
  ///   is the same as scoping what it holds.
  public init(_ inner: any Disposable) {
    if type(of: inner) == ScopedDisposable.self {
      scope = unsafeDowncast(inner, to: ScopedDisposable.self)
    } else {
      other = inner
    }
  }

  deinit {
    // A scope that nobody else has disposes as it goes, which is now.
    if !isKnownUniquelyReferenced(&scope) {
      ReleaseQueue().end({ dispose() }, orPutOff: LeftContent(of: self))
    }
    // By then nothing here refers to the content any more.
    Leftover.release(leftover())
  }

  /// What it holds.
  var content: (any Disposable)? { scope ?? other }

  /// True from the moment the first ``dispose()`` began.
  public var isDisposed: Bool {
    var innermost = self
    while let scope = innermost.scope { innermost = scope }
    return innermost.other?.isDisposed ?? true
  }

  /// Disposes what it holds, now.
  public func dispose() { DisposalContent.disposable(self).open { $0.dispose() } }

  private func leftover() -> UInt64 {
    let content: (any Disposable)? = scope.take() ?? other.take()
    return content.map { WrappedLeftover.make(of: $0) } ?? 0
  }
}

/// What a scope that has gone has yet to dispose.
private final class LeftContent: Leftover {
  private let content: (any Disposable)?

  init(of scope: ScopedDisposable) { content = scope.content }

  deinit {
    if let content { DisposalContent.disposable(content).open { $0.dispose() } }
  }
}
