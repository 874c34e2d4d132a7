// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// When each subscription of a test signal started and ended.
final class SubscriptionLog: @unchecked Sendable {  // the intervals are under the lock
  private let lock = Lock()
  private var intervals: [SubscriptionInterval] = []
  private let clock: VirtualClock

  init(_ clock: VirtualClock) { self.clock = clock }

  var all: [SubscriptionInterval] { lock.withLock { intervals } }

  /// Records a subscription that starts now; it ends when the result is disposed.
  func begin() -> any Disposable {
    let now = clock.now.elapsed
    let index = lock.withLock {
      intervals.append(SubscriptionInterval(start: now))
      return intervals.count - 1
    }
    return ActionDisposable { [self] in
      let end = clock.now.elapsed
      lock.withLock { intervals[index].end = end }
    }
  }
}
