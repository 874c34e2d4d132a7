// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// A POSIX thread that runs one closure.
package struct Thread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let handle: pthread_t

  package init(_ run: @escaping @Sendable () -> Void) {
    var handle = pthread_t()
    let body = Unmanaged.passRetained(Body(run))
    let error = pthread_create(
      &handle, nil,
      { argument in
        // pthread hands back the pointer it was given, which is never nil here.
        Unmanaged<Body>.fromOpaque(argument.unsafelyUnwrapped).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if error != 0 { fail("cannot start a thread: \(String(cString: strerror(error)))", status: 71) }
    self.handle = handle
  }

  package func join() { pthread_join(handle, nil) }

  /// Starts a thread that never does anything. While a process has only one thread, glibc leaves out the lock
  /// prefix of its mutexes. Servers have several threads; without this, a pthread mutex would look three
  /// times cheaper than there.
  static func park() {
    _ = Thread { while true { pause() } }
  }
}
