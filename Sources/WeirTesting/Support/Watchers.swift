// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Tasks that wait until a number is large enough: that of sleepers, or of events. The number belongs to the
/// owner, which changes it under the lock that both use.
final class Watchers: @unchecked Sendable {  // everything under the lock
  typealias Continuation = CheckedContinuation<Void, Never>

  private final class Watcher: @unchecked Sendable {  // see above
    let count: Int
    var continuation: Continuation?
    var isCancelled = false

    init(for count: Int) { self.count = count }
  }

  private let lock: Lock
  private var waiting: [Watcher] = []
  private var isClosed = false

  init(under lock: Lock) { self.lock = lock }

  /// Returns when the number is at least `count`, the calling task is cancelled, or nothing is to come.
  ///
  /// - Parameter number: reads the number; called under the lock.
  func wait(for count: Int, of number: () -> Int) async {
    let watcher = Watcher(for: count)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = lock.withLock {
          if number() >= count || isClosed || watcher.isCancelled { return true }
          watcher.continuation = continuation
          waiting.append(watcher)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let ended = lock.withLock {
        watcher.isCancelled = true
        return take { $0 === watcher }
      }
      for continuation in ended { continuation.resume() }
    }
  }

  /// Removes those for whom the number is large enough. Called under the lock; the caller resumes them
  /// outside of it, as that may run user code.
  func take(at number: Int) -> [Continuation] { take { $0.count <= number } }

  /// Removes all, as nothing is to come any more; later ones do not wait. Called as `take(at:)` is.
  func close() -> [Continuation] {
    isClosed = true
    return take { _ in true }
  }

  private func take(where isTaken: (Watcher) -> Bool) -> [Continuation] {
    if waiting.isEmpty { return [] }
    let taken = waiting.filter(isTaken)
    waiting.removeAll(where: isTaken)
    return taken.compactMap(\.continuation)
  }
}
