// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// debounce, which is ReactiveObjC's throttle.
struct DebounceTests {
  let scheduler = VirtualScheduler()
  let subject = Subject<Int, Oops>()

  @Test(
    "E1 AC44: debounce emits only the last of several values, once none has followed it for the given time")
  func lastSurvives() {
    let recorder = Recorder(subject.debounce(.seconds(3), on: scheduler).timestamp(on: scheduler))
    for value in 1...4 {
      subject.send(value)
      scheduler.advance(by: .seconds(2))
    }
    #expect(recorder.values.isEmpty)
    scheduler.advance(by: .seconds(1))
    #expect(recorder.values.map(\.value) == [4])
    // The fourth came at 6.
    #expect(recorder.values.map(\.instant) == [.init(.seconds(9))])
    subject.send(5)
    scheduler.run()
    #expect(recorder.values.map(\.value) == [4, 5])
    recorder.dispose()
  }

  @Test("E1: debounce with a time of zero is still asynchronous, and coalesces values")
  func zero() {
    let recorder = Recorder(subject.debounce(.zero, on: scheduler))
    subject.send(1)
    subject.send(2)
    #expect(recorder.values.isEmpty)
    scheduler.run()
    #expect(recorder.values == [2])
    subject.complete()
  }

  @Test("debounce delivers on the scheduler when its timer fires, otherwise where the source sends")
  func current() {
    let isCurrent = Box<[Bool]>([])
    let subscription = subject.debounce(.seconds(1), on: scheduler) { $0 != 3 }.subscribe(
      next: { [scheduler] _ in isCurrent.value.append(Schedulers.current === scheduler) }, failed: { _ in })
    subject.send(1)
    scheduler.run()
    subject.send(3)
    subject.send(4)
    subject.complete()
    #expect(isCurrent.value == [true, false, false])
    subscription.dispose()
  }

  @Test(
    "E2 AC44: completion delivers the pending value and passes immediately; a delivered value is not repeated"
  )
  func completion() {
    for waits in [true, false] {
      let subject = Subject<Int, Oops>()
      let recorder = Recorder(subject.debounce(.seconds(1), on: scheduler))
      subject.send(1)
      if !waits { scheduler.run() }
      subject.complete()
      #expect(recorder.events == [.next(1), .completed])
      #expect(!scheduler.step())
    }
  }

  @Test("E2 AC44: a failure passes immediately, and the pending value is dropped")
  func failure() {
    let recorder = Recorder(subject.debounce(.seconds(1), on: scheduler))
    subject.send(1)
    subject.fail(Oops(code: 2))
    #expect(recorder.events == [.failed(Oops(code: 2))])
    #expect(!scheduler.step())
  }

  @Test("E3 AC45: a value that is not postponed passes immediately, and the pending value is dropped")
  func selective() {
    let recorder = Recorder(subject.debounce(.seconds(1), on: scheduler) { $0 < 10 })
    subject.send(1)
    subject.send(10)
    #expect(recorder.values == [10])
    scheduler.advance(by: .seconds(5))
    #expect(recorder.values == [10])
    subject.send(2)
    scheduler.advance(by: .seconds(1))
    #expect(recorder.values == [10, 2])
    subject.complete()
  }

  @Test("an error thrown by the closure fails the signal immediately, and the pending value is dropped")
  func throwing() {
    let recorder = Recorder(
      subject.debounce(.seconds(1), on: scheduler) { (value) throws(Oops) in
        if value == 2 { throw Oops(code: value) }
        return true
      })
    subject.send(1)
    subject.send(2)
    #expect(recorder.events == [.failed(Oops(code: 2))])
    #expect(!scheduler.step())
  }

  @Test("a value sent during the timer's delivery is debounced like any other")
  func nested() {
    let values = Box<[Int]>([])
    let subscription = subject.debounce(.seconds(1), on: scheduler).subscribe(
      next: { [unowned subject] value in
        values.value.append(value)
        if value < 3 { subject.send(value + 1) }
      }, failed: { _ in })
    subject.send(1)
    scheduler.advance(by: .seconds(2))
    #expect(values.value == [1, 2])
    scheduler.advance(by: .seconds(1))
    #expect(values.value == [1, 2, 3])
    subscription.dispose()
  }

  @Test("debounce counts its time from when a value was sent, even during the delivery of another")
  func sentWhileBusy() {
    let times = Box<[Duration]>([])
    let subscription = subject.debounce(.seconds(3), on: scheduler).subscribe(
      next: { [scheduler, unowned subject] value in
        times.value.append(scheduler.clock.now.elapsed)
        if value > 2 { return }
        subject.send(value + 1)
        scheduler.advance(by: value == 1 ? .seconds(4) : .seconds(1))
      }, failed: { _ in })
    subject.send(1)
    scheduler.run()
    // The second was due at 6, when the first was not over yet; the third was sent at 7.
    #expect(times.value == [.seconds(3), .seconds(7), .seconds(10)])
    subscription.dispose()
  }

  @Test("debounce uses one timer for all values, and sets it again when it fires too early")
  func oneTimer() {
    let recorder = Recorder(subject.debounce(.seconds(10), on: scheduler))
    for value in 0..<9 {
      subject.send(value)
      scheduler.advance(by: .seconds(1))
    }
    // Due at 18, set for 10.
    #expect(scheduler.step())
    #expect(scheduler.clock.now.elapsed == .seconds(10) && recorder.values.isEmpty)
    #expect(scheduler.step())
    #expect(scheduler.clock.now.elapsed == .seconds(18) && recorder.values == [8])
    #expect(!scheduler.step())
    recorder.dispose()
  }

  @Test(
    "completion and disposal cancel the timer and release everything, even if the scheduler never runs again")
  func released() {
    for ends in [true, false] {
      let (resources, subject) = (Resources(), Subject<Resources.Resource, Never>())
      let subscription = subject.debounce(.seconds(1), on: scheduler)
        .subscribe { [token = resources.make()] _ in _ = token }
      subject.send(resources.make())
      #expect(resources.alive == 2)
      if ends { subject.complete() } else { subscription.dispose() }
      #expect(resources.alive == 0)
      #expect(!scheduler.step())
    }
  }

  @Test("completion cancels the timer before it delivers the pending value")
  func timerBeforeLast() {
    let timers = Box<[Int]>([])
    subject.debounce(.seconds(1), on: scheduler).subscribe(
      next: { [scheduler] _ in timers.value.append(scheduler.waitingCount) }, failed: { _ in })
    subject.send(1)
    subject.complete()
    #expect(timers.value == [0])
  }

  @Test("DD-25: the timer of a dropped value does not retain a run whose source has released its sink")
  func vainTimer() {
    let recorder: Recorder<Int, Oops>
    do {
      let subject = Subject<Int, Oops>()
      recorder = Recorder(subject.debounce(.seconds(3_600), on: scheduler) { $0 < 10 })
      subject.send(1)
      subject.send(10)
      #expect(scheduler.waitingCount == 1 && !recorder.subscription.isDisposed)
    }
    #expect(recorder.events == [.next(10)])
    #expect(recorder.subscription.isDisposed && scheduler.waitingCount == 0)
  }

  @Test("a source that releases its sink ends the run after the pending value is delivered")
  func sourceDropped() {
    let recorder: Recorder<Int, Oops>
    do {
      let subject = Subject<Int, Oops>()
      recorder = Recorder(subject.debounce(.seconds(1), on: scheduler))
      subject.send(1)
    }
    #expect(!recorder.subscription.isDisposed)
    scheduler.run()
    #expect(recorder.events == [.next(1)])
    #expect(recorder.subscription.isDisposed)
  }
}
