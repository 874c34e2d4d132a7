// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Blocks that a scheduler runs once, and whose events are replayed.
struct StartTests {
  private let scheduler = VirtualScheduler()

  enum Start: CaseIterable {
    case eagerly, lazily

    func callAsFunction(
      on scheduler: some Scheduler, _ body: @escaping @Sendable (Observer<Int, Oops>) -> Void
    ) -> Signal<Int, Oops> {
      switch self {
      case .eagerly: .startEagerly(on: scheduler, body)
      case .lazily: .startLazily(on: scheduler, body)
      }
    }
  }

  @Test(
    "I12: the block runs once, with the given scheduler as the current one; late subscribers receive all events",
    arguments: Start.allCases)
  func once(start: Start) {
    let runs = Box(0)
    let signal = start(on: scheduler) { observer in
      runs.value += 1
      #expect(Schedulers.current === scheduler)
      observer.send(1)
      observer.send(2)
      observer.complete()
    }
    let recorders = (0..<2).map { _ in Recorder(signal) }
    #expect(runs.value == 0)
    scheduler.run()
    #expect(runs.value == 1)
    let late = Recorder(signal)
    for recorder in recorders + [late] { #expect(recorder.events == [.next(1), .next(2), .completed]) }
    scheduler.run()
    #expect(runs.value == 1)
  }

  @Test("I12: startEagerly runs its block without a subscriber; startLazily waits for the first subscription")
  func eagerness() {
    let runs = Box<[Start]>([])
    let signals = Start.allCases.map { start in
      start(on: scheduler) { observer in
        runs.value.append(start)
        observer.complete()
      }
    }
    scheduler.run()
    #expect(runs.value == [.eagerly])
    for signal in signals { signal.subscribe(failed: { _ in }) }
    scheduler.run()
    #expect(runs.value == [.eagerly, .lazily])
  }

  @Test(
    "I12: events are delivered on the scheduler; on the immediate scheduler the subscriber receives them all")
  func wherever() {
    let current = Box<[Bool]>([])
    let signal = Signal<Int, Oops>.startLazily(on: scheduler) { $0.send(1) }
    let subscription = signal.subscribe(
      next: { _ in current.value.append(scheduler.isCurrent) }, failed: { _ in })
    scheduler.run()
    #expect(current.value == [true])
    subscription.dispose()
    for start in Start.allCases {
      #expect(Recorder(start(on: .immediate) { $0.send(1) }).values == [1])
    }
  }

  @Test("I12: disposing subscribers does not stop the block", arguments: Start.allCases)
  func neverStopped(start: Start) {
    let (runs, held) = (Counter(), Box<Observer<Int, Oops>?>(nil))
    let signal = start(on: scheduler) { observer in
      runs.add()
      held.value = observer
    }
    let first = Recorder(signal)
    first.dispose()
    scheduler.run()
    #expect(runs.value == 1)
    held.value?.send(1)
    let second = Recorder(signal)
    second.dispose()
    held.value?.send(2)
    #expect(held.value?.isEnded == false)
    held.value?.complete()
    #expect(first.events == [] && second.values == [1])
    #expect(Recorder(signal).events == [.next(1), .next(2), .completed])
  }

  @Test("the block is released when it has run, and its events are still replayed", arguments: Start.allCases)
  func released(start: Start) {
    let resources = Resources()
    do {
      let signal = start(on: scheduler) { [token = resources.make()] observer in
        _ = token
        observer.complete()
      }
      Recorder(signal).dispose()
      #expect(resources.alive == 1)
      scheduler.run()
      #expect(resources.alive == 0)
      #expect(Recorder(signal).events == [.completed])
    }
  }
}
