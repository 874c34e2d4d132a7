// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// rateLimit(to:on:edge:): at most one value in an interval.
struct RateLimitTests {
  let scheduler = VirtualScheduler()
  let subject = Subject<Int, Oops>()

  /// Sends 0 to 9, one a second, and returns the second and the value of each delivery.
  private func steadyFlow(_ edge: RateLimitEdge) -> [[Int]] {
    let recorder = Recorder(
      subject.rateLimit(to: .seconds(4), on: scheduler, edge: edge).timestamp(on: scheduler))
    for value in 0...9 {
      subject.send(value)
      scheduler.advance(by: .seconds(1))
    }
    scheduler.advance(by: .seconds(10))
    recorder.dispose()
    return recorder.values.map { [Int($0.instant.elapsed.components.seconds), $0.value] }
  }

  @Test("rateLimit with .leading delivers the first value of an interval immediately")
  func leading() { #expect(steadyFlow(.leading) == [[0, 0], [4, 4], [8, 8]]) }

  @Test("rateLimit with .trailing delivers the last value of an interval when that is over")
  func trailing() { #expect(steadyFlow(.trailing) == [[4, 3], [8, 7], [12, 9]]) }

  @Test(
    "rateLimit with .both delivers the first value immediately, and the last one when the interval is over")
  func both() { #expect(steadyFlow(.both) == [[0, 0], [4, 3], [8, 7], [12, 9]]) }

  @Test("an interval without further values ends silently; the next value is delivered immediately")
  func pause() {
    let recorder = Recorder(subject.rateLimit(to: .seconds(4), on: scheduler, edge: .both))
    subject.send(1)
    #expect(!scheduler.step())
    scheduler.advance(by: .seconds(4))
    subject.send(2)
    #expect(recorder.values == [1, 2])
    subject.complete()
  }

  @Test(
    "a value sent while the timer is late replaces the pending one, and waits for the timer"
  )
  func lateTimer() {
    let late = TardyScheduler(scheduler, by: .seconds(2))
    let recorder = Recorder(subject.rateLimit(to: .seconds(4), on: late, edge: .both))
    subject.send(1)
    subject.send(2)
    scheduler.advance(by: .seconds(5))
    subject.send(3)
    #expect(recorder.values == [1])
    scheduler.run()
    #expect(recorder.values == [1, 3])
    recorder.dispose()
  }

  /// Sends 0 and 1 immediately, and 2 and 3 at these times while 1 is being delivered; returns the value and
  /// the time of each delivery. All times are in milliseconds.
  private static func whileBusy(
    _ edge: RateLimitEdge, sendingAt times: [Int], until end: Int
  ) -> [[Int]] {
    let (scheduler, subject) = (VirtualScheduler(), Subject<Int, Oops>())
    let log = Box<[[Int]]>([])
    let subscription = subject.rateLimit(to: .seconds(1), on: scheduler, edge: edge).subscribe(
      next: { [scheduler, unowned subject] value in
        log.value.append([value, Int(scheduler.clock.now.elapsed / .milliseconds(1))])
        if value != 1 { return }
        for (index, time) in times.enumerated() {
          scheduler.advance(to: .init(.milliseconds(time)))
          subject.send(2 + index)
        }
        scheduler.advance(to: .init(.milliseconds(end)))
      }, failed: { _ in })
    for value in 0...1 { subject.send(value) }
    scheduler.run()
    subscription.dispose()
    return log.value
  }

  @Test(
    "values sent during a slow delivery belong to the interval of their send time: only the last is delivered"
  )
  func superseded() {
    // Both belong to the interval from 1,000 to 2,000.
    let both = Self.whileBusy(.both, sendingAt: [1_500, 1_800], until: 4_800)
    #expect(both == [[0, 0], [1, 1_000], [3, 4_800]])
    let trailing = Self.whileBusy(.trailing, sendingAt: [1_500, 1_800], until: 4_800)
    #expect(trailing == [[1, 1_000], [3, 4_800]])
  }

  @Test("a slow subscriber does not break the rate: a whole interval follows a value that is delivered late")
  func rateBehindBusy() {
    // The interval of 1 is over when the others are sent.
    let both = Self.whileBusy(.both, sendingAt: [2_500, 2_800], until: 3_000)
    #expect(both == [[0, 0], [1, 1_000], [2, 3_000], [3, 4_000]])
    let trailing = Self.whileBusy(.trailing, sendingAt: [2_500, 2_800], until: 3_000)
    #expect(trailing == [[1, 1_000], [3, 3_500]])
  }

  @Test("immediate values are delivered where the source sends, pending ones on the scheduler")
  func current() {
    let isCurrent = Box<[Bool]>([])
    let subscription = subject.rateLimit(to: .seconds(1), on: scheduler, edge: .both).subscribe(
      next: { [scheduler] _ in isCurrent.value.append(Schedulers.current === scheduler) }, failed: { _ in })
    subject.send(1)
    subject.send(2)
    scheduler.run()
    #expect(isCurrent.value == [false, true])
    subscription.dispose()
  }

  @Test(
    "completion delivers the pending value and passes immediately; a failure passes immediately and drops it")
  func ends() {
    for fails in [true, false] {
      let subject = Subject<Int, Oops>()
      let recorder = Recorder(subject.rateLimit(to: .seconds(1), on: scheduler, edge: .both))
      for value in 1...3 { subject.send(value) }
      if fails { subject.fail(Oops()) } else { subject.complete() }
      #expect(recorder.events == (fails ? [.next(1), .failed(Oops())] : [.next(1), .next(3), .completed]))
      #expect(!scheduler.step())
    }
  }

  @Test("completion cancels the timer before it delivers the pending value")
  func timerBeforeLast() {
    let timers = Box<[Int]>([])
    subject.rateLimit(to: .seconds(1), on: scheduler, edge: .trailing).subscribe(
      next: { [scheduler] _ in timers.value.append(scheduler.waitingCount) }, failed: { _ in })
    subject.send(1)
    subject.complete()
    #expect(timers.value == [0])
  }

  @Test("a source that releases its sink ends the run after the pending value is delivered")
  func sourceDropped() {
    let recorder: Recorder<Int, Oops>
    do {
      let subject = Subject<Int, Oops>()
      recorder = Recorder(subject.rateLimit(to: .seconds(1), on: scheduler, edge: .trailing))
      subject.send(1)
    }
    #expect(!recorder.subscription.isDisposed)
    scheduler.run()
    #expect(recorder.events == [.next(1)])
    #expect(recorder.subscription.isDisposed)
  }

  @Test("disposal cancels the timer and releases the pending value")
  func released() {
    let (resources, subject) = (Resources(), Subject<Resources.Resource, Never>())
    let subscription = subject.rateLimit(to: .seconds(1), on: scheduler, edge: .trailing).subscribe()
    subject.send(resources.make())
    #expect(resources.alive == 1)
    subscription.dispose()
    #expect(resources.alive == 0)
    #expect(!scheduler.step())
  }
}
