// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
package import Glibc

/// System threads, for schedulers and for blocking system calls.
package enum SystemThread {
  /// Runs `body` on a new thread, which ends with it.
  ///
  /// - Parameters:
  ///   - name: the name in debuggers and `top`; the system keeps the first 15 bytes.
  ///   - body: what to do.
  package static func start(named name: String, _ body: @escaping @Sendable () -> Void) {
    pthread_detach(joinable(named: name, body))
  }

  /// The same for a thread that the caller joins.
  package static func joinable(named name: String, _ body: @escaping @Sendable () -> Void) -> pthread_t {
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Job(name: name, body))
    let status = patiently { pthread_create(&thread, nil, { Job.run($0) }, job.toOpaque()) }
    require(
      status == 0,
      "weir: the system refused to start the thread \(name) (error \(status)); raise its limit of threads")
    return thread
  }

  /// Tries again for a fifth of a second if the system has no thread to give: others may end just then, in
  /// this or in another process.
  static func patiently(_ create: () -> Int32) -> Int32 {
    for attempt in 1...20 {
      let status = create()
      if status != EAGAIN { return status }
      usleep(UInt32(attempt) * 1000)
    }
    return create()
  }

  private final class Job: Sendable {
    private let name: String
    private let body: @Sendable () -> Void

    init(name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }

    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let pointer else { return nil }
      let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
      weir_name_thread(job.name)
      job.body()
      return nil
    }
  }
}
