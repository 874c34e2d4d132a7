// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Testing
import Weir
import WeirFoundation
import WeirTesting

/// Signals of the system, each test with a number of its own. Nothing is slept for.
struct SystemSignalTests {
  /// What the system does with a signal: by default it ends the process, and what runs in the background may ignore some.
  private func action(_ number: Int32) -> Int {
    var action = sigaction()
    sigaction(number, nil, &action)
    return action.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } ?? 0
  }

  @Test(
    "X20: who listens gets the number, for each time; afterwards the system does what it did before")
  func listening() {
    let before = action(SIGUSR1)
    let came = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
      let numbers = Counter()
      let subscription = Signal.system(SIGUSR1).subscribe { number in
        for _ in 0..<number { numbers.add() }
        came.signal()
      }
      for _ in 0..<2 {
        kill(getpid(), SIGUSR1)
        came.wait()
      }
      subscription.dispose()
      #expect(numbers.value == 2 * Int(SIGUSR1))
      #expect(action(SIGUSR1) == before)
    }
  }

  @Test(
    "X20: of two who listen to one number, both get it, and the other goes on when one leaves")
  func two() {
    let (user, hangup) = (action(SIGUSR2), action(SIGHUP))
    let came = DispatchSemaphore(value: 0)
    let left = Counter()
    let first = Signal.system(SIGUSR2, SIGHUP).subscribe { _ in
      left.add()
      came.signal()
    }
    let second = Signal.system(SIGHUP).subscribe { _ in came.signal() }
    kill(getpid(), SIGHUP)
    came.wait()
    came.wait()
    first.dispose()
    #expect(action(SIGUSR2) == user)
    #expect(action(SIGHUP) != hangup)
    kill(getpid(), SIGHUP)
    came.wait()
    #expect(left.value == 1)
    second.dispose()
    #expect(action(SIGHUP) == hangup)
  }

  @Test("a number that is no signal stops the program with a message", arguments: [0, 65, -1])
  func unknown(number: Int32) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [number] in
      Signal.system(number).subscribe()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("weir: system(\(number)): there is no such signal"))
  }

  @Test(
    "X20: Ctrl-C ends a program that nobody stops it for, also when somebody had listened before")
  func ended() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      signal(SIGINT, SIG_DFL)
      Signal.system(SIGINT).subscribe().dispose()
      kill(getpid(), SIGINT)
    }
  }
}
