// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Runs the signal as a trigger: calls `fired` once, when it sends its first value or completes without
  /// one. If it fails before, it never fires, and its error is reported as unhandled.
  ///
  /// - Parameters:
  ///   - waiting: ends when the trigger has fired, or has let go; nothing is called any more if it ends
  ///     before.
  ///   - fired: called on the thread on which the trigger sends.
  @inlinable
  func trigger(by waiting: Subscription, _ fired: @escaping @Sendable () -> Void) {
    let run = TriggerRun(waiting, fired)
    attach(Sink(next: { _ in run.fire() }, terminate: { run.end(with: $0) }, subscription: waiting))
  }
}

/// What the closures of a trigger's sink capture: a closure that captures a single object needs no
/// allocation of its own.
@usableFromInline
final class TriggerRun: Sendable {
  @usableFromInline let waiting: Subscription
  @usableFromInline let fired: @Sendable () -> Void

  @inlinable
  init(_ waiting: Subscription, _ fired: @escaping @Sendable () -> Void) {
    self.waiting = waiting
    self.fired = fired
  }

  // Not inlinable: see Lifeline. The trigger has fired, or has let go.
  deinit { if !waiting.isDisposed { waiting.endWithOwner() } }

  @inlinable
  func fire() { if waiting.end() { fired() } }

  @inlinable
  func end<Failure>(with completion: Completion<Failure>) {
    guard waiting.end() else { return }
    switch completion {
    case .completed: fired()
    case .failed(let error): waiting.report(error)
    }
  }
}
