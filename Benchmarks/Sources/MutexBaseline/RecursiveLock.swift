// Part of Weir. SPDX-License-Identifier: Apache-2.0
public import Glibc

/// A recursive pthread mutex beside the value it protects.
///
/// `Synchronization.Mutex` cannot be taken twice by one thread, so it cannot protect callbacks.
/// `@unchecked Sendable`: both pointers are set once, and `value` is only touched by the thread that holds
/// `mutex`.
@usableFromInline
struct RecursiveLock<Value: Sendable>: @unchecked Sendable {
  // Separate allocations: the mutex must never move, and a pointer carries no exclusivity check, which a
  // nested access from a callback would otherwise trip over.
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  @usableFromInline
  init(_ initial: Value) {
    mutex = .allocate(capacity: 1)
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    let error = pthread_mutex_init(mutex, &attributes)
    precondition(error == 0, "pthread_mutex_init failed with error \(error)")
    pthread_mutexattr_destroy(&attributes)
  }

  @inlinable func lock() { pthread_mutex_lock(mutex) }

  @inlinable func unlock() { pthread_mutex_unlock(mutex) }

  @usableFromInline
  func destroy() {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }
}
