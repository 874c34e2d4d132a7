// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// For how long `body` kept a processor busy: what other tests do meanwhile does not count, as it would in
/// wall-clock time.
func processorTime(_ body: () -> Void) -> Duration {
  func used() -> Duration {
    var time = timespec()
    precondition(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let before = used()
  body()
  return used() - before
}
