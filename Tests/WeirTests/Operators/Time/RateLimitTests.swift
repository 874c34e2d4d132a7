// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// At most one value in an interval.
struct RateLimitTests {
  let scheduler = VirtualScheduler()
  let subject = Subject<Int, Oops>()

  /// Sends 0 to 9, one a second, and returns what came when.
  private func steadyFlow(_ edge: RateLimitEdge) -> [[Int]] {
    let recorder = Recorder(
      subject.rateLimit(to: .seconds(4), edge: edge, on: scheduler).timestamp(on: scheduler))
    for value in 0...9 {
      subject.send(value)
      scheduler.advance(by: .seconds(1))
    }
    scheduler.advance(by: .seconds(10))
    recorder.dispose()
    return recorder.values.map { [Int($0.instant.elapsed.components.seconds), $0.value] }
  }

  @Test("the leading edge: the first value of an interval, at once")
  func leading() { #expect(steadyFlow(.leading) == [[0, 0], [4, 4], [8, 8]]) }

  @Test("the trailing edge: the last value of an interval, when that is over")
  func trailing() { #expect(steadyFlow(.trailing) == [[4, 3], [8, 7], [12, 9]]) }

  @Test("both edges: the first value at once, and the last one when the interval is over")
  func both() { #expect(steadyFlow(.both) == [[0, 0], [4, 3], [8, 7], [12, 9]]) }

  @Test("an interval without further values ends silently; the next value begins another at once")
  func pause() {
    let recorder = Recorder(subject.rateLimit(to: .seconds(4), edge: .both, on: scheduler))
    subject.send(1)
    #expect(!scheduler.step())
    scheduler.advance(by: .seconds(4))
    subject.send(2)
    #expect(recorder.values == [1, 2])
    subject.complete()
  }

  @Test("a value that comes while the timer is late replaces the one that waits, and does not overtake it")
  func lateTimer() {
    let late = TardyScheduler(scheduler, by: .seconds(2))
    let recorder = Recorder(subject.rateLimit(to: .seconds(4), edge: .both, on: late))
    subject.send(1)
    subject.send(2)
    scheduler.advance(by: .seconds(5))
    subject.send(3)
    #expect(recorder.values == [1])
    scheduler.run()
    #expect(recorder.values == [1, 3])
    recorder.dispose()
  }

  @Test("what comes at once comes where the source sends, what waited on the scheduler")
  func current() {
    let isCurrent = Box<[Bool]>([])
    let subscription = subject.rateLimit(to: .seconds(1), edge: .both, on: scheduler).subscribe(
      next: { [scheduler] _ in isCurrent.value.append(Schedulers.current === scheduler) }, failed: { _ in })
    subject.send(1)
    subject.send(2)
    scheduler.run()
    #expect(isCurrent.value == [false, true])
    subscription.dispose()
  }

  @Test("completion sends what waits and passes at once; a failure passes at once and drops it")
  func ends() {
    for fails in [true, false] {
      let subject = Subject<Int, Oops>()
      let recorder = Recorder(subject.rateLimit(to: .seconds(1), edge: .both, on: scheduler))
      for value in 1...3 { subject.send(value) }
      if fails { subject.fail(Oops()) } else { subject.complete() }
      #expect(recorder.events == (fails ? [.next(1), .failed(Oops())] : [.next(1), .next(3), .completed]))
      #expect(!scheduler.step())
    }
  }

  @Test("disposal takes the timer back and releases what waits")
  func released() {
    let (resources, subject) = (Resources(), Subject<Resources.Resource, Never>())
    let subscription = subject.rateLimit(to: .seconds(1), edge: .trailing, on: scheduler).subscribe()
    subject.send(resources.make())
    #expect(resources.alive == 1)
    subscription.dispose()
    #expect(resources.alive == 0)
    #expect(!scheduler.step())
  }
}
