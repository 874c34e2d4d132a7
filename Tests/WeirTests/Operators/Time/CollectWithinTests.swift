// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Arrays of what comes within a time.
struct CollectWithinTests {
  private let scheduler = VirtualScheduler()
  private let source = Subject<Int, Oops>()

  @Test("E6 AC47: two windows, a step without values between them, and the completion sends the rest at once")
  func windows() {
    let recorder = Recorder(source.collect(within: .seconds(1), on: scheduler))
    source.send(1)
    source.send(2)
    #expect(recorder.values == [])
    scheduler.advance(by: .seconds(1))
    #expect(recorder.values == [[1, 2]])
    scheduler.advance(by: .seconds(60))
    #expect(recorder.values == [[1, 2]])
    source.send(3)
    source.send(4)
    source.complete()
    #expect(recorder.events == [.next([1, 2]), .next([3, 4]), .completed])
    scheduler.run()
    #expect(recorder.events.count == 3)
  }

  @Test("E6: the time begins with the first value of an array, and nothing waits before that")
  func opensAtFirstValue() {
    let recorder = Recorder(source.collect(within: .seconds(10), on: scheduler))
    #expect(!scheduler.step())
    scheduler.advance(by: .seconds(7))
    source.send(1)
    scheduler.advance(by: .seconds(9))
    source.send(2)
    #expect(recorder.values == [])
    scheduler.advance(by: .seconds(1))
    #expect(recorder.values == [[1, 2]])
    #expect(!scheduler.step())
  }

  @Test("E6: a failure drops what was gathered, and passes at once; a completion without values sends none")
  func ends() {
    let recorder = Recorder(source.collect(within: .seconds(1), on: scheduler))
    source.send(1)
    source.fail(Oops(code: 7))
    #expect(recorder.events == [.failed(Oops(code: 7))])
    scheduler.run()
    #expect(recorder.events.count == 1)
    let empty = Recorder(Signal<Int, Oops>.empty().collect(within: .seconds(1), on: scheduler))
    #expect(empty.events == [.completed])
    #expect(
      Recorder(Signal<Int, Oops>(1...3).collect(within: .seconds(1), on: scheduler)).values == [[1, 2, 3]])
  }

  @Test("by count and time: a full array goes at once, and its time does not count for the next one")
  func countOrTime() {
    let recorder = Recorder(source.collect(count: 2, within: .seconds(10), on: scheduler))
    source.send(1)
    scheduler.advance(by: .seconds(9))
    source.send(2)
    #expect(recorder.values == [[1, 2]])
    source.send(3)
    // The time of the first array; the second one has waited for a second.
    scheduler.advance(by: .seconds(1))
    #expect(recorder.values == [[1, 2]])
    scheduler.advance(by: .seconds(9))
    #expect(recorder.values == [[1, 2], [3]])
    source.send(4)
    source.complete()
    #expect(recorder.events.suffix(2) == [.next([4]), .completed])
  }

  @Test("arrays come on the scheduler, full ones and the last one where the source sends")
  func wherever() {
    let current = Box<[Bool]>([])
    source.collect(count: 2, within: .seconds(1), on: scheduler).subscribe(
      next: { _ in current.value.append(scheduler.isCurrent) }, failed: { _ in })
    source.send(1)
    scheduler.run()
    for value in 2...4 { source.send(value) }
    source.complete()
    #expect(current.value == [true, false, false])
  }

  @Test(
    "full arrays set no timers of their own: there is one in each time, which fires in vain or is postponed")
  func fewTimers() {
    let recorder = Recorder(source.collect(count: 2, within: .seconds(10), on: scheduler))
    for value in 0..<101 { source.send(value) }
    #expect(recorder.values.count == 50)
    #expect(scheduler.waitingCount == 1)
    scheduler.run()
    #expect(recorder.values.last == [100])
    for value in 0..<2 { source.send(value) }
    scheduler.run()
    #expect(recorder.values.count == 52)
  }

  @Test("on a scheduler whose time passes at once each value is an array; nested sends come after it")
  func hasty() {
    let recorder = Recorder(
      source.collect(count: 2, within: .seconds(1), on: HastyScheduler()).doNext { [unowned source] values in
        if values == [1] { source.send(2) }
      })
    source.send(1)
    #expect(recorder.values == [[1], [2]])
  }

  @Test("what exceeds the bound is dropped, or fails the signal, as the backlog says")
  func bounded() {
    let dropping = Recorder(
      source.collect(within: .seconds(1), on: scheduler, waiting: .bounded(2, onOverflow: .dropNewest)))
    let failing = Recorder(
      source.collect(
        within: .seconds(1), on: scheduler, waiting: .bounded(2, onOverflow: .fail(Oops(code: 2)))))
    let sliding = Recorder(
      source.collect(within: .seconds(1), on: scheduler, waiting: .bounded(2, onOverflow: .dropOldest)))
    for value in 1...3 { source.send(value) }
    #expect(failing.events == [.failed(Oops(code: 2))])
    scheduler.run()
    source.send(4)
    scheduler.run()
    #expect(dropping.values == [[1, 2], [4]])
    #expect(sliding.values == [[2, 3], [4]])
    #expect(failing.events.count == 1)
  }

  @Test("with a bound that drops the oldest, what is left comes in order, however much was dropped")
  func dropping() {
    let (scheduler, source) = (VirtualScheduler(), Subject<Int, Never>())
    let recorder = Recorder(
      source.collect(within: .seconds(1), on: scheduler, waiting: .bounded(3, onOverflow: .dropOldest)))
    for last in [3, 4, 8, 9] {
      for value in 1...last { source.send(value) }
      scheduler.run()
    }
    #expect(recorder.values == [[1, 2, 3], [2, 3, 4], [6, 7, 8], [7, 8, 9]])
  }

  @Test("a failure of its own comes when the source has ended, and what was gathered is released")
  func ownFailure() {
    let (scheduler, subject, resources) = (VirtualScheduler(), Subject<Int, Oops>(), Resources())
    let isOver = Box(false)
    subject.map { [unowned resources] _ in resources.make() }.on(disposed: { isOver.value = true })
      .collect(within: .seconds(1), on: scheduler, waiting: .bounded(1, onOverflow: .fail(Oops(code: 2))))
      .materialize()  // or the failure would have ended all of it on its way
      .subscribe { event in
        // The value that is one too many is still in the hands of its sender.
        if case .failed = event { #expect(isOver.value && resources.alive <= 1) }
      }
    subject.send(1)
    subject.send(2)
    #expect(isOver.value && resources.alive == 0)
  }

  @Test("without a bound of its own it traps beyond the default, with a remedy")
  func trap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let waiting = Backlog<Never>.bounded(1, onOverflow: .trap)
      Signal<Int, Never>(1...2).collect(within: .seconds(1), on: VirtualScheduler(), waiting: waiting)
        .subscribe()
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(message?.contains("weir: collect(within:): 1 values are buffered, which is the bound") == true)
  }

  enum End: CaseIterable { case disposal, completion, failure }

  @Test(
    "everything is released at the end, although the scheduler never gets to the timer",
    arguments: End.allCases)
  func released(end: End) {
    let (resources, held) = (Resources(), Box<Subject<Resources.Resource, Oops>?>(Subject()))
    let subscription = held.value?.collect(within: .seconds(1), on: scheduler).subscribe(
      next: { [token = resources.make()] _ in _ = token }, failed: { _ in })
    for _ in 0..<3 { held.value?.send(resources.make()) }
    #expect(resources.alive == 4)
    switch end {
    case .disposal: subscription?.dispose()
    case .completion: held.value?.complete()
    case .failure: held.value?.fail(Oops())
    }
    #expect(resources.alive == 0)
    #expect(subscription?.isDisposed == true)
    #expect(scheduler.waitingCount == 0)
  }

  @Test("A11: if the source lets go, what waits is still sent when its time is up, and then the run ends")
  func sourceDropped() {
    let held = Box<Subject<Int, Oops>?>(Subject())
    guard let recorder = held.value.map({ Recorder($0.collect(within: .seconds(1), on: scheduler)) }) else {
      return
    }
    held.value?.send(1)
    held.value = nil
    #expect(recorder.subscription?.isDisposed == false)
    scheduler.run()
    #expect(recorder.events == [.next([1])])
    #expect(recorder.subscription?.isDisposed == true)
  }

  @Test("DD-25: a timer whose array was sent does not keep a run whose source has let go")
  func vainTimer() {
    let (resources, held) = (Resources(), Box<Subject<Int, Oops>?>(Subject()))
    let subscription = held.value?.collect(count: 2, within: .seconds(3_600), on: scheduler).subscribe(
      next: { [token = resources.make()] _ in _ = token }, failed: { _ in })
    for value in 1...2 { held.value?.send(value) }
    #expect(scheduler.waitingCount == 1 && resources.alive == 1)
    held.value = nil
    #expect(subscription?.isDisposed == true && resources.alive == 0)
    #expect(scheduler.waitingCount == 0)
  }

  @Test("the time of an array counts from when its first value was sent, also while another one is delivered")
  func sentWhileBusy() {
    let log = Box<[[Int]]>([])
    let subscription = source.collect(within: .seconds(3), on: scheduler).subscribe(
      next: { [scheduler, unowned source] values in
        log.value.append([Int(scheduler.clock.now.elapsed / .seconds(1))] + values)
        if values != [1] { return }
        source.send(2)
        scheduler.advance(by: .seconds(1))
        source.send(3)
        scheduler.advance(by: .seconds(1))
      }, failed: { _ in })
    source.send(1)
    scheduler.run()
    // The second one began at 3, and the first was over at 5.
    #expect(log.value == [[3, 1], [6, 2, 3]])
    subscription.dispose()
  }

  @Test("E9: arrays that were sent leave nothing behind while the subscription goes on")
  func nothingStays() {
    let (resources, tokens) = (Resources(), Subject<Resources.Resource, Never>())
    let subscription = tokens.collect(count: 2, within: .seconds(1), on: scheduler).subscribe()
    for _ in 0..<100 {
      for _ in 0..<3 { tokens.send(resources.make()) }
      #expect(resources.alive == 1)
      scheduler.advance(by: .seconds(1))
      #expect(resources.alive == 0)
    }
    subscription.dispose()
  }

  @Test("disposal in the last array holds the completion back")
  func disposedInLast() {
    let slot = SerialDisposable()
    let completions = Counter()
    slot.swap(
      source.collect(within: .seconds(1), on: scheduler).finally { completions.add() }.subscribe(
        next: { _ in slot.dispose() }, failed: { _ in }))
    source.send(1)
    source.complete()
    #expect(completions.value == 0)
  }
}
