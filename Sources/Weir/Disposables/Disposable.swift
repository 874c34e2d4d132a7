// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Something that can be ended once: a subscription, a piece of scheduled work, a resource.
///
/// `dispose()` may be called from any thread, any number of times, and from inside a callback of what it
/// ends; it never waits. Releasing a disposable does not dispose it (``ScopedDisposable`` does).
///
/// ReactiveObjC: `RACDisposable`.
public protocol Disposable: AnyObject, Sendable {
  /// Ends what this stands for. Only the first call has an effect.
  ///
  /// ReactiveObjC: `-dispose`.
  func dispose()
  /// True from the moment the first ``dispose()`` started.
  ///
  /// ReactiveObjC: `isDisposed`.
  var isDisposed: Bool { get }
}
