// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing
import Weir
import WeirTesting

/// sample(every:): the newest value at each tick of a clock.
struct SampleEveryTests {
  private let scheduler = VirtualScheduler()
  private let source = Subject<Int, Oops>()

  @Test("sample(every:) emits the newest value at multiples of the interval, again if there is no newer one")
  func ticks() {
    let log = Box<[String]>([])
    let subscription = source.sample(every: .seconds(10), on: scheduler).subscribe(
      next: { log.value.append("\($0) at \(scheduler.clock.now.elapsed.components.seconds)") },
      failed: { _ in })
    // No timer is set before there is a value.
    #expect(scheduler.waitingCount == 0)
    scheduler.advance(by: .seconds(14))
    source.send(1)
    source.send(2)
    scheduler.advance(by: .seconds(16))
    source.send(3)
    scheduler.advance(by: .seconds(10))
    #expect(log.value == ["2 at 20", "2 at 30", "3 at 40"])
    subscription.dispose()
    scheduler.advance(by: .seconds(60))
    #expect(log.value.count == 3)
  }

  @Test("documentation example: sample(every:) of numbered values sends no value twice, and equal ones again")
  func newOnly() throws {
    let values = try HotSignal<Int, Never>("1--2-2----3|", on: scheduler)
    let interval = Duration.seconds(2)
    let newValues = values.enumerated().sample(every: interval, on: scheduler)
      .distinctUntilKeyChanged { $0.offset }.map(\.element)
    let new = TimedRecorder(newValues, on: scheduler)
    let all = TimedRecorder(values.sample(every: interval, on: scheduler), on: scheduler)
    scheduler.run()
    #expect(new.difference(from: "--1-2-2---3|") == nil)
    #expect(all.difference(from: "--1-2-2-2-3|") == nil)
  }

  @Test(
    "sample(every:) sends the first value at the tick at which it arrives, as any other", arguments: [1, 3])
  func firstAtTick(interval: Int) throws {
    let values = try HotSignal<Int, Never>("---1--2---|", on: scheduler)
    let byTime = TimedRecorder(values.sample(every: .seconds(interval), on: scheduler), on: scheduler)
    let bySignal = TimedRecorder(
      values.sample(on: .ticks(every: .seconds(interval), on: scheduler)), on: scheduler)
    scheduler.run()
    #expect(byTime.events.first == Recorded(.seconds(3), .next(1)))
    #expect(byTime.events == bySignal.events)
  }

  @Test("sample(every:) sends nothing at once: a value that arrives with the subscription waits for a tick")
  func firstAtStart() {
    let recorder = TimedRecorder(
      source.startWith(1).sample(every: .seconds(2), on: scheduler), on: scheduler)
    scheduler.advance(by: .seconds(3))
    #expect(recorder.difference(from: "--1") == nil)
    recorder.dispose()
  }

  @Test("sample(every:) treats nil as a value like any other")
  func optional() {
    let values = Subject<Int?, Never>()
    let recorder = Recorder(values.sample(every: .seconds(1), on: scheduler))
    values.send(nil)
    scheduler.advance(by: .seconds(1))
    values.send(1)
    scheduler.advance(by: .seconds(1))
    #expect(recorder.values == [nil, 1])
    recorder.dispose()
  }

  @Test(
    "sample(every:) forwards the terminal event immediately, without emitting the newest value",
    arguments: [false, true])
  func ends(fails: Bool) {
    let recorder = Recorder(source.sample(every: .seconds(1), on: scheduler))
    source.send(1)
    if fails { source.fail(Oops()) } else { source.complete() }
    #expect(recorder.events == [fails ? .failed(Oops()) : .completed])
    #expect(recorder.subscription.isDisposed)
    scheduler.advance(by: .seconds(60))
    #expect(recorder.events.count == 1)
  }

  @Test("ticks during the delivery of a value are skipped, and later ones stay at multiples of the interval")
  func slowSubscriber() {
    let times = Box<[Int64]>([])
    let subscription = source.sample(every: .seconds(10), on: scheduler).subscribe(
      next: { _ in
        times.value.append(scheduler.clock.now.elapsed.components.seconds)
        if times.value.count == 1 { scheduler.advance(by: .seconds(25)) }
      }, failed: { _ in })
    source.send(1)
    scheduler.advance(to: .init(.seconds(60)))
    #expect(times.value == [10, 40, 50, 60])
    subscription.dispose()
  }

  enum End: CaseIterable { case disposal, disposalInside, completion, failure, sourceDropped }

  @Test(
    "everything is released when the run ends, even if the scheduler never reaches the timer",
    arguments: End.allCases)
  func released(end: End) {
    let (resources, held) = (Resources(), Box<Subject<Resources.Resource, Oops>?>(Subject()))
    let slot = SerialDisposable()
    slot.swap(
      held.value?.sample(every: .seconds(1), on: scheduler).subscribe(
        next: { [token = resources.make()] _ in
          _ = token
          if end == .disposalInside { slot.dispose() }
        }, failed: { _ in }))
    for _ in 0..<3 { held.value?.send(resources.make()) }
    // Only the newest value is retained.
    #expect(resources.alive == 2)
    let subscription = slot.disposable
    switch end {
    case .disposal: slot.dispose()
    case .disposalInside: scheduler.step()
    case .completion: held.value?.complete()
    case .failure: held.value?.fail(Oops())
    case .sourceDropped: held.value = nil
    }
    #expect(resources.alive == 0)
    #expect(subscription?.isDisposed == true)
    #expect(scheduler.waitingCount == 0)
  }

  @Test("A17: a run that nothing references is released: its timer does not retain it")
  func nobodyHolds() {
    let resources = Resources()
    do {
      let signal = Signal<Int, Oops>.just(1).concat(Signal.never()).map { [token = resources.make()] value in
        _ = token
        return value
      }
      signal.sample(every: .seconds(1), on: scheduler).subscribe(failed: { _ in })
    }
    #expect(resources.alive == 0)
  }

  @Test(
    "ticks that are due immediately are not delivered inside `send`, even if the scheduler runs work inline")
  func inline() {
    let (caller, isInside, over) = (pthread_self(), Counter(), Door())
    // It ends after twenty ticks, should they be delivered in there.
    source.sample(every: .nanoseconds(1), on: SerialScheduler(on: .immediate)).take(first: 20).subscribe(
      next: { _ in if pthread_equal(pthread_self(), caller) != 0 { isInside.add() } },
      failed: { _ in }, completed: { over.open() })
    source.send(1)
    over.pass()
    #expect(isInside.value == 0)
  }

  @Test("a synchronous source that never returns is sampled, and stopped from downstream")
  func endless() {
    let scheduler = HastyScheduler()
    let recorder = Recorder(
      Signal<Int, Oops>.repeatElement(7).sample(every: .seconds(1), on: scheduler).take(first: 3))
    #expect(recorder.events == [.next(7), .next(7), .next(7), .completed])
  }
}
