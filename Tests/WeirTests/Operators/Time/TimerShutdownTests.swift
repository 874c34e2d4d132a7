// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators with a timer, on a scheduler that is shut down while the timer waits, or was before.
struct TimerShutdownTests {
  typealias Target = any TimedScheduler<VirtualClock>

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (Subject<Int, Oops>, Target) -> Signal<String, Oops>

    init<Value>(
      _ name: String, _ make: @escaping @Sendable (Subject<Int, Oops>, Target) -> Signal<Value, Oops>
    ) {
      testDescription = name
      self.make = { subject, scheduler in make(subject, scheduler).map { "\($0)" } }
    }
  }

  static let cases: [Case] = [
    Case("delay") { Self.delay($0, $1) }, Case("debounce") { Self.debounce($0, $1) },
    Case("rateLimit") { Self.rateLimit($0, $1) }, Case("timeout") { Self.timeout($0, $1) },
    Case("collect(within:)") { Self.collect($0, $1) }, Case("sample(every:)") { Self.sample($0, $1) },
    Case("window(every:)") { Self.window($0, $1) },
  ]

  @Test(
    "a scheduler that is shut down while a timer waits ends the run without an event and releases it",
    arguments: cases)
  func shutDown(_ operation: Case) {
    let (resources, subject) = (Resources(), Subject<Int, Oops>())
    let scheduler = StoppableScheduler()
    let recorder = recorder(of: operation.make(subject, scheduler), keeping: resources)
    subject.send(1)
    #expect(!recorder.subscription.isDisposed && resources.alive == 1)
    let before = recorder.events
    scheduler.stop()
    #expect(recorder.subscription.isDisposed && resources.alive == 0)
    subject.send(2)
    subject.complete()
    #expect(recorder.events == before)
  }

  @Test(
    "a scheduler that was shut down before ends the run without an event when the first timer is set",
    arguments: cases)
  func closed(_ operation: Case) {
    let (resources, subject) = (Resources(), Subject<Int, Oops>())
    let recorder = recorder(of: operation.make(subject, ClosedScheduler()), keeping: resources)
    subject.send(1)
    #expect(recorder.subscription.isDisposed && resources.alive == 0)
    subject.complete()
    #expect(recorder.events.isEmpty)
  }

  @Test(
    "a scheduler that drops the timer without running it ends the run without an event and releases it",
    arguments: cases)
  func forgotten(_ operation: Case) {
    let (resources, subject) = (Resources(), Subject<Int, Oops>())
    let recorder = recorder(of: operation.make(subject, ForgetfulScheduler()), keeping: resources)
    subject.send(1)
    #expect(recorder.subscription.isDisposed && resources.alive == 0)
    subject.complete()
    #expect(recorder.events.isEmpty)
  }

  @Test(
    "timeout of a signal that never sends ends the run without an event when the scheduler drops its timer")
  func forgottenTimeout() {
    let resources = Resources()
    let recorder = recorder(
      of: Signal<Int, Oops>.never().timeout(
        .deadline(.seconds(1)), on: ForgetfulScheduler(), failing: Oops()),
      keeping: resources)
    #expect(recorder.subscription.isDisposed && resources.alive == 0)
    #expect(recorder.events.isEmpty)
  }

  @Test(
    "a scheduler on the continuous clock that drops timers when they are due ends their runs and releases them"
  )
  func forgottenWhenDue() {
    let (resources, subject, scheduler) = (Resources(), Subject<Int, Oops>(), DroppingScheduler())
    let debounced = recorder(of: subject.debounce(.zero, on: scheduler).map { "\($0)" }, keeping: resources)
    let late = recorder(
      of: Signal.timer(after: .zero, on: scheduler).map { "\($0)" }
        .setFailureType(to: Oops.self), keeping: resources)
    subject.send(1)
    #expect(debounced.subscription.isDisposed && late.subscription.isDisposed && resources.alive == 0)
    #expect(debounced.events.isEmpty && late.events.isEmpty)
  }

  @Test("a timer that is cancelled for a queued completion does not end the run: the completion is delivered")
  func takenBack() {
    let (scheduler, subject, log) = (VirtualScheduler(), Subject<Int, Oops>(), Box<[String]>([]))
    subject.debounce(.seconds(1), on: scheduler) { $0 != 0 }.subscribe(
      next: { [unowned subject] value in
        log.value.append("\(value)")
        if value == 0 {
          // The timer of 2 waits, and a delivery is in progress.
          #expect(scheduler.waitingCount == 1)
          subject.complete()
          #expect(scheduler.waitingCount == 0)
        } else {
          subject.send(2)
          subject.send(0)
        }
      }, failed: { _ in }, completed: { log.value.append("completed") })
    subject.send(1)
    scheduler.advance(by: .seconds(1))
    #expect(log.value == ["1", "0", "completed"])
  }

  @Test(
    "a scheduler that abandons cancelled timers loses no event: operators emit as on any other scheduler",
    arguments: cases)
  func abandonedWhenTakenBack(_ operation: Case) {
    let time = VirtualScheduler()
    var events: [[Event<String, Oops>]] = []
    for scheduler in [time, TellingScheduler(time)] as [Target] {
      let (resources, subject) = (Resources(), Subject<Int, Oops>())
      let recorder = recorder(of: operation.make(subject, scheduler), keeping: resources)
      subject.send(1)
      subject.complete()
      time.run()
      #expect(resources.alive == 0)
      events.append(recorder.events)
    }
    #expect(events[1] == events[0] && events[0].last == .completed)
  }

  @Test("DD-25: a timer that has fired retains nothing, even if the scheduler's disposable retains the timer")
  func keptByDisposable() {
    let (resources, scheduler) = (Resources(), StoppableScheduler())
    var subject: Subject<Int, Oops>? = Subject()
    let recorder = recorder(
      of: subject.unsafelyUnwrapped.debounce(.seconds(1), on: scheduler), keeping: resources)
    subject?.send(1)
    scheduler.fire()
    #expect(recorder.events == [.next(1)])
    subject = nil
    #expect(recorder.subscription.isDisposed && resources.alive == 0)
  }

  /// A closure downstream of the signal retains a resource, as long as there is a run.
  private func recorder<Value>(
    of signal: Signal<Value, Oops>, keeping resources: Resources
  ) -> Recorder<Value, Oops> {
    Recorder(
      signal.map { [token = resources.make()] value in
        _ = token
        return value
      })
  }

  // Generic, as operators take a scheduler of one type.
  private static func delay(
    _ source: Subject<Int, Oops>, _ scheduler: some TimedScheduler<VirtualClock>
  ) -> Signal<Int, Oops> {
    source.delay(.seconds(1), on: scheduler)
  }

  private static func debounce(
    _ source: Subject<Int, Oops>, _ scheduler: some TimedScheduler<VirtualClock>
  ) -> Signal<Int, Oops> {
    source.debounce(.seconds(1), on: scheduler)
  }

  private static func rateLimit(
    _ source: Subject<Int, Oops>, _ scheduler: some TimedScheduler<VirtualClock>
  ) -> Signal<Int, Oops> {
    source.rateLimit(to: .seconds(1), on: scheduler, edge: .trailing)
  }

  private static func timeout(
    _ source: Subject<Int, Oops>, _ scheduler: some TimedScheduler<VirtualClock>
  ) -> Signal<Int, Oops> {
    source.timeout(.deadline(.seconds(1)), on: scheduler, failing: Oops())
  }

  private static func collect(
    _ source: Subject<Int, Oops>, _ scheduler: some TimedScheduler<VirtualClock>
  ) -> Signal<[Int], Oops> {
    source.collect(within: .seconds(1), on: scheduler)
  }

  private static func sample(
    _ source: Subject<Int, Oops>, _ scheduler: some TimedScheduler<VirtualClock>
  ) -> Signal<Int, Oops> {
    source.sample(every: .seconds(1), on: scheduler)
  }

  private static func window(
    _ source: Subject<Int, Oops>, _ scheduler: some TimedScheduler<VirtualClock>
  ) -> Signal<Int, Oops> {
    source.window(every: .seconds(1), on: scheduler).flatten()
  }
}

/// Drops work without running it.
private final class ForgetfulScheduler: TimedScheduler {
  let clock = VirtualScheduler().clock

  func enqueue(_ work: any ScheduledWork) {}
  func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    ActionDisposable {}
  }
}

/// The same with Weir's timers, which hand over to it what is due.
private final class DroppingScheduler: TimedScheduler {
  typealias Time = ContinuousClock
  func enqueue(_ work: any ScheduledWork) {}
}

/// Also abandons the work of timers that are cancelled, which a scheduler need not do.
private final class TellingScheduler: TimedScheduler {
  private let time: VirtualScheduler
  init(_ time: VirtualScheduler) { self.time = time }

  var clock: VirtualClock { time.clock }
  func enqueue(_ work: any ScheduledWork) { time.enqueue(work) }
  func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    let timer = time.enqueue(work, at: instant, tolerance: tolerance)
    return ActionDisposable {
      if timer.isDisposed { return }
      timer.dispose()
      work.abandon()
    }
  }
}

/// Keeps timers until it is stopped, and abandons them then.
private final class StoppableScheduler: TimedScheduler, @unchecked Sendable {  // used by one thread
  private let time = VirtualScheduler()
  private var waiting: [any ScheduledWork] = []

  var clock: VirtualClock { time.clock }
  func enqueue(_ work: any ScheduledWork) { waiting.append(work) }
  func enqueue(_ work: any ScheduledWork, at instant: VirtualClock.Instant, tolerance: Duration)
    -> any Disposable
  {
    waiting.append(work)
    return ActionDisposable { [weak self] in self?.waiting.removeAll { $0 === work } }
  }

  func fire() {
    time.advance(by: .seconds(1))
    let due = waiting
    waiting = []
    performAsCurrent { for work in due { work.run() } }
  }

  func stop() {
    let abandoned = waiting
    waiting = []
    for work in abandoned { work.abandon() }
  }
}
