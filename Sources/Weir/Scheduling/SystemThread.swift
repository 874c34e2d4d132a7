// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Glibc

/// Threads of the system, for schedulers and for what waits in calls of the system.
package enum SystemThread {
  /// Runs `body` on a new thread, which ends with it.
  ///
  /// - Parameters:
  ///   - name: what debuggers and `top` call it; the system keeps the first 15 bytes.
  ///   - body: what to do.
  package static func start(named name: String, _ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Job(name: name, body))
    let status = pthread_create(&thread, nil, { Job.run($0) }, job.toOpaque())
    // Not a precondition, of which release builds print nothing: nobody has done anything wrong here.
    if status != 0 {
      fatalError(
        "weir: the system refused to start the thread \(name) (error \(status)); raise its limit of threads")
    }
    pthread_detach(thread)
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
