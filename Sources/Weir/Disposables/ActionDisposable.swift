// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A disposable that runs a closure when it is disposed: at most once, on the disposing thread.
///
/// The flag is set before the closure runs, and the closure is released after it has run. Releasing an
/// `ActionDisposable` that was not disposed runs nothing. Costs one allocation and one exchange; later calls
/// of ``dispose()`` are a load.
///
/// ReactiveObjC: `+[RACDisposable disposableWithBlock:]`.
public final class ActionDisposable: Disposable, @unchecked Sendable {
  // Unchecked: `action` belongs to the claimer of the flag.
  private var claimWord: UInt64 = 0
  @exclusivity(unchecked) private var action: (@Sendable () -> Void)?

  /// Creates a disposable for a closure.
  ///
  /// - Parameter action: what to do on disposal.
  public init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  /// If it was not disposed, the action is released, which may retain another one.
  deinit { if action != nil { ReleaseQueue().release(&action) } }

  private var flag: OnceFlag { OnceFlag(AtomicWord(property: 0, of: self)) }

  /// True from the moment the first ``dispose()`` started.
  public var isDisposed: Bool { flag.isClaimed }

  /// Runs the closure, if this is the first call.
  public func dispose() {
    guard flag.claim(), let action = action.take() else { return }
    action()
  }
}
