// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc
import Weir

/// Runs `body` on `count` threads that start together, and returns when all have returned.
///
/// These are threads of the system, not tasks: a test of races needs all of them at once, whatever the size
/// of a thread pool.
///
/// - Parameters:
///   - count: how many threads.
///   - body: called once on each, with its index.
/// - Precondition: `count` is not negative, and the system does not refuse to start the threads.
///
/// ReactiveObjC has none.
public func withThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
  require(count >= 0, "weir: withThreads(\(count)): pass how many threads to start, 0 or more")
  let arrived = Counter()
  let threads = (0..<count).map { index in
    SystemThread.joinable(named: "weir-test-\(index)") {
      arrived.add()
      while arrived.value < count { weir_yield() }
      body(index)
    }
  }
  for thread in threads { pthread_join(thread, nil) }
}
