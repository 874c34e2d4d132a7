// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Glibc
import Testing
import WeirTesting

@testable import Weir

/// How threads are started.
struct SystemThreadTests {
  @Test("a thread that the system refuses for the moment is tried again; other errors are not")
  func refused() {
    let attempts = Counter()
    #expect(SystemThread.patiently { attempts.add() < 5 ? EAGAIN : 0 } == 0)
    #expect(attempts.value == 6)
    #expect(SystemThread.patiently { attempts.add() < 7 ? EPERM : 0 } == EPERM)
    #expect(attempts.value == 7)
    #expect(SystemThread.patiently { EAGAIN } == EAGAIN)
  }

  @Test("on a single processor an idle thread looks for work once before it parks; it spins if it is told to")
  func alone() async {
    await #expect(processExitsWith: .success) {
      #expect(test_use_one_processor())
      #expect(WorkerPool.defaultThreadCount == 2)
      #expect(IdlePolicy.parking.search == .once && IdlePolicy.parking.lingering == .once)
      #expect(IdlePolicy.spinning.search.looks > 1_000)
    }
  }
}
