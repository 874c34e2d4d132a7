// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CTestSupport
import CWeirAtomics
import Glibc
import Testing
import Weir
import WeirTesting

extension Stress {
  /// A process in which the library is at work starts child processes, in both ways that servers use. In
  /// processes of their own: the system copies all memory that is written to between `fork` and `exec`, and
  /// counts of descriptors are exact.
  @Suite struct ForkStress {
    @Test(
      "fork and execve succeed while threads send, and delivery in the parent goes on"
    )
    func fork() async {
      await #expect(processExitsWith: .success) {
        perturb()
        underLoad { whileSending in
          let (began, path) = (weir_blocks_alive(), strdup("/bin/true"))
          let arguments: [UnsafeMutablePointer<CChar>?] = [path, nil]
          for _ in 0..<roundCount(100) {
            #expect(forkAndExecute(arguments) == 0)
            whileSending()
          }
          free(path)
          #expect(weir_blocks_alive() <= began + 100)
        }
      }
    }

    @Test(
      "posix_spawn succeeds while threads send, and the library has no descriptor that a child could inherit")
    func spawn() async {
      await #expect(processExitsWith: .success) {
        perturb()
        let before = descriptors()
        underLoad { whileSending in
          #expect(descriptors() == before)
          let path = strdup("/bin/true")
          var arguments: [UnsafeMutablePointer<CChar>?] = [path, nil]
          for _ in 0..<roundCount(100) {
            var child = pid_t()
            #expect(posix_spawn(&child, "/bin/true", nil, nil, &arguments, environ) == 0)
            #expect(status(of: child) == 0)
            whileSending()
          }
          free(path)
        }
        #expect(descriptors() == before)
      }
    }
  }
}

/// Keeps four threads and the pool at work while `body` runs on one more. Each call of `whileSending` waits
/// until something more was delivered in each way, so it does not return if something stopped.
private func underLoad(_ body: @escaping @Sendable (_ whileSending: () -> Void) -> Void) {
  let (over, sent, hopped, ticks, runs) = (Counter(), Counter(), Counter(), Counter(), Counter())
  let subject = Subject<Int, Never>()
  let property = MutableProperty(0)
  let scheduler = SerialScheduler()
  let subscriptions = [
    subject.subscribe { _ in sent.add() },
    subject.observe(on: scheduler, waiting: .bounded(64, onOverflow: .dropOldest)).subscribe { _ in
      hopped.add()
    },
    property.signal.subscribe { _ in },
  ]
  let timer = WorkerPool.shared.schedule(every: .milliseconds(1)) { ticks.add() }
  withThreads(5) { index in
    if index == 0 {
      body {
        let before = [sent, hopped, ticks, runs].map(\.value)
        while zip(before, [sent, hopped, ticks, runs]).contains(where: { $0 >= $1.value }) { weir_yield() }
      }
      over.add()
      return
    }
    while over.value == 0 {
      subject.send(index)
      property.value = index
      subject.subscribe { _ in }.dispose()
      if index == 1 { WorkerPool.shared.schedule { runs.add() } }
      weir_yield()
    }
  }
  timer.dispose()
  for subscription in subscriptions { subscription.dispose() }
}

/// Starts a child in the old way, and returns its status. Nothing is done after `fork` but `execve`, and its
/// arguments are ready before.
private func forkAndExecute(_ arguments: [UnsafeMutablePointer<CChar>?]) -> Int32 {
  arguments.withUnsafeBufferPointer { buffer in
    guard let arguments = buffer.baseAddress, let path = buffer[0] else { return -1 }
    let environment = environ
    let child = test_fork()
    if child == 0 {
      execve(path, arguments, environment)
      _exit(127)
    }
    return child < 0 ? -1 : status(of: child)
  }
}

/// Waits for a child, and returns how it ended; 0 is success.
private func status(of child: pid_t) -> Int32 {
  var status: Int32 = -1
  while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
  return status
}

/// The files that this process has open.
private func descriptors() -> Set<String> {
  guard let directory = opendir("/proc/self/fd") else { return [] }
  defer { closedir(directory) }
  let own = "\(dirfd(directory))"
  var names: Set<String> = []
  while let entry = readdir(directory) {
    names.insert(
      withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
  }
  return names.subtracting([own])
}
