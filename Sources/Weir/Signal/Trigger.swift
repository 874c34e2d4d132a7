// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// Runs the signal as a trigger: calls `fired` once, when it sends its first value or completes without
  /// one. If it fails before, it never fires, and its error is reported as unhandled.
  ///
  /// - Parameters:
  ///   - waiting: ends when the trigger has fired; nothing is called any more if it ends before.
  ///   - fired: called on the thread on which the trigger sends.
  @inlinable
  func trigger(by waiting: Subscription, _ fired: @escaping @Sendable () -> Void) {
    attach(
      Sink(
        next: { _ in if waiting.end() { fired() } },
        terminate: { completion in
          guard waiting.end() else { return }
          switch completion {
          case .finished: fired()
          case .failed(let error): waiting.report(error)
          }
        },
        subscription: waiting))
  }
}
