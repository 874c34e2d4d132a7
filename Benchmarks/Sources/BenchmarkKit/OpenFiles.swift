// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc

/// How many files and connections this process may have open.
package enum OpenFiles {
  /// Raises the number to the most that the system allows, and returns it.
  @discardableResult
  package static func allowMany() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
