// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Testing
import Weir
import WeirTesting

@testable import WeirFoundation

/// Queues of Dispatch as schedulers. No test sleeps: they wait on semaphores for what must happen.
struct DispatchSchedulerTests {
  private let scheduler = DispatchScheduler(DispatchQueue(label: "weir.test"))

  @Test("work runs on the queue, in order, with the scheduler as the current one")
  func order() {
    let (log, done) = (Recorded(), DispatchSemaphore(value: 0))
    for number in 0..<100 {
      scheduler.schedule { [scheduler] in
        dispatchPrecondition(condition: .onQueue(scheduler.queue))
        if scheduler.isCurrent { log.append(number) }
      }
    }
    scheduler.schedule { done.signal() }
    done.wait()
    #expect(log.numbers == Array(0..<100))
    #expect(!scheduler.isCurrent)
  }

  @Test("real clock: a timer is not early, and its work runs on the queue")
  func timer() {
    let (late, done) = (Counter(), DispatchSemaphore(value: 0))
    let due = scheduler.clock.now.advanced(by: .milliseconds(3))
    scheduler.schedule(at: due) { [scheduler] in
      if scheduler.isCurrent, scheduler.clock.now >= due { late.add() }
      done.signal()
    }
    done.wait()
    #expect(late.value == 1)
  }

  @Test("I8: a serial scheduler over a concurrent queue runs one action at a time, in order")
  func serialOverConcurrent() {
    let serial = SerialScheduler(
      on: DispatchScheduler(DispatchQueue(label: "weir.test", attributes: .concurrent)))
    let (log, done) = (Recorded(), DispatchSemaphore(value: 0))
    for number in 0..<1_000 { serial.schedule { if serial.isCurrent { log.append(number) } } }
    serial.schedule { done.signal() }
    done.wait()
    #expect(log.numbers == Array(0..<1_000))
  }
}

/// The main queue's scheduler, on other queues: the main one belongs to the test runner.
struct MainSchedulerTests {
  @Test(
    "X6: the main scheduler is current in code that its queue runs, even if it was not scheduled through it")
  func isCurrent() {
    let queue = DispatchQueue(label: "weir.main")
    let scheduler = MainScheduler(on: queue, patience: .seconds(60)) { _ in }
    #expect(!scheduler.isCurrent)
    #expect(queue.sync { scheduler.isCurrent })
    #expect(queue.sync { Schedulers.current } == nil)
  }

  @Test("DD-7: a main queue that nobody runs is reported with what to do about it")
  func stalled() async {
    let queue = DispatchQueue(label: "weir.main")
    queue.suspend()
    let message = await withCheckedContinuation { reported in
      let scheduler = MainScheduler(on: queue, patience: .milliseconds(1)) { reported.resume(returning: $0) }
      scheduler.schedule {}
      scheduler.schedule {}
    }
    #expect(message.contains("dispatchMain()") && message.contains("another scheduler"))
    #expect(message.contains("nobody runs it, or something keeps the main thread busy"))
    queue.resume()
  }

  @Test("a main queue that gets to its work after the whole process was stopped is not reported")
  func stopped() async {
    await #expect(processExitsWith: .success) {
      let queue = DispatchQueue(label: "weir.main")
      queue.suspend()
      let scheduler = MainScheduler(on: queue, patience: .seconds(5)) { _ in exit(EXIT_FAILURE) }
      let ran = DispatchSemaphore(value: 0)
      scheduler.schedule { ran.signal() }
      let stopping = "kill -STOP \(getpid()); sleep 6; kill -CONT \(getpid())"
      var child = pid_t()
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(stopping), nil]
      guard posix_spawn(&child, "/bin/sh", nil, nil, &arguments, environ) == 0 else { exit(EXIT_FAILURE) }
      var status: Int32 = -1
      while waitpid(child, &status, 0) < 0, errno == EINTR {}
      queue.resume()
      ran.wait()
      exit(status == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("a main queue that has run something is not watched any more")
  func content() {
    let queue = DispatchQueue(label: "weir.main")
    let scheduler = MainScheduler(on: queue, patience: .seconds(3_600)) { _ in }
    scheduler.schedule {}
    queue.sync {}
    #expect(scheduler.watch.isContent)
  }
}

/// Numbers that a serial queue writes down.
private final class Recorded: @unchecked Sendable {  // written serially, read after that
  private(set) var numbers: [Int] = []
  func append(_ number: Int) { numbers.append(number) }
}
