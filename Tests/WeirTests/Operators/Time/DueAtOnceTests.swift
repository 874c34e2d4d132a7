// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Values that are due as soon as they are sent, on a scheduler whose other threads are quick.
struct DueAtOnceTests {
  /// A scheduler of which another thread runs the first piece of work before `enqueue` has returned. The rest
  /// is run in virtual time.
  private final class QuickScheduler: TimedScheduler {
    private let time = VirtualScheduler()
    private let isFirst = Box(true)
    var clock: VirtualClock { time.clock }

    func enqueue(_ work: any ScheduledWork) { time.enqueue(work) }

    func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
      -> any Disposable
    {
      guard isFirst.value else { return time.enqueue(work, at: instant, tolerance: tolerance) }
      isFirst.value = false
      withThreads(1) { [self] _ in performAsCurrent { work.run() } }
      return ActionDisposable {}
    }

    func runWaiting() { performAsCurrent { time.advance(by: .zero) } }
  }

  private typealias Form = @Sendable (Subject<Int, Never>, QuickScheduler) -> Signal<Int, Never>

  private static let forms: [String: Form] = [
    "delay": { $0.delay(.zero, on: $1) },
    "debounce": { $0.debounce(.zero, on: $1) },
  ]

  @Test(
    "a value that is due when it is sent is not sent on inside that call, even if a thread of the scheduler sends",
    arguments: forms.keys.sorted())
  func sentOnTheScheduler(form: String) throws {
    let make = try #require(Self.forms[form])
    let (source, scheduler) = (Subject<Int, Never>(), QuickScheduler())
    let received = Box<[Int]>([])
    make(source, scheduler).subscribe { received.value.append($0) }
    scheduler.performAsCurrent { source.send(1) }
    #expect(received.value == [])
    scheduler.runWaiting()
    #expect(received.value == [1])
  }

  @Test("a timer sends what is due when it fires, also if the turn belongs to the thread that has sent it")
  func afterManyValues() {
    let (source, scheduler) = (Subject<Int, Never>(), VirtualScheduler())
    let received = Box<[Int]>([])
    source.collect(within: .seconds(1), on: scheduler).subscribe { received.value.append($0.count) }
    for number in 0..<1_000 { source.send(number) }
    withThreads(1) { _ in scheduler.step() }
    #expect(received.value == [1_000])
  }
}
