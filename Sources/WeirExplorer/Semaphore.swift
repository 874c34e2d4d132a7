// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// A semaphore of the system, which the sanitizers understand. Threads pass control to one another with it.
final class Semaphore: @unchecked Sendable {  // made to be shared
  private let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    semaphore = .allocate(capacity: 1)
    precondition(sem_init(semaphore, 0, 0) == 0, "weir: the system refused to make a semaphore")
  }
  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  func wait() { while sem_wait(semaphore) != 0 {} }

  /// Returns false if no thread has signalled for `seconds`.
  func wait(atMost seconds: Int) -> Bool {
    var limit = timespec()
    clock_gettime(CLOCK_REALTIME, &limit)
    limit.tv_sec += seconds
    while sem_timedwait(semaphore, &limit) != 0 { if errno == ETIMEDOUT { return false } }
    return true
  }
}
