// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

#if canImport(Runtime)
import Runtime
#endif

/// The code of the articles "In production" and "Finding the cause" that measures and looks for causes.
@Suite struct FindingTheCauseTests {
  @Test("the gauge of a pool counts what waits while all its threads are blocked, and measures it afterwards")
  func gauge() {
    let (watching, pool) = (VirtualScheduler(), QueuedScheduler())
    let clock = ContinuousClock()
    let (counts, waits) = (Box<[Int]>([]), Box(0))
    let gauge = { @Sendable (name: String, value: Any) in
      if let count = value as? Int { counts.value.append(count) } else { waits.value += 1 }
    }

    let unanswered = MutableProperty(0)
    Signal.ticks(every: .seconds(1), on: watching).subscribe {
      gauge("unanswered", unanswered.value)  // more than 1: no thread is free
      unanswered.modify { $0 += 1 }
      let asked = clock.now
      pool.schedule {
        unanswered.modify { $0 -= 1 }
        gauge("waited", asked.duration(to: clock.now))
      }
    }

    watching.advance(by: .seconds(4))
    #expect(counts.value == [0, 1, 2, 3] && waits.value == 0)
    pool.runAll()
    #expect(waits.value == 4)
    watching.advance(by: .seconds(1))
    #expect(counts.value.last == 0)
  }

  #if canImport(Runtime)
  /// Only compiled: to name the functions of the program of all tests takes twelve seconds.
  private func printStack() {
    guard let stack = try? Backtrace.capture(limit: 60).symbolicated() else { return }
    for frame in stack.frames { print(frame) }
  }
  #endif
}
