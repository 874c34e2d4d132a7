// Part of Weir. SPDX-License-Identifier: Apache-2.0
import EventLoopScheduler
import NIOCore
import NIOPosix
import Testing
import Weir

@Suite("A custom scheduler: an event loop of SwiftNIO")
struct EventLoopSchedulerTests {
  @Test func `work runs on the loop, in order, with the scheduler as the current one`() async throws {
    try await withLoop { loop, scheduler in
      let numbers = await withCheckedContinuation { done in
        let log = Log()
        for number in 0..<100 {
          scheduler.schedule {
            if loop.inEventLoop, Schedulers.current === scheduler { log.numbers.append(number) }
          }
        }
        scheduler.schedule { done.resume(returning: log.numbers) }
      }
      #expect(numbers == Array(0..<100))
      #expect(!scheduler.isCurrent)
    }
  }

  @Test func `other work runs between the rounds of recursive work`() async throws {
    try await withLoop { _, scheduler in
      let rounds = await withCheckedContinuation { done in
        let log = Log()
        let work = scheduler.scheduleRecursive { again in
          log.numbers.append(0)
          again()
        }
        scheduler.schedule {
          work.dispose()
          done.resume(returning: log.numbers.count)
        }
      }
      #expect(rounds >= 1)
    }
  }

  @Test func `a timer does not fire before its time`() async throws {
    try await withLoop { loop, scheduler in
      let due = scheduler.clock.now.advanced(by: .milliseconds(3))
      let isLate = await withCheckedContinuation { done in
        scheduler.schedule(at: due) { done.resume(returning: loop.inEventLoop && scheduler.clock.now >= due) }
      }
      #expect(isLate)
    }
  }

  @Test func `a loop that was shut down abandons its work`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let scheduler = EventLoopScheduler(group.next())
    try await group.shutdownGracefully()
    #expect(scheduler.schedule {}.isDisposed)
  }

  private func withLoop(
    _ body: (any EventLoop, EventLoopScheduler) async -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    await body(loop, EventLoopScheduler(loop))
    try await group.shutdownGracefully()
  }
}

private final class Log: @unchecked Sendable {  // used on the loop only
  var numbers: [Int] = []
}
