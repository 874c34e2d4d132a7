// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CTestSupport
import CWeirAtomics
import Dispatch
import Glibc
import Testing
import Weir
import WeirFoundation
import WeirTesting

/// Signals of the system, each test with a number of its own. No test sleeps.
struct SystemSignalTests {
  /// What the system does with a signal: by default it ends the process, and what runs in the background may
  /// ignore some.
  private func action(_ number: Int32) -> Int {
    var action = sigaction()
    sigaction(number, nil, &action)
    return action.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } ?? 0
  }

  @Test(
    "X20: a subscriber receives the number of each signal; after disposal the system acts on it as before")
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
    "X20: two subscribers of one signal both receive it, and one still receives it when the other is disposed"
  )
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

  @Test("X20: the numbers may come in an array, which may be empty")
  func array() {
    let (came, numbers) = (DispatchSemaphore(value: 0), [SIGURG, SIGWINCH])
    let before = numbers.map(action)
    let subscription = Signal.system(numbers).subscribe { _ in came.signal() }
    for number in numbers {
      kill(getpid(), number)
      came.wait()
    }
    subscription.dispose()
    #expect(numbers.map(action) == before)
    Signal.system([]).subscribe().dispose()
  }

  #if compiler(>=6.3)  // Closures of exit tests capture values from 6.3 on.
  @Test("a number that is no signal, or whose signal cannot be observed, traps with a message")
  func refused() async {
    let no = "there is no such signal", nobody = "nobody can listen to this signal"
    await stops(0, no)
    await stops(65, no)
    await stops(-1, no)
    for number in [SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, 32, 33] {
      await stops(number, nobody)
    }
  }

  private func stops(_ number: Int32, _ why: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [number] in
      Signal.system(number).subscribe()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("weir: system(\(number)): \(why); pass one such as SIGTERM"))
  }
  #endif

  @Test(
    "X20: SIGINT ends the process after the only subscription, which has received one, is disposed")
  func ended() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      signal(SIGINT, SIG_DFL)
      let came = DispatchSemaphore(value: 0)
      let subscription = Signal.system(SIGINT).subscribe { _ in came.signal() }
      kill(getpid(), SIGINT)
      came.wait()
      subscription.dispose()
      send(SIGINT)
    }
  }

  @Test("X20: the system acts as before on a signal without subscribers, while another signal has one")
  func others() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      signal(SIGTERM, SIG_DFL)
      let subscription = Signal.system(SIGINT).subscribe()
      send(SIGTERM)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test(
    "X20: in a child that fork has made of the process, a signal does what it does by default",
    .disabled(if: weir_is_thread_sanitized(), "ThreadSanitizer hands out signals itself, not in such a child")
  )
  func forked() async {
    await #expect(processExitsWith: .success) {
      Signal.system(SIGTERM).subscribe()
      let child = test_fork()
      if child == 0 {
        // Ends a child that ignores the other signal.
        alarm(30)
        // Threads of Dispatch block all signals.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        while true { pause() }
      }
      kill(child, SIGTERM)
      var status: Int32 = -1
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      exit(status == SIGTERM ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("X20: a subscription does not receive a signal that came before it")
  func stale() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<1_000 {
        let first = Signal.system(SIGUSR1).subscribe()
        send(SIGUSR1)
        first.dispose()
        let (came, numbers) = (DispatchSemaphore(value: 0), Counter())
        let second = Signal.system(SIGUSR1, SIGUSR2).subscribe { _ in
          numbers.add()
          came.signal()
        }
        send(SIGUSR2)
        came.wait()
        if numbers.value != 1 { exit(EXIT_FAILURE) }
        second.dispose()
      }
    }
  }

  @Test(
    "X20: threads that subscribe again and again, to signals of their own and a common one, miss none of their own"
  )
  func comeAndGo() async {
    await #expect(processExitsWith: .success) {
      // Subscribed to the end: the last of these signals may still be on its way.
      Signal.system(SIGTERM).subscribe()
      withThreads(3) { index in
        let own = [SIGUSR1, SIGUSR2, SIGHUP][index]
        for _ in 0..<300 {
          let came = DispatchSemaphore(value: 0)
          let subscription = Signal.system(own, SIGTERM).subscribe { if $0 == own { came.signal() } }
          kill(getpid(), SIGTERM)
          kill(getpid(), own)
          came.wait()
          subscription.dispose()
        }
      }
    }
  }

  @Test("X20: a process that has no descriptors left can subscribe to a signal")
  func descriptors() async {
    await #expect(processExitsWith: .success) {
      while open("/dev/null", O_RDONLY) >= 0 {}
      let came = DispatchSemaphore(value: 0)
      let subscription = Signal.system(SIGUSR1).subscribe { _ in came.signal() }
      kill(getpid(), SIGUSR1)
      came.wait()
      subscription.dispose()
    }
  }

  @Test(
    "X20: a Dispatch source made during a subscription receives the signal, as does one made after it"
  )
  func source() async {
    await #expect(processExitsWith: .success) {
      let subscription = Signal.system(SIGINT).subscribe { _ in exit(EXIT_FAILURE) }
      let came = DispatchSemaphore(value: 0)
      let source = dispatchSource(SIGINT) { came.signal() }
      kill(getpid(), SIGINT)
      came.wait()
      subscription.dispose()
      kill(getpid(), SIGINT)
      came.wait()
      source.cancel()
    }
    await #expect(processExitsWith: .success) {
      let came = DispatchSemaphore(value: 0)
      let subscription = Signal.system(SIGINT).subscribe { _ in came.signal() }
      kill(getpid(), SIGINT)
      came.wait()
      subscription.dispose()
      let source = dispatchSource(SIGINT) { came.signal() }
      kill(getpid(), SIGINT)
      came.wait()
      source.cancel()
    }
  }

  @Test("X20: a subscription receives a signal whose Dispatch source has been cancelled")
  func cancelledSource() async {
    await #expect(processExitsWith: .success) {
      let (begun, ended, came) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
      )
      let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
      source.setRegistrationHandler { begun.signal() }
      source.setCancelHandler { ended.signal() }
      source.resume()
      begun.wait()
      source.cancel()
      ended.wait()
      let subscription = Signal.system(SIGINT).subscribe { _ in came.signal() }
      kill(getpid(), SIGINT)
      came.wait()
      subscription.dispose()
    }
  }
}

/// A signal source of Dispatch, which has begun to listen when this returns.
private func dispatchSource(
  _ number: Int32, _ handler: @escaping @Sendable () -> Void
) -> any DispatchSourceSignal {
  let begun = DispatchSemaphore(value: 0)
  let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
  source.setRegistrationHandler { begun.signal() }
  source.setEventHandler(handler: handler)
  source.resume()
  begun.wait()
  return source
}

/// Sends a signal to this thread, which has it handled before this returns; threads of Dispatch would keep it
/// for later.
private func send(_ number: Int32) {
  var (numbers, before) = (sigset_t(), sigset_t())
  sigaddset(&numbers, number)
  pthread_sigmask(SIG_UNBLOCK, &numbers, &before)
  raise(number)
  pthread_sigmask(SIG_SETMASK, &before, nil)
}
