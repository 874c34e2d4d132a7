// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// collect(within:): arrays of the values that arrive within a time.
struct CollectWithinTests {
  private let scheduler = VirtualScheduler()
  private let source = Subject<Int, Oops>()

  @Test(
    "E6 AC47: collect(within:) emits one array per window, none for an empty one, and the rest on completion")
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

  @Test("E6: the window starts with the first value of an array, and no timer is set before that")
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

  @Test(
    "E6: a failure drops the collected values and passes immediately; completion without values emits no array"
  )
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

  @Test("collect(count:within:) emits a full array immediately, and the next array has its own time")
  func countOrTime() {
    let recorder = Recorder(source.collect(count: 2, within: .seconds(10), on: scheduler))
    source.send(1)
    scheduler.advance(by: .seconds(9))
    source.send(2)
    #expect(recorder.values == [[1, 2]])
    source.send(3)
    // The time of the first array is up; the second one has been open for a second.
    scheduler.advance(by: .seconds(1))
    #expect(recorder.values == [[1, 2]])
    scheduler.advance(by: .seconds(9))
    #expect(recorder.values == [[1, 2], [3]])
    source.send(4)
    source.complete()
    #expect(recorder.events.suffix(2) == [.next([4]), .completed])
  }

  @Test("arrays are delivered on the scheduler; full ones and the last one, where the source sends")
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
    "collect(count:within:) has only one timer waiting, however many arrays fill up in its time")
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

  @Test(
    "with timers that fire immediately, each value becomes an array, and a nested send is delivered after it")
  func hasty() {
    let recorder = Recorder(
      source.collect(count: 2, within: .seconds(1), on: HastyScheduler()).doNext { [unowned source] values in
        if values == [1] { source.send(2) }
      })
    source.send(1)
    #expect(recorder.values == [[1], [2]])
  }

  @Test("a value beyond the bound is dropped, displaces the oldest, or fails the signal, as configured")
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

  @Test("with .dropOldest the remaining values are delivered in order, however many were dropped")
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

  @Test("with .dropOldest and no room, all values are dropped and counted")
  func noRoom() {
    let (scheduler, source, drops) = (VirtualScheduler(), Subject<Int, Never>(), DropCounter())
    let recorder = Recorder(
      source.collect(
        within: .seconds(1), on: scheduler,
        waiting: .bounded(0, onOverflow: .dropOldest, countingIn: drops)))
    source.send(1)
    source.send(2)
    source.complete()
    #expect(recorder.events == [.completed])
    #expect(drops.count == 2)
  }

  @Test("an overflow failure is delivered after the source is disposed and the collected values are released")
  func ownFailure() {
    let (scheduler, subject, resources) = (VirtualScheduler(), Subject<Int, Oops>(), Resources())
    let isOver = Box(false)
    subject.map { [unowned resources] _ in resources.make() }.on(disposed: { isOver.value = true })
      .collect(within: .seconds(1), on: scheduler, waiting: .bounded(1, onOverflow: .fail(Oops(code: 2))))
      .materialize()  // or the failure would end the whole chain on its way
      .subscribe { event in
        // The sender still holds the value that exceeds the bound.
        if case .failed = event { #expect(isOver.value && resources.alive <= 1) }
      }
    subject.send(1)
    subject.send(2)
    #expect(isOver.value && resources.alive == 0)
  }

  @Test("overflow with .trap stops the process with a message that names operator and bound")
  func trap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let waiting = Backlog<Never>.bounded(1, onOverflow: .trap)
      Signal<Int, Never>(1...2).collect(within: .seconds(1), on: VirtualScheduler(), waiting: waiting)
        .subscribe()
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(message?.contains("weir: collect(within:): 1 values are buffered, which is the bound") == true)
  }

  @Test("collect(within:) buffers 1,048,576 values by default; one more stops the process", .millionsOfValues)
  func trapByDefault() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Signal<Int, Never>(0...1_048_576).collect(within: .seconds(1), on: VirtualScheduler()).subscribe()
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(message?.contains("weir: collect(within:): 1048576 values are buffered") == true)
  }

  enum End: CaseIterable { case disposal, completion, failure }

  @Test(
    "everything is released when the run ends, even if the scheduler never reaches the timer",
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

  @Test("A11: a source that releases its sink ends the run after the collected values are delivered on time")
  func sourceDropped() {
    let held = Box<Subject<Int, Oops>?>(Subject())
    guard let recorder = held.value.map({ Recorder($0.collect(within: .seconds(1), on: scheduler)) }) else {
      return
    }
    held.value?.send(1)
    held.value = nil
    #expect(!recorder.subscription.isDisposed)
    scheduler.run()
    #expect(recorder.events == [.next([1])])
    #expect(recorder.subscription.isDisposed)
  }

  @Test(
    "DD-25: the timer of an array already delivered does not retain a run whose source has released its sink")
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

  @Test("the time of an array counts from when its first value was sent, even during the delivery of another")
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

  @Test("E9: delivered arrays are not retained while the subscription continues")
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

  @Test("disposal during the delivery of the last array suppresses the completion")
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
