// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Weir

/// A mutex of the system, which ThreadSanitizer understands. The test kit, unlike the runtime, has locks; it
/// never calls user code while it holds one.
final class Lock: @unchecked Sendable {  // a mutex is made to be shared
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    let status = pthread_mutex_init(mutex, nil)
    require(status == 0, "weir: the system refused to make a mutex (error \(status))")
  }
  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
