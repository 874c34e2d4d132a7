// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// What `observe(on:)` does on a scheduler that lets it linger: it polls for the next value itself.
struct LingeringTests {
  @Test("I7: values that arrive while observe(on:) lingers are delivered without being scheduled again")
  func found() {
    let scheduler = IdleScheduler(looks: 2)
    let (subject, recorder) = hop(on: scheduler)
    scheduler.onLook = { if $0 <= 3 { subject.send($0) } }
    subject.send(0)
    scheduler.runAll()
    #expect(recorder.values == [0, 1, 2, 3] && scheduler.enqueued == 1)
    subject.send(4)
    scheduler.runAll()
    #expect(recorder.values == [0, 1, 2, 3, 4] && scheduler.enqueued == 2)
  }

  @Test(
    "values beyond what one piece of work may deliver are scheduled again, even if they arrive during lingering"
  )
  func many() {
    let scheduler = IdleScheduler(looks: 1)
    let (subject, recorder) = hop(on: scheduler)
    scheduler.onLook = { if $0 == 1 { for value in 1..<5_000 { subject.send(value) } } }
    subject.send(0)
    scheduler.runAll()
    #expect(recorder.values == Array(0..<5_000) && scheduler.enqueued > 1)
  }

  @Test("observe(on:) returns when the scheduler denies lingering, and the next value is scheduled")
  func wanted() {
    let scheduler = IdleScheduler(looks: 0)
    let (subject, recorder) = hop(on: scheduler)
    for value in 0..<3 {
      subject.send(value)
      scheduler.runAll()
    }
    #expect(
      recorder.values == [0, 1, 2] && scheduler.enqueued == 3 && scheduler.answers == [false, false, false])
  }

  @Test("a value that arrives after linger has returned false is scheduled as new work")
  func late() {
    let scheduler = IdleScheduler(looks: 1)
    let (subject, recorder) = hop(on: scheduler)
    scheduler.onReturn = { if $0 == 1 { subject.send(1) } }
    subject.send(0)
    scheduler.runAll()
    #expect(recorder.values == [0, 1] && scheduler.enqueued == 2)
    #expect(scheduler.answers == [false, false] && scheduler.wentOn == [])
  }

  @Test("disposal ends lingering and releases the subscriber")
  func disposed() {
    let (scheduler, resources) = (IdleScheduler(looks: .max), Resources())
    let subject = Subject<Int, Never>()
    let subscription = subject.observe(on: scheduler).subscribe { [token = resources.make()] _ in
      _ = token
    }
    scheduler.onLook = { if $0 == 2 { subscription.dispose() } }
    subject.send(0)
    scheduler.runAll()
    #expect(scheduler.looks == 2 && resources.alive == 0)
  }

  @Test(
    "a terminal event that arrives while observe(on:) lingers is delivered without being scheduled again",
    arguments: [FailureTiming.inOrder, .atOnce], [Completion<Oops>.completed, .failed(Oops())])
  func ended(timing: FailureTiming, completion: Completion<Oops>) {
    let (scheduler, subject) = (IdleScheduler(looks: 9), Subject<Int, Oops>())
    let recorder = Recorder(subject.observe(on: scheduler, failures: timing))
    scheduler.onLook = { look in
      guard look == 2 else { return }
      if case .failed(let error) = completion { subject.fail(error) } else { subject.complete() }
    }
    subject.send(0)
    scheduler.runAll()
    #expect(recorder.values == [0] && recorder.completion == completion)
    #expect(scheduler.looks == 2 && scheduler.enqueued == 1)
  }

  @Test(
    "observe(on:) calls wakeWorkers() to deliver an .atOnce failure that arrives after linger has returned false"
  )
  func lateFailure() {
    let (scheduler, subject) = (IdleScheduler(looks: 1), Subject<Int, Oops>())
    let recorder = Recorder(subject.observe(on: scheduler, failures: .atOnce))
    scheduler.onReturn = { if $0 == 1 { subject.fail(Oops()) } }
    subject.send(0)
    scheduler.runAll()
    #expect(recorder.events == [.next(0), .failed(Oops())])
    #expect(scheduler.answers == [false] && scheduler.wentOn == [1])
  }

  @Test(
    "when the upstream releases its sink after linger has returned false, wakeWorkers() is called before user code",
    arguments: [true, false])
  func letGo(isSerial: Bool) {
    let (below, observer) = (IdleScheduler(looks: 1), Held<Never>(nil))
    let scheduler: any LingeringScheduler = isSerial ? SerialScheduler(on: below) : below
    let source = Signal<Int, Never>.create {
      observer.value = $0
      return nil
    }
    let heard = Box<[[Int]]>([])
    let subscription = source.observe(on: scheduler).subscribe { _ in }
    subscription.add(ActionDisposable { heard.value.append(below.wentOn) })
    observer.value?.send(0)
    below.onReturn = { _ in observer.value = nil }
    below.runAll()
    #expect(heard.value.count == 1 && heard.value.joined().first == 1)
  }

  @Test("a sender that delivers inline does not linger")
  func sender() {
    let (scheduler, subject) = (IdleScheduler(looks: .max), Subject<Int, Never>())
    let recorder = Recorder(subject.observe(on: scheduler, .whenNeeded))
    scheduler.performAsCurrent {
      subject.send(1)
      subject.send(2)
      subject.complete()
    }
    #expect(recorder.events == [.next(1), .next(2), .completed] && scheduler.looks == 0)
  }

  @Test("a drain lingers when it runs as scheduled work, but not when a caller drains inline")
  func onItsWay() {
    let (scheduler, words) = (IdleScheduler(looks: 3), Words(2))
    let role = DrainRole(AtomicWord(words.words))
    let drain = ScheduledDrain(
      of: NothingQueued(), role, tail: AtomicWord(words.words + 1), on: scheduler, in: Subscription()
    ) { .empty(tail: 0) }
    let hasEntered = role.enter()
    drain.drain()
    #expect(hasEntered && role.isIdle && scheduler.looks == 0)
    drain.request(on: scheduler)
    scheduler.runAll()
    #expect(role.isIdle && scheduler.looks == 3)
    withExtendedLifetime(words) {}
  }

  private final class NothingQueued: DrainedQueue {
    func tailAfterLeaving() -> UInt64 { 0 }
    func deliverEndAtOnce() {}
    func endSubscription() {}
    func cleanUp() {}
  }

  private func hop(on scheduler: IdleScheduler) -> (Subject<Int, Never>, Recorder<Int, Never>) {
    let subject = Subject<Int, Never>()
    return (subject, Recorder(subject.observe(on: scheduler)))
  }
}
