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
    let status = pthread_create(&thread, nil, { Job.run($0) }, job.toOpaque())
    require(
      status == 0,
      "weir: the system refused to start the thread \(name) (error \(status)); raise its limit of threads")
    return thread
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
