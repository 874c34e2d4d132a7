// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CTestSupport

/// For how long `body` kept a processor busy: what other tests do meanwhile does not count, as it would in
/// wall-clock time.
func processorTime(_ body: () -> Void) -> Duration {
  let before = test_thread_nanoseconds()
  body()
  return .nanoseconds(test_thread_nanoseconds() - before)
}
