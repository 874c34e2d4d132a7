// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// A source that releases its sink without a terminal event, while values that it has sent are still
/// buffered in the hub.
struct LettingGoTests {
  private func isOver(_ recorder: Recorder<Int, Never>) -> Bool {
    recorder.subscription.isDisposed && recorder.events == recorder.values.map { .next($0) }
  }

  @Test(
    "when the source releases its sink during a delivery, subscribers receive the buffered values, then end",
    arguments: Form.allCases
  )
  func inside(form: Form) {
    let feed = Feed()
    let shared = form.share(feed.signal)
    let before = Recorder(shared)
    let after = Box<Recorder<Int, Never>?>(nil)
    let wasOver = Box<Bool?>(nil)
    let between = shared.subscribe { value in
      guard value == 0 else { return }
      feed.send(1, 2)
      feed.letGo()
      wasOver.value = before.subscription.isDisposed
    }
    after.value = Recorder(shared)
    feed.send(0)
    #expect(wasOver.value == false)
    for recorder in [before, after.value].compactMap({ $0 }) {
      #expect(form.values(of: recorder) == [0, 1, 2])
      #expect(isOver(recorder))
    }
    #expect(between.isDisposed)
  }

  @Test(
    "a subscriber added to a connection after the source released its sink receives history and buffered values"
  )
  func newcomerBetween() {
    let feed = Feed()
    let shared = Form.autoconnectReplay.share(feed.signal)
    let late = Box<Recorder<Int, Never>?>(nil)
    let first = shared.subscribe { value in
      guard value == 0 else { return }
      feed.send(1, 2)
      feed.letGo()
      late.value = Recorder(shared)
    }
    feed.send(0)
    #expect(late.value?.values == [0, 1, 2])
    #expect(first.isDisposed)
  }

  @Test(
    "a subscriber that is being added when the source releases its sink receives every value, then ends",
    arguments: [
      Form.shareReplay, .foreverReplay, .autoconnectReplay, .autoconnectCurrent, .replay, .replayLast,
      .replayLazily,
    ])
  func newcomerBefore(form: Form) {
    let feed = Feed()
    let shared = form.share(feed.signal)
    let values = Box<[Int]>([])
    let late = Box<Subscription?>(nil)
    let first = shared.subscribe { value in
      guard value == 0 else { return }
      late.value = shared.subscribe { value in
        values.value.append(value)
        guard value == 0 else { return }
        feed.send(1, 2)
        feed.letGo()
      }
    }
    feed.send(0)
    #expect(values.value == [0, 1, 2])
    #expect(first.isDisposed && late.value?.isDisposed == true)
  }

  @Test(
    "disposing a connection ends its source first: values that clean-ups of subscribers send are not delivered"
  )
  func byHandFromCleanUp() {
    let source = Subject<Int, Never>()
    let connection = source.publish()
    let direct = Recorder(connection.signal)
    let member = connection.autoconnect()
      .on(disposed: {
        connection.connect().dispose()
        source.send(1)
      })
      .subscribe()
    source.send(0)
    connection.connect().dispose()
    #expect(member.isDisposed)
    #expect(direct.values == [0])
  }

  @Test(
    "when a second thread releases the sink during a delivery, subscribers receive the buffered values, then end",
    arguments: Form.allCases)
  func secondThread(form: Form) {
    let feed = Feed()
    let shared = form.share(feed.signal)
    let (entered, leave) = (Door(), Door())
    let recorder = Recorder(shared)
    let blocking = shared.subscribe { value in
      guard value == 0 else { return }
      entered.open()
      leave.pass()
    }
    let last = Recorder(shared)
    let wasOver = Box<Bool?>(nil)
    withThreads(2) { index in
      if index == 0 { return feed.send(0) }
      entered.pass()
      feed.send(1, 2)
      feed.letGo()
      wasOver.value = blocking.isDisposed
      leave.open()
    }
    #expect(wasOver.value == false)
    #expect(form.values(of: recorder) == [0, 1, 2] && isOver(recorder))
    #expect(form.values(of: last) == [0, 1, 2] && isOver(last))
    #expect(blocking.isDisposed)
  }

  @Test(
    "when the source subject is deallocated while a subscriber receives its history, all get every value, then end",
    arguments: lifetimes)
  func newcomer(lifetime: ShareLifetime) {
    let source = Box<Subject<Int, Never>?>(Subject())
    // The shared signal retains its source; this source finds the subject in the box, and does not retain it.
    let shared = Signal.deferred { source.value?.signal ?? .never() }
      .share(replay: .unbounded, lifetime: lifetime)
    let first = Recorder(shared)
    source.value?.send(0)
    let values = Box<[Int]>([])
    let second = shared.subscribe { value in
      values.value.append(value)
      // The first one comes while this subscriber is catching up, the next one when it has the turn.
      source.value?.send(value + 1)
      if value == 1 { source.value = nil }
    }
    #expect(first.values == [0, 1, 2] && isOver(first))
    #expect(values.value == [0, 1, 2] && second.isDisposed)
  }

  @Test(
    "without a delivery in progress, subscriptions end at once, whichever thread sent before",
    arguments: Form.allCases)
  func idle(form: Form) {
    for sender in 0..<2 {
      let feed = Feed()
      let recorder = Recorder(form.share(feed.signal))
      // So many values that the turn belongs to the thread that has sent them.
      withThreads(2) { index in if index == sender { for value in 0..<600 { feed.send(value) } } }
      feed.letGo()
      #expect(isOver(recorder))
      #expect(form.values(of: recorder).count == 600)
    }
  }

  @Test(
    "without a delivery in progress, a run that the clean-up of a subscriber starts delivers at once")
  func idleCleanup() {
    let (feed, rounds) = (Feed(), Counter())
    let shared = Box<Signal<Int, Never>?>(nil)
    let inner = Box<[Int]>([])
    shared.value = Signal.deferred { rounds.add() == 0 ? feed.signal : Signal([1, 2]) }
      .share(replay: 1, lifetime: .forever)
    let outer = shared.value?.on(disposed: {
      let recorder = shared.value.map { Recorder($0) }
      inner.value = recorder?.values ?? []
    }).subscribe()
    feed.send(0)
    feed.letGo()
    #expect(outer?.isDisposed == true)
    #expect(inner.value == [0, 1, 2])
    shared.value = nil
  }

  @Test("a completion that a source sends after it disposed its own run is not delivered")
  func eventAfterDisposal() {
    let sink = Box<Sink<Int, Never>?>(nil)
    let connection = Signal.attaching { sink.value = $0 }.publish()
    let early = Recorder(
      connection.autoconnect().doNext { _ in
        sink.value?.subscription.dispose()
        sink.value?.terminate(.completed)
      })
    sink.value?.next(0)
    let late = Recorder(connection.signal)
    #expect(isOver(early) && early.values == [0])
    #expect(late.events.isEmpty)
  }

  @Test(
    "a subscriber that is disposed while values are buffered receives none of them", arguments: Form.allCases)
  func leavesMeanwhile(form: Form) {
    let feed = Feed()
    let shared = form.share(feed.signal)
    let (first, last) = (Recorder(shared), Box<Recorder<Int, Never>?>(nil))
    let acting = shared.subscribe { value in
      guard value == 0 else { return }
      feed.send(1, 2)
      feed.letGo()
      first.dispose()
      last.value?.dispose()
    }
    last.value = Recorder(shared)
    feed.send(0)
    #expect(form.values(of: first) == [0])
    #expect(last.value.map(form.values(of:)) == [])
    #expect(acting.isDisposed)
  }

  @Test("disposing the connection while values are buffered ends all subscriptions at once")
  func disposedMeanwhile() {
    let feed = Feed()
    let connection = feed.signal.publish()
    let shared = connection.autoconnect()
    let (first, last) = (Recorder(shared), Box<Recorder<Int, Never>?>(nil))
    let wereOver = Box<[Bool?]>([])
    let acting = shared.subscribe { value in
      guard value == 0 else { return }
      feed.send(1, 2)
      feed.letGo()
      wereOver.value.append(first.subscription.isDisposed)
      connection.connect().dispose()
      wereOver.value.append(first.subscription.isDisposed)
    }
    last.value = Recorder(shared)
    feed.send(0)
    #expect(wereOver.value == [false, true])
    #expect(first.values == [0] && last.value?.values == [] && acting.isDisposed)
  }

  @Test(
    "the connection ends once the source has released its sink and the buffered values are delivered",
    arguments: [false, true])
  func connectionEnds(inside: Bool) {
    let feed = Feed()
    let connection = feed.signal.publish()
    let states = Box<[Bool]>([])
    connection.signal.subscribe { value in
      if inside, value == 0 {
        feed.send(1)
        feed.letGo()
      }
      states.value.append(connection.connect().isDisposed)
    }
    connection.connect()
    feed.send(0)
    if !inside { feed.letGo() }
    #expect(states.value == (inside ? [false, false] : [false]))
    #expect(connection.connect().isDisposed)
  }

  @Test("a run that begins while values of the previous run are buffered does not end with that run")
  func nextRun() {
    // With one subject for all runs (.forever), the subscriber of the next one also gets what was buffered.
    for (form, old, new) in [
      (Form.share, [0, 1], [3]), (.shareReplay, [0, 1], [3]), (.forever, [0, 1], [1, 3]),
      (.foreverReplay, [0, 1], [0, 1, 3]),
    ] {
      let feed = Feed()
      let shared = form.share(feed.signal)
      let (first, second) = (Recorder(shared), Box<Recorder<Int, Never>?>(nil))
      let acting = shared.subscribe { value in
        guard value == 0 else { return }
        feed.send(1)
        feed.letGo()
        second.value = Recorder(shared)
        feed.send(3)
      }
      feed.send(0)
      #expect(feed.runs.value == 2)
      #expect(first.values == old && isOver(first) && acting.isDisposed, "\(form)")
      #expect(second.value?.subscription.isDisposed == false)
      feed.send(4)
      #expect(second.value?.values == new + [4], "\(form)")
      second.value?.dispose()
    }
  }

  @Test("with an unserialized subject as the hub, subscriptions end at once, even during a delivery")
  func otherHub() {
    let feed = Feed()
    let shared = feed.signal.multicast(UnserializedSubject()).autoconnect()
    let first = Recorder(shared)
    let acting = shared.subscribe { _ in feed.letGo() }
    let last = Recorder(shared)
    feed.send(0)
    #expect(first.values == [0] && last.values == [])
    #expect(isOver(first) && isOver(last) && acting.isDisposed)
  }

  @Test(
    "sinks are released once the buffered values are delivered, though signal and subscriptions are retained",
    arguments: Form.allCases)
  func released(form: Form) {
    let (feed, resources) = (Feed(), Resources())
    let shared = form.share(
      feed.signal.map { [token = resources.make()] value in
        _ = token
        return value
      })
    let subscriptions = (0..<3).map { _ in
      shared.subscribe { [token = resources.make()] value in
        _ = token
        guard value == 0 else { return }
        feed.send(1)
        feed.letGo()
      }
    }
    feed.send(0)
    // A source that may be run again is retained.
    #expect(resources.alive == (form.runsAgain ? 1 : 0))
    withExtendedLifetime((shared, subscriptions)) {}
  }

  @Test(
    "a subscriber that comes in a clean-up of a source that lets go starts the next run",
    arguments: Form.allCases.filter(\.runsAgain))
  func newcomerInCleanUp(form: Form) {
    for isSubject in [false, true] {
      let (subject, observer) = (Box<Subject<Int, Never>?>(Subject()), Box<Observer<Int, Never>?>(nil))
      let (runs, late) = (Counter(), Box<Recorder<Int, Never>?>(nil))
      let shared = Box<Signal<Int, Never>?>(nil)
      shared.value = form.share(
        .deferred {
          runs.add()
          guard runs.value == 1, let hot = subject.value?.signal else { return .just(7) }
          let source =
            isSubject
            ? hot
            : .create {
              observer.value = $0
              return nil
            }
          return source.on(disposed: { late.value = shared.value.map { Recorder($0) } })
        })
      let early = shared.value.map { Recorder($0) }
      if isSubject { subject.value?.send(1) } else { observer.value?.send(1) }
      (subject.value, observer.value) = (nil, nil)
      // It ends after the clean-up: with one subject for all runs, it has got what the next one sent in that.
      let isLasting = [.forever, .foreverReplay].contains(form)
      #expect(early?.values == (isLasting ? [1, 7] : [1]) && early?.subscription.isDisposed == true)
      #expect(runs.value == 2, "\(form)")
      #expect(late.value?.values.last == 7 && late.value?.completion == .completed, "\(form)")
      shared.value = nil
    }
  }
}
