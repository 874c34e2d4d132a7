// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// A door on which a thread waits, in the kernel, until another one opens it.
final class Door: @unchecked Sendable {  // a semaphore is made to be shared
  private let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    semaphore = .allocate(capacity: 1)
    precondition(sem_init(semaphore, 0, 0) == 0)
  }
  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Lets one thread pass, now or when it arrives.
  func open() { sem_post(semaphore) }
  func pass() { while sem_wait(semaphore) != 0 {} }
}
