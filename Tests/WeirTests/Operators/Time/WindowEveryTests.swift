// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// window(every:): signals of the values between two points in time.
struct WindowEveryTests {
  private let scheduler = VirtualScheduler()
  private let source = Subject<Int, Oops>()

  /// What a subscriber of all windows receives.
  private func log(_ windows: Signal<Signal<Int, Oops>, Oops>) -> Box<[String]> {
    let log = Box<[String]>([])
    windows.enumerated().subscribe(
      next: { index, window in
        log.value.append("window \(index)")
        window.subscribe(
          next: { log.value.append("\(index): \($0)") }, failed: { _ in log.value.append("\(index) failed") },
          completed: { log.value.append("\(index) completed") })
      }, failed: { _ in log.value.append("failed") }, completed: { log.value.append("completed") })
    return log
  }

  @Test("window(every:) ends windows at multiples of the interval since subscription, and emits no empty one")
  func boundaries() {
    scheduler.advance(by: .seconds(3))
    let log = log(source.window(every: .seconds(10), on: scheduler))
    #expect(scheduler.waitingCount == 0)
    scheduler.advance(by: .seconds(7))
    source.send(1)
    scheduler.advance(by: .seconds(2))
    source.send(2)
    #expect(log.value == ["window 0", "0: 1", "0: 2"])
    scheduler.advance(by: .seconds(1))
    #expect(log.value.last == "0 completed")
    // Nothing for a while, and then a value at a boundary: it belongs to the window that begins there.
    scheduler.advance(by: .seconds(20))
    #expect(log.value.last == "0 completed")
    source.send(3)
    scheduler.advance(by: .seconds(9))
    #expect(log.value.suffix(2) == ["window 1", "1: 3"])
    scheduler.advance(by: .seconds(1))
    source.send(4)
    #expect(log.value.suffix(3) == ["1 completed", "window 2", "2: 4"])
    source.complete()
    #expect(log.value.suffix(2) == ["completed", "2 completed"])
  }

  @Test(
    "window(count:every:) completes a full window with its last value, and the next one at the same boundary")
  func countOrTime() {
    let log = log(source.window(count: 2, every: .seconds(10), on: scheduler))
    source.send(1)
    scheduler.advance(by: .seconds(4))
    source.send(2)
    source.send(3)
    #expect(log.value == ["window 0", "0: 1", "0: 2", "0 completed", "window 1", "1: 3"])
    scheduler.advance(by: .seconds(6))
    #expect(log.value.last == "1 completed")
    source.send(4)
    source.fail(Oops())
    #expect(log.value.suffix(4) == ["window 2", "2: 4", "failed", "2 failed"])
  }

  enum End: CaseIterable { case disposal, completion, failure, sourceDropped }

  @Test(
    "everything is released when the run ends, even if the scheduler never reaches the timer",
    arguments: End.allCases)
  func released(end: End) {
    let (resources, held) = (Resources(), Box<Subject<Int, Oops>?>(Subject()))
    let kept = Box<[Signal<Int, Oops>]>([])
    let subscription = held.value?.window(every: .seconds(1), on: scheduler).subscribe(
      next: { [token = resources.make()] window in
        _ = token
        kept.value.append(window)
        window.subscribe(next: { [token = resources.make()] _ in _ = token }, failed: { _ in })
      }, failed: { _ in })
    held.value?.send(1)
    #expect(resources.alive == 2)
    switch end {
    case .disposal: subscription?.dispose()
    case .completion: held.value?.complete()
    case .failure: held.value?.fail(Oops())
    case .sourceDropped: held.value = nil
    }
    #expect(resources.alive == 0)
    #expect(subscription?.isDisposed == true)
    #expect(scheduler.waitingCount == 0)
  }

  @Test("a run that ends while its window is emitted receives nothing more, and sets no timer")
  func endsInAnnouncement() {
    let log = log(source.window(every: .seconds(1), on: scheduler).take(first: 1))
    source.send(1)
    #expect(scheduler.waitingCount == 0)
    source.send(2)
    scheduler.run()
    #expect(log.value == ["window 0", "completed"])
  }

  @Test(
    "a window whose time ends during a delivery completes after it, even if the source sends without a gap")
  func withoutGap() {
    let log = Box<[String]>([])
    Signal<Int, Oops>(1...6).window(every: .seconds(2), on: scheduler).enumerated().subscribe(
      next: { [scheduler] index, window in
        window.subscribe(
          next: { value in
            // With every other value, and from then on with each, a timer fires inside the delivery.
            scheduler.advance(by: .seconds(1))
            log.value.append("\(index): \(value)")
          }, failed: { _ in }, completed: { log.value.append("\(index) completed") })
      }, failed: { _ in })
    let windows = [[1, 2], [3, 4], [5, 6]].enumerated().flatMap { index, values in
      values.map { "\(index): \($0)" } + ["\(index) completed"]
    }
    #expect(log.value == windows)
    #expect(scheduler.waitingCount == 0)
  }
}
