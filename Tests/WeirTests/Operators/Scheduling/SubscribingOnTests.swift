// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// subscribing(on:).
struct SubscribingOnTests {
  @Test("subscription and values sent during it run on the scheduler, later values where the source sends")
  func where_() {
    let scheduler = QueuedScheduler()
    let held = Held<Never>(nil)
    let log = Box<[String]>([])
    let recorder = Recorder(
      Signal<Int, Never>.create { observer in
        log.value.append("subscribed \(scheduler.isCurrent)")
        observer.send(1)
        held.value = observer
        return ActionDisposable {}
      }.subscribing(on: scheduler).doNext { log.value.append("\($0) \(scheduler.isCurrent)") })
    #expect(log.value == [])
    scheduler.runAll()
    held.value?.send(2)
    held.value?.complete()
    #expect(log.value == ["subscribed true", "1 true", "2 false"])
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  @Test("disposal before the scheduled subscription prevents it and releases the source immediately")
  func disposed() {
    let (scheduler, resources, begun) = (QueuedScheduler(), Resources(), Counter())
    let subscription = Signal<Int, Never>.deferred { [token = resources.make()] in
      _ = token
      begun.add()
      return .just(1)
    }.subscribing(on: scheduler).subscribe { [token = resources.make()] _ in _ = token }
    #expect(resources.alive == 2)
    subscription.dispose()
    #expect(resources.alive == 0)
    scheduler.runAll()
    #expect(begun.value == 0)
  }

  @Test("disposal after the scheduled subscription disposes the source")
  func disposedLater() {
    let (scheduler, cleanup) = (QueuedScheduler(), Counter())
    let subscription = Signal<Int, Never>.create { _ in ActionDisposable { cleanup.add() } }
      .subscribing(on: scheduler).subscribe()
    scheduler.runAll()
    subscription.dispose()
    #expect(cleanup.value == 1)
  }

  @Test("a scheduler that is shut down ends the subscription without an event", arguments: [true, false])
  func abandoned(before: Bool) {
    let (scheduler, resources) = (QueuedScheduler(), Resources())
    if before { scheduler.stop() }
    let recorder = Recorder(
      Signal<Int, Never>.just(1).doNext { [token = resources.make()] _ in _ = token }.subscribing(
        on: scheduler))
    scheduler.stop()
    #expect(recorder.subscription.isDisposed)
    #expect(recorder.events == [] && resources.alive == 0)
  }

  @Test("a scheduler that releases its work without running it ends the subscription")
  func forgotten() {
    var scheduler: QueuedScheduler? = QueuedScheduler()
    let recorder = scheduler.map { Recorder(Signal<Int, Never>.just(1).subscribing(on: $0)) }
    scheduler = nil
    #expect(recorder?.subscription.isDisposed == true)
  }

  @Test("a synchronous source that never ends can be stopped from downstream")
  func endless() {
    let scheduler = QueuedScheduler()
    let recorder = Recorder(Signal<Int, Never>(0...).subscribing(on: scheduler).take(first: 3))
    scheduler.runAll()
    #expect(recorder.events == [.next(0), .next(1), .next(2), .completed])
  }
}
