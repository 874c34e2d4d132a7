// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// Holds a fixed number of threads at the end of each step until all have arrived.
private final class Rendezvous: Sendable {
  private let arrived = Counter()
  private let size: Int
  init(_ size: Int) { self.size = size }

  func meet() {
    let round = arrived.add() / size
    while arrived.value < (round + 1) * size { weir_yield() }
  }
}

/// One subscriber in one round.
private final class Listener: @unchecked Sendable {  // written before a rendezvous, read after it
  let values = Counter()
  let terminals = Counter()
  var subscription: Subscription?

  func subscribe(to signal: Signal<Int, Never>) {
    let grammar = Grammar<Int, Never>(
      next: { [values] in values.add($0) }, terminated: { [terminals] _ in terminals.add() })
    subscription = grammar.subscribe(to: signal)
  }

  /// What became of it.
  enum Outcome { case alive, completed, ended }
  var outcome: Outcome {
    if terminals.value > 0 { return .completed }
    return subscription?.isDisposed == false ? .alive : .ended
  }
}

extension Stress {
  @Suite struct SharingStress {
    init() { perturb() }

    /// A source that counts how many of its runs are alive, and completes them all when `stop` sends.
    private struct Source {
      let input = Subject<Int, Never>()
      let stop = Subject<Int, Never>()
      let alive = Counter()
      let started = Counter()

      var signal: Signal<Int, Never> {
        input.take(until: stop).on(
          subscribed: {
            alive.add()
            started.add()
          }, disposed: { alive.add(-1) })
      }
    }

    /// How often a shared signal may run its source.
    private enum Runs { case any, untilItsEnd, one }

    /// Three threads subscribe to one shared signal at once: the first stays, the second leaves, the third
    /// completes the source; each round in another order, as it happens. Then nothing is in progress any
    /// more, and the outcome must be one of a few.
    private func race(rounds: Int, _ share: (Signal<Int, Never>) -> Signal<Int, Never>, runs: Runs) {
      let source = Source()
      let shared = Slot(share(source.signal))
      let meeting = Rendezvous(3)
      let listeners = Slot<[Listener]>([])
      let wrong = Counter()
      // How often the source had run when it was first seen to have ended.
      let runsAtEnd = Slot<Int?>(nil)
      withThreads(3) { index in
        for round in 0..<rounds {
          if index == 0 { listeners.value = [Listener(), Listener()] }
          meeting.meet()
          switch (index + round) % 3 {
          case 0: listeners.value[0].subscribe(to: shared.value)
          case 1:
            listeners.value[1].subscribe(to: shared.value)
            listeners.value[1].subscription?.dispose()
          default: if round % 2 == 0 { source.stop.send(0) } else { shared.value.subscribe().dispose() }
          }
          meeting.meet()
          if index == 0 {
            if !check(source, listeners.value, reconnects: runs != .one) { wrong.add() }
            listeners.value[0].subscription?.dispose()
            if source.alive.value != 0 { wrong.add() }
            if runs == .untilItsEnd, let last = runsAtEnd.value, source.started.value > last { wrong.add() }
            if runsAtEnd.value == nil, listeners.value.contains(where: { $0.outcome == .completed }) {
              runsAtEnd.value = source.started.value
            }
          }
        }
      }
      #expect(wrong.value == 0)
      #expect(runs == .one ? source.started.value == 1 : source.started.value > 0)
      listeners.value = []
    }

    /// True if the round ended in one of the allowed outcomes.
    private func check(_ source: Source, _ listeners: [Listener], reconnects: Bool) -> Bool {
      let (stays, leaves) = (listeners[0], listeners[1])
      source.input.send(1)
      switch stays.outcome {
      case .alive:
        // Connected once, for this subscriber.
        return source.alive.value == 1 && stays.values.value == 1 && leaves.values.value == 0
      case .completed:
        return source.alive.value == 0 && stays.values.value == 0 && stays.terminals.value == 1
      case .ended:
        // A signal that connects only once ends a subscription that came too late.
        return !reconnects && source.alive.value == 0 && stays.values.value == 0
      }
    }

    @Test(
      "DD-12: share is connected exactly while it has subscribers that have not completed, under concurrent changes"
    )
    func whileConnected() {
      let blocksBefore = blocksAlive()
      race(rounds: roundCount(10_000), { $0.share() }, runs: .any)
      race(rounds: roundCount(2_000), { $0.share(replay: 1).filter { $0 >= 0 } }, runs: .any)
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "DD-12: share(lifetime: .forever) is connected while it has live subscribers, never after its source's end"
    )
    func forever() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(2_000) {
        race(rounds: 6, { $0.share(lifetime: .forever) }, runs: .untilItsEnd)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("a shared signal released while its source completes delivers the completion to all subscribers")
    func dropped() {
      let blocksBefore = blocksAlive()
      for lifetime in [ShareLifetime.whileConnected, .forever] {
        let (sent, heard) = (roundCount(2_000), Counter())
        for _ in 0..<sent {
          let subject = Subject<Int, Never>()
          let shared = Slot<Signal<Int, Never>?>(subject.share(lifetime: lifetime))
          for _ in 0..<4 { shared.value?.subscribe(completed: { heard.add() }) }
          withThreads(2) { index in if index == 0 { subject.complete() } else { shared.value = nil } }
        }
        #expect(heard.value == 4 * sent)
      }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test(
      "share: who comes and goes while the source sends gets an unbroken stretch of it", arguments: [0, 4])
    func unbroken(replayed: Int) {
      let (input, done, broken, received) = (Subject<Int, Never>(), Counter(), Counter(), Counter())
      let shared = input.share(replay: .last(replayed))
      withThreads(4) { index in
        if index == 0 {
          var value = 0
          while done.value < 3 {
            value += 1
            input.send(value)
          }
          return
        }
        for _ in 0..<roundCount(3_000) {
          let (newest, before) = (Slot(0), received.value)
          let subscription = shared.subscribe { value in
            if newest.value != 0, value != newest.value + 1 { broken.add() }
            newest.value = value
            received.add()
          }
          while received.value == before { weir_yield() }
          subscription.dispose()
        }
        done.add()
      }
      #expect(broken.value == 0)
      #expect(input.subscriberCount == 0)
    }

    @Test(
      "L4 L5: autoconnect connects once and ends late subscriptions, under concurrent changes")
    func autoconnect() {
      let blocksBefore = blocksAlive()
      for _ in 0..<roundCount(5_000) { race(rounds: 2, { $0.publish().autoconnect() }, runs: .one) }
      expectBlocks(notAbove: blocksBefore)
    }

    @Test("L3: concurrent connect calls subscribe to the source once at most and return one subscription")
    func connect() {
      for _ in 0..<roundCount(500) {
        let source = Source()
        let connection = source.signal.publish()
        let answers = (0..<4).map { _ in Slot<Subscription?>(nil) }
        withThreads(4) { index in
          let subscription = connection.connect()
          answers[index].value = subscription
          if index == 3 { subscription.dispose() }
        }
        #expect(answers.allSatisfy { $0.value === answers[0].value })
        #expect(source.started.value <= 1)
        #expect(source.alive.value == 0)
      }
    }

    @Test(
      "DD-12: share(replay:lifetime: .forever) delivers no value of an earlier run after one of a later run")
    func oneHistory() {
      let blocksBefore = blocksAlive()
      takeTurns()
      expectBlocks(notAbove: blocksBefore)
    }

    private func takeTurns() {
      // Each run follows the subject of another thread, and sends its own number.
      let inputs = (0..<2).map { _ in Subject<Int, Never>() }
      let (runs, alive, done, broken) = (Counter(), Counter(), Counter(), Counter())
      let source = Signal<Int, Never>.deferred {
        let run = runs.add()
        return inputs[run % 2].mapReplace(run).on(subscribed: { alive.add() }, disposed: { alive.add(-1) })
      }
      let shared = source.share(replay: 4, lifetime: .forever)
      withThreads(4) { index in
        if index < 2 {
          while done.value < 2 { inputs[index].send(0) }
          return
        }
        for _ in 0..<roundCount(3_000) {
          let newest = Slot(0)
          let grammar = Grammar<Int, Never>(next: { run in
            if run < newest.value { broken.add() }
            newest.value = run
          })
          grammar.dispose(grammar.subscribe(to: shared))
          broken.add(grammar.violations)
        }
        done.add()
      }
      #expect(broken.value == 0)
      #expect(alive.value == 0)
      #expect(runs.value > 0)
    }
  }
}

/// A place for a value that threads hand to each other at a rendezvous.
private final class Slot<Value>: @unchecked Sendable {  // see above
  var value: Value
  init(_ value: Value) { self.value = value }
}
