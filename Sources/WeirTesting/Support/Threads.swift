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
  let start = StartLine(count)
  let threads = (0..<count).map { index in
    var thread = pthread_t()
    let job = Unmanaged.passRetained(
      Job {
        start.wait()
        body(index)
      })
    let status = pthread_create(&thread, nil, { Job.run($0) }, job.toOpaque())
    // Not a precondition, whose message a release build does not print.
    if status != 0 {
      fatalError("weir: the system refused to start thread \(index) of \(count) (error \(status))")
    }
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
}

private final class Job: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    pointer.map { Unmanaged<Job>.fromOpaque($0).takeRetainedValue().body() }
    return nil
  }
}

/// Holds threads until all have arrived.
private final class StartLine: @unchecked Sendable {  // the counter is atomic
  private let missing: UnsafeMutablePointer<UInt64>

  init(_ count: Int) {
    missing = .allocate(capacity: 1)
    missing.initialize(to: UInt64(count))
  }
  deinit { missing.deallocate() }

  func wait() {
    weir_sub_acq_rel_u64(missing, 1)
    while weir_load_acquire_u64(missing) != 0 { weir_yield() }
  }
}
