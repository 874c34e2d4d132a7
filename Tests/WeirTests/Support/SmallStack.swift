// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// Runs `body` on a thread with a small stack, and waits for it. On 256 KiB, code that grows the stack by
/// three bytes a round does not survive a hundred thousand rounds.
func withSmallStack(kibibytes: Int = 256, _ body: @escaping @Sendable () -> Void) {
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  precondition(pthread_attr_init(attributes) == 0)
  precondition(pthread_attr_setstacksize(attributes, kibibytes * 1024) == 0)
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let status = pthread_create(
    &thread, attributes,
    { pointer in
      pointer.map { Unmanaged<Box<@Sendable () -> Void>>.fromOpaque($0).takeRetainedValue().value() }
      return nil
    }, box.toOpaque())
  precondition(status == 0, "the system refused to start a thread (error \(status))")
  pthread_join(thread, nil)
  pthread_attr_destroy(attributes)
}
