// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// Timers as one usually writes them with a mutex: a heap under a lock, and a thread that waits on a
/// condition variable until the first one is due. Cancelled timers stay in the heap until they are due, or
/// until half of all timers are cancelled.
public final class MutexTimers: @unchecked Sendable {  // everything under the lock
  /// A timer that was armed.
  public final class Armed: @unchecked Sendable {  // under the lock of its timers
    fileprivate let due: ContinuousClock.Instant
    fileprivate var action: (@Sendable () -> Void)?
    private let timers: MutexTimers

    fileprivate init(
      due: ContinuousClock.Instant, of timers: MutexTimers, _ action: @escaping @Sendable () -> Void
    ) {
      self.due = due
      self.timers = timers
      self.action = action
    }

    /// Cancels the action if it has not begun.
    public func cancel() { timers.cancel(self) }

    /// Whether the action has neither begun nor been cancelled.
    public var isArmed: Bool { timers.isArmed(self) }
  }

  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var heap: [Armed] = []
  private var cancelled = 0

  /// Starts a thread that lives as long as the process.
  public init() {
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<MutexTimers>.fromOpaque(pointer).takeRetainedValue().serve() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(status == 0, "the system refused to start a thread (error \(status))")
    pthread_detach(thread)
  }

  /// Runs `action` on the timer thread when `delay` has passed.
  public func arm(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> Armed {
    let timer = Armed(due: .now.advanced(by: delay), of: self, action)
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    insert(timer)
    if heap[0] === timer { pthread_cond_signal(changed) }
    return timer
  }

  private func isArmed(_ timer: Armed) -> Bool {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return timer.action != nil
  }

  private func cancel(_ timer: Armed) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard timer.action != nil else { return }
    timer.action = nil
    cancelled += 1
    guard cancelled > 1_024, cancelled > heap.count / 2 else { return }
    cancelled = 0
    let kept = heap.filter { $0.action != nil }
    heap = []
    for timer in kept { insert(timer) }
  }

  private func serve() {
    pthread_mutex_lock(lock)
    while true {
      guard let first = heap.first else {
        pthread_cond_wait(changed, lock)
        continue
      }
      let wait = ContinuousClock.now.duration(to: first.due)
      if wait > .zero {
        var limit = timespec()
        clock_gettime(CLOCK_MONOTONIC, &limit)
        let nanoseconds = Int64(limit.tv_nsec) + wait.components.attoseconds / 1_000_000_000 + 1
        limit.tv_sec += Int(wait.components.seconds + nanoseconds / 1_000_000_000)
        limit.tv_nsec = Int(nanoseconds % 1_000_000_000)
        pthread_cond_timedwait(changed, lock, &limit)
        continue
      }
      removeFirst()
      let action = first.action
      first.action = nil
      pthread_mutex_unlock(lock)
      action?()
      pthread_mutex_lock(lock)
    }
  }

  private func insert(_ timer: Armed) {
    heap.append(timer)
    var child = heap.count - 1
    while child > 0, heap[child].due < heap[(child - 1) / 2].due {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].due < heap[least].due {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
