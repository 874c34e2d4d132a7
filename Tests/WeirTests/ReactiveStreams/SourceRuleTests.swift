// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// Rules of Reactive Streams that every source observes; the article of that name says which test stands for
/// which rule.
struct SourceRuleTests {
  @Test(
    "§1.3 §1.7 §1.11: each of two subscribers receives events one at a time, and one terminal event, last",
    arguments: SourceCase.all)
  func serial(source: SourceCase) async {
    let run = source.make()
    let (values, ends) = ([Box(0), Box(0)], [Counter(), Counter()])
    let grammars = (0..<2).map { index in
      Grammar<Int, Oops>(
        next: { _ in countSlowly(values[index]) }, terminated: { _ in ends[index].add() })
    }
    let subscriptions = grammars.map { $0.subscribe(to: run.signal) }
    run.feed()
    waitUntil { ends.allSatisfy { $0.value > 0 } }
    await run.settle()
    for grammar in grammars { #expect(grammar.problem == nil) }
    #expect(ends.map(\.value) == [1, 1])
    #expect(subscriptions.allSatisfy { $0.isDisposed })
    // The second subscriber of a source that starts at once, or is timed, may be late.
    #expect(source.count.contains(values[0].value))
  }

  @Test(
    "§1.9: events that a source has at hand are delivered inside `subscribe`, all others after its return",
    arguments: SourceCase.immediate + SourceCase.fed)
  func atHand(source: SourceCase) {
    let run = source.make()
    let recorder = Recorder(run.signal)
    #expect(recorder.values.count == source.atHand)
    let isOver = recorder.completion != nil
    #expect(isOver == (source.atHand == source.count.upperBound))
    run.feed()
    #expect(recorder.completion != nil)
  }

  @Test(
    "§1.8 §1.9 §2.6: take(first: 1) can dispose each source inside its first value, before the completion",
    arguments: SourceCase.all.filter { $0.count.upperBound > 0 })
  func firstValue(source: SourceCase) async {
    let run = source.make()
    let (disposals, ends) = (Counter(), Counter())
    let values = Box(0)
    run.signal.on(disposed: { disposals.add() }).take(first: 1)
      .subscribe(
        next: { _ in values.value += 1 }, failed: { _ in },
        completed: {
          #expect(disposals.value == 1)
          ends.add()
        })
    run.feed()
    waitUntil { ends.value > 0 }
    await run.settle()
    #expect(values.value == 1 && disposals.value == 1 && ends.value == 1)
  }

  @Test(
    "§1.6 §2.4 §3.7: a run is cleaned up before its terminal event is delivered; later disposal does nothing",
    arguments: SourceCase.all)
  func disposedAfterEnd(source: SourceCase) async {
    let run = source.make()
    let (disposals, ends) = (Counter(), Counter())
    let told: @Sendable () -> Void = {
      #expect(disposals.value == 1)
      ends.add()
    }
    let subscription = run.signal.on(disposed: { disposals.add() })
      .subscribe(failed: { _ in told() }, completed: told)
    run.feed()
    waitUntil { ends.value > 0 }
    for _ in 0..<2 { subscription.dispose() }
    await run.settle()
    #expect(disposals.value == 1 && ends.value == 1 && subscription.isDisposed)
  }

  @Test(
    "§3.6 §3.7: the second disposal has no effect: one clean-up, and no further event",
    arguments: SourceCase.fed)
  func disposedTwice(source: SourceCase) {
    let run = source.make()
    let disposals = Counter()
    let recorder = Recorder(run.signal.on(disposed: { disposals.add() }))
    for _ in 0..<2 {
      recorder.dispose()
      #expect(disposals.value == 1 && recorder.subscription.isDisposed)
    }
    run.feed()
    #expect(recorder.events.count == source.atHand && recorder.completion == nil)
    #expect(disposals.value == 1)
  }

  @Test(
    "§1.8 §2.8 §3.5 §3.12: disposal during a delivery on another thread does not block, and nothing follows",
    arguments: SourceCase.later.filter { $0.count.upperBound > $0.atHand + 1 })
  func disposedElsewhere(source: SourceCase) async {
    let run = source.make()
    let (entered, leave) = (Door(), Door())
    let events = Counter()
    // No operator where none is needed: it would check whether the run has ended, which the source must do.
    let signal = source.atHand == 0 ? run.signal : run.signal.skip(first: source.atHand)
    let subscription = signal.subscribe(
      next: { _ in
        if events.add() == 0 {
          entered.open()
          leave.pass()
        }
      }, failed: { _ in events.add() }, completed: { events.add() })
    withThreads(2) { index in
      if index == 0 { return run.feed() }
      entered.pass()
      subscription.dispose()
      leave.open()
    }
    await run.settle()
    #expect(events.value == 1)
  }

  enum Ending { case disposal, end }

  @Test(
    "§3.13: a terminal event or disposal releases the subscriber, though source and subscription are retained",
    arguments: SourceCase.all, [Ending.disposal, .end])
  func released(source: SourceCase, ending: Ending) async {
    let run = source.make()
    let (resources, ends) = (Resources(), Counter())
    let subscription = run.signal.subscribe(
      next: { [token = resources.make()] _ in _ = token },
      failed: { [token = resources.make()] _ in
        _ = token
        ends.add()
      },
      completed: { [token = resources.make()] in
        _ = token
        ends.add()
      })
    switch ending {
    case .disposal: subscription.dispose()
    case .end:
      run.feed()
      waitUntil { ends.value > 0 }
    }
    await run.settle()
    #expect(resources.alive == 0)
    withExtendedLifetime((run, subscription)) {}
  }

  @Test(
    "§2.5 §2.12: an observer subscribed twice receives events one at a time; one terminal event ends both runs",
    arguments: SourceCase.all)
  func sameObserver(source: SourceCase) async {
    let run = source.make()
    let (values, ends) = (Box(0), Counter())
    let grammar = Grammar<Int, Oops>(
      next: { _ in countSlowly(values) }, terminated: { _ in ends.add() })
    let feeds = Box<[Subscription]>([])
    let subscription = grammar.subscribe(
      to: Signal.create { observer in
        for _ in 0..<2 { feeds.value.append(run.signal.forward(to: observer)) }
        return nil
      })
    run.feed()
    waitUntil { ends.value > 0 }
    await run.settle()
    #expect(grammar.problem == nil && ends.value == 1 && subscription.isDisposed)
    #expect(feeds.value.count == 2 && feeds.value.allSatisfy { $0.isDisposed })
    #expect((source.count.lowerBound...2 * source.count.upperBound).contains(values.value))
  }
}

/// A handler that lets other threads run meanwhile. The count is plain memory for ThreadSanitizer to check.
private func countSlowly(_ count: Box<Int>) {
  let before = count.value
  weir_yield()
  count.value = before + 1
}
