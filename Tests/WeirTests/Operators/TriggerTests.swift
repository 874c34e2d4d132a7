// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators that another signal triggers, and skip(last:).
struct TriggerTests {
  private typealias Numbers = Signal<Int, Oops>
  private let numbers = Signal<Int, Oops>(1...5)

  /// A source that stays open, and logs when it is run and cleaned up.
  private func open(_ name: String, _ log: Box<[String]>, _ held: Held<Oops>) -> Numbers {
    Numbers.create { observer in
      log.value.append("\(name) run")
      held.value = observer
      return ActionDisposable { log.value.append("\(name) gone") }
    }
  }

  @Test("skip(last: n) buffers at most n values and drops the last n", arguments: [0, 1, 3, 5, 9])
  func skipLast(count: Int) {
    let signal = numbers.skip(last: count)
    for _ in 0..<2 { #expect(Recorder(signal).values == Array((1...5).dropLast(count))) }
    let resources = Resources()
    let subject = Subject<Resources.Resource, Never>()
    let most = Counter()
    let subscription = subject.skip(last: count).subscribe { _ in most.add() }
    for number in 1...5 {
      subject.send(resources.make())
      #expect(resources.alive == min(number, count))
      #expect(most.value == max(0, number - count))
    }
    subscription.dispose()
    #expect(resources.alive == 0)
  }

  @Test("skip(last:) forwards a failure immediately and drops the buffered values")
  func skipLastFails() {
    #expect(
      Recorder(numbers.concat(Numbers.fail(Oops())).skip(last: 3)).events == [
        .next(1), .next(2), .failed(Oops()),
      ])
  }

  @Test("skip(until:) starts where take(until:) ends: on a value or completion of the trigger")
  func skipUntil() {
    for fire in [{ @Sendable in $0.send(0) }, { $0.complete() }] as [@Sendable (Subject<Int, Never>) -> Void]
    {
      let (source, trigger) = (Subject<Int, Oops>(), Subject<Int, Never>())
      let taken = Recorder(source.take(until: trigger))
      let skipped = Recorder(source.skip(until: trigger))
      source.send(1)
      fire(trigger)
      source.send(2)
      trigger.send(0)
      source.send(3)
      source.complete()
      #expect(taken.values == [1])
      #expect(skipped.events == [.next(2), .next(3), .completed])
    }
    #expect(Recorder(numbers.skip(until: Signal<Int, Never>.just(0))).values == [1, 2, 3, 4, 5])
    #expect(Recorder(numbers.skip(until: Signal<Int, Never>.never())).events == [.completed])
  }

  @Test(
    "skip(until:) disposes its trigger when it fires, when the source ends or releases its sink, and on disposal"
  )
  func skipUntilReleases() {
    let log = Box<[String]>([])
    let (trigger, source) = (Held<Oops>(nil), Held<Oops>(nil))
    let signal = open("source", log, source).skip(until: open("trigger", log, trigger))
    let opened = Recorder(signal)
    trigger.value?.send(0)
    #expect(log.value == ["trigger run", "source run", "trigger gone"])
    opened.dispose()
    #expect(log.value.last == "source gone")

    for end in [{ $0.value?.fail(Oops()) }, { $0.value?.complete() }, { $0.value = nil }]
      as [(Held<Oops>) -> Void]
    {
      log.value = []
      let recorder = Recorder(signal)
      end(source)
      #expect(Set(log.value) == ["trigger run", "source run", "trigger gone", "source gone"])
      #expect(recorder.subscription.isDisposed)
    }
    log.value = []
    Recorder(signal).dispose()
    #expect(Set(log.value) == ["trigger run", "source run", "trigger gone", "source gone"])

    // A source that releases its sink without an event, and has no observer whose release would show it.
    log.value = []
    Numbers.never().skip(until: open("trigger", log, trigger)).subscribe(failed: { _ in })
    #expect(log.value == ["trigger run", "trigger gone"])
  }

  @Test("skip(until:) disposes its trigger before it forwards an error that a closure upstream has thrown")
  func skipUntilThrown() {
    let log = Box<[String]>([])
    let trigger = Held<Oops>(nil)
    numbers.map { _ throws(Oops) in throw Oops() }
      .skip(until: open("trigger", log, trigger))
      .materialize()
      .subscribe { log.value.append("\($0)") }
    #expect(log.value == ["trigger run", "trigger gone", ".failed(WeirTests.Oops(code: 0))"])
  }

  @Test("skip(until:) whose trigger fails reports the error and forwards only the source's terminal event")
  func skipUntilFailingTrigger() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[Oops?]>([])
      UnhandledErrors.setHandler { reported.value.append($0.error as? Oops) }
      let (source, trigger) = (Subject<Int, Never>(), Subject<Int, Oops>())
      let recorder = Recorder(source.skip(until: trigger))
      trigger.fail(Oops(code: 4))
      source.send(1)
      source.complete()
      #expect(recorder.events == [.completed])
      #expect(reported.value == [Oops(code: 4)])
    }
  }

  @Test("D3: take(until:) continues after its trigger fails, and reports the error with the name of its run")
  func takeUntilFailingTrigger() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[String]>([])
      UnhandledErrors.setHandler { reported.value.append("\($0.error) \($0.name ?? "")") }
      let (source, trigger) = (Subject<Int, Never>(), Subject<Int, Oops>())
      let recorder = Recorder(source.take(until: trigger.named("stop")))
      trigger.fail(Oops(code: 4))
      source.send(1)
      source.complete()
      #expect(recorder.events == [.next(1), .completed])
      #expect(reported.value == ["Oops(code: 4) stop"])
    }
  }

  @Test("D6 AC34: take(untilReplacement:) drops the source's completion and continues with the replacement")
  func replacement() {
    let log = Box<[String]>([])
    let (first, second) = (Held<Oops>(nil), Held<Oops>(nil))
    let signal = open("source", log, first).take(untilReplacement: open("replacement", log, second))
    let recorder = Recorder(signal)
    #expect(log.value == ["replacement run", "source run"])
    first.value?.send(1)
    second.value?.send(2)
    #expect(log.value.last == "source gone")
    first.value?.send(3)
    second.value?.send(4)
    second.value?.complete()
    #expect(recorder.events == [.next(1), .next(2), .next(4), .completed])

    let completed = Recorder(signal)
    first.value?.complete()
    #expect(completed.events == [])
    second.value?.send(5)
    second.value?.fail(Oops())
    #expect(completed.events == [.next(5), .failed(Oops())])
  }

  @Test(
    "D6: take(untilReplacement:) ends when the source fails or the replacement ends, and disposes both"
  )
  func replacementEnds() {
    let log = Box<[String]>([])
    let (first, second) = (Held<Oops>(nil), Held<Oops>(nil))
    let signal = open("source", log, first).take(untilReplacement: open("replacement", log, second))
    let failed = Recorder(signal)
    first.value?.fail(Oops(code: 1))
    #expect(failed.events == [.failed(Oops(code: 1))])
    #expect(Set(log.value.suffix(2)) == ["source gone", "replacement gone"])

    let cut = Recorder(signal)
    second.value?.complete()
    #expect(cut.events == [.completed])
    #expect(Set(log.value.suffix(2)) == ["source gone", "replacement gone"])

    log.value = []
    Recorder(signal).dispose()
    #expect(Set(log.value.suffix(2)) == ["source gone", "replacement gone"])

    let dropped = Recorder(signal)
    first.value = nil
    #expect(!dropped.subscription.isDisposed)
    second.value = nil
    #expect(dropped.subscription.isDisposed)
    #expect(Recorder(numbers.take(untilReplacement: Numbers([8, 9]))).values == [8, 9])
  }

  @Test(
    "D6: a failure of the source is reported when its clean-up makes the replacement send or complete first")
  func failureComesSecond() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[String]>([])
      UnhandledErrors.setHandler { reported.value.append("\($0.error) \($0.name ?? "")") }
      let acts: [(@Sendable (Subject<Int, Oops>) -> Void, [Event<Int, Oops>])] = [
        ({ $0.complete() }, [.completed]), ({ $0.send(7) }, [.next(7)]),
      ]
      for (act, events) in acts {
        let (source, replacement) = (Subject<Int, Oops>(), Subject<Int, Oops>())
        let cleaned = source.on(disposed: { act(replacement) })
        let recorder = Recorder(cleaned.take(untilReplacement: replacement).named("whole"))
        source.fail(Oops(code: 4))
        #expect(recorder.events == events)
        recorder.dispose()
      }
      #expect(reported.value == ["Oops(code: 4) ", "Oops(code: 4) whole"])
    }
  }

  @Test("D7: a replacement that sends or completes while the source is being subscribed stops the source")
  func replacementMeanwhile() {
    let (replacement, cleanup) = (Subject<Int, Oops>(), Counter())
    let source = Numbers.create { observer in
      observer.send(1)
      replacement.send(2)
      observer.send(3)
      observer.fail(Oops())
      return ActionDisposable { cleanup.add() }
    }
    let recorder = Recorder(source.take(untilReplacement: replacement))
    #expect(cleanup.value == 1)
    replacement.send(4)
    #expect(recorder.values == [1, 2, 4])

    let runs = Counter()
    let counted = Numbers.deferred {
      runs.add()
      return .never()
    }
    #expect(Recorder(counted.take(untilReplacement: Numbers.empty())).events == [.completed])
    #expect(runs.value == 0)
  }

  @Test("take(untilReplacement:) takes a replacement that cannot fail, whatever the failure of the signal")
  func replacementWithoutFailure() {
    let (original, replacement) = (Subject<Int, Oops>(), Subject<Int, Never>())
    let recorder = Recorder(original.take(untilReplacement: replacement))
    original.send(1)
    replacement.send(2)
    original.fail(Oops())
    replacement.complete()
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }
}
