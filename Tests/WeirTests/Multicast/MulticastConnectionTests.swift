// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// One subscription that feeds a subject.
struct MulticastConnectionTests {
  /// A source that counts its runs and its clean-ups.
  struct Source {
    let runs = Counter()
    let cleanups = Counter()
    let held = Held<Oops>(nil)
    var signal: Signal<Int, Oops> {
      .create { [runs, cleanups, held] observer in
        runs.add()
        held.value = observer
        return ActionDisposable { cleanups.add() }
      }
    }
  }

  @Test("L1 AC55: connect() runs the source once, and every call returns the same subscription")
  func idempotent() {
    let source = Source()
    let connection = source.signal.publish()
    #expect(source.runs.value == 0)
    let first = connection.connect()
    let second = connection.connect()
    #expect(first === second)
    #expect(source.runs.value == 1)
  }

  @Test("connect() returns a disposed subscription and runs no source when the subject has ended")
  func subjectHasEnded() {
    let source = Source()
    let subject = Subject<Int, Oops>()
    let connection = source.signal.multicast(subject)
    subject.complete()
    #expect(connection.connect().isDisposed)
    #expect(source.runs.value == 0)
  }

  @Test("L2 AC55: a disposed connection never connects again")
  func disposed() {
    let source = Source()
    let connection = source.signal.publish()
    let recorder = Recorder(connection.signal)
    let first = connection.connect()
    source.held.value?.send(1)
    first.dispose()
    #expect(source.cleanups.value == 1)
    let second = connection.connect()
    #expect(first === second)
    #expect(second.isDisposed)
    source.held.value?.send(2)
    #expect(source.runs.value == 1)
    #expect(recorder.values == [1])
    #expect(!recorder.subscription.isDisposed)
  }

  @Test(
    "L3: of concurrent connect() calls one connects; the others return the same subscription without waiting")
  func racing() {
    let (entered, leave) = (Door(), Door())
    let runs = Counter()
    let source = Signal<Int, Never>.create { _ in
      runs.add()
      entered.open()
      leave.pass()
      return nil
    }
    let connection = source.publish()
    let answers = (0..<3).map { _ in Box<Subscription?>(nil) }
    let returned = Counter()
    withThreads(3) { index in
      if index > 0 { entered.pass() }
      answers[index].value = connection.connect()
      // The last loser unblocks the winner, so the losers cannot have waited for it.
      if index > 0 {
        if returned.add() == 1 { leave.open() } else { entered.open() }
      }
    }
    #expect(runs.value == 1)
    #expect(answers.allSatisfy { $0.value != nil && $0.value === answers[0].value })
  }

  @Test("one run delivers its values and its terminal event to all subscribers", arguments: [false, true])
  func shared(fails: Bool) {
    let source = Source()
    let connection = source.signal.publish()
    let (first, second) = (Recorder(connection.signal), Recorder(connection.signal))
    let subscription = connection.connect()
    source.held.value?.send(1)
    if fails { source.held.value?.fail(Oops()) } else { source.held.value?.complete() }
    let events: [Event<Int, Oops>] = [.next(1), fails ? .failed(Oops()) : .completed]
    #expect(first.events == events)
    #expect(second.events == events)
    #expect(subscription.isDisposed)
    #expect(source.cleanups.value == 1)
    #expect(Recorder(connection.signal).events == [events[1]])
  }

  @Test("the clean-up of the source runs before the terminal event is delivered")
  func order() {
    let log = Box<[String]>([])
    let held = Held<Never>(nil)
    let connection = Signal<Int, Never>.create { observer in
      held.value = observer
      return ActionDisposable { log.value.append("cleaned") }
    }.publish()
    connection.signal.subscribe(completed: { log.value.append("told") })
    connection.connect()
    held.value?.complete()
    #expect(log.value == ["cleaned", "told"])
  }

  @Test("a custom subject also delivers values sent to it directly, and its completion ends the connection")
  func ownSubject() {
    let source = Source()
    let subject = Subject<Int, Oops>()
    let connection = source.signal.multicast(subject)
    let (direct, automatic) = (Recorder(connection.signal), Recorder(connection.autoconnect()))
    source.held.value?.send(1)
    subject.send(2)
    subject.complete()
    #expect(direct.events == [.next(1), .next(2), .completed])
    #expect(automatic.events == direct.events)
    #expect(source.cleanups.value == 1)
    #expect(connection.connect().isDisposed)
  }

  @Test("a synchronous source completes inside connect()")
  func synchronous() {
    let connection = Signal<Int, Never>([1, 2]).publish()
    let recorder = Recorder(connection.signal)
    #expect(connection.connect().isDisposed)
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  @Test("connect() does nothing when called during a delivery or while the source is being connected")
  func nested() {
    let connection = Box<MulticastConnection<Int, Never>?>(nil)
    let runs = Counter()
    let source = Signal<Int, Never>.deferred {
      runs.add()
      connection.value?.connect()
      return Signal([1, 2])
    }
    connection.value = source.publish()
    let values = Box<[Int]>([])
    connection.value?.signal.subscribe(next: { value in
      values.value.append(value)
      connection.value?.connect()
    })
    connection.value?.connect()
    #expect(runs.value == 1)
    #expect(values.value == [1, 2])
    connection.value = nil
  }

  @Test("the running source retains the subject; the connection need not be retained")
  func dropped() {
    let source = Subject<Int, Never>()
    let recorder: Recorder<Int, Never>
    do {
      let connection = source.publish()
      recorder = Recorder(connection.signal)
      connection.connect()
    }
    source.send(1)
    source.complete()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test("a connection does not retain its connected hot source, and ends when that is deallocated")
  func sourceReleased() {
    let source = Box<Subject<Int, Never>?>(Subject())
    weak let watched = source.value
    let connection = source.value?.publish()
    let subscription = connection?.connect()
    source.value = nil
    #expect(watched == nil)
    #expect(subscription?.isDisposed == true)
    withExtendedLifetime(connection) {}
  }

  enum End: CaseIterable { case disposed, completed, sourceDropped, neverConnected }

  @Test(
    "source and sinks are released when the connection has ended, though connection and subscriptions are retained",
    arguments: End.allCases)
  func released(end: End) {
    let resources = Resources()
    let source = Box<Subject<Int, Never>?>(Subject())
    let connection = source.value?.map { [token = resources.make()] value in
      _ = token
      return value
    }.publish()
    let subscription = connection?.signal.subscribe { [token = resources.make()] _ in _ = token }
    #expect(resources.alive == 2)
    if end == .neverConnected {
      subscription?.dispose()
      #expect(resources.alive == 1)
      return
    }
    let connected = connection?.connect()
    switch end {
    case .disposed:
      connected?.dispose()
      // The sink is still retained: others may have the subject.
      #expect(resources.alive == 1)
      subscription?.dispose()
    case .completed: source.value?.complete()
    default:
      source.value = nil
      subscription?.dispose()
    }
    #expect(resources.alive == 0)
    withExtendedLifetime((source, connection, subscription, connected)) {}
  }

  @Test("memory stays constant while many connections of one subject are made and disposed")
  func manyConnections() async {
    await #expect(processExitsWith: .success) {
      let (source, subject) = (Subject<Int, Never>(), Subject<Int, Never>())
      let growth = allocatedGrowth { source.multicast(subject).connect().dispose() }
      #expect(growth < spareMemory)
    }
  }
}
