// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// merge and flatten: several signals at the same time.
struct MergeTests {
  @Test(
    "C8: merge completes only when all its signals have completed, for each subscriber", arguments: [1, 2])
  func completion(subscribers: Int) {
    let (left, right) = (Subject<Int, Never>(), Subject<Int, Never>())
    let merged = left.merge(with: right)
    let recorders = (0..<subscribers).map { _ in Recorder(merged) }
    left.send(1)
    left.complete()
    right.send(2)
    #expect(recorders.allSatisfy { $0.events == [.next(1), .next(2)] })
    right.complete()
    #expect(recorders.allSatisfy { $0.events == [.next(1), .next(2), .completed] })
  }

  @Test("C8: merge counts a signal that completes twice, in breach of the grammar, only once")
  func completedTwice() {
    let open = Subject<Int, Never>()
    let twice = Signal<Int, Never>.attaching { sink in
      sink.terminate(.completed)
      sink.terminate(.completed)
    }
    let recorder = Recorder(open.merge(with: twice))
    open.send(1)
    open.complete()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test("merge of no signals completes immediately")
  func empty() {
    #expect(Recorder(Signal<Int, Never>.merge([])).events == [.completed])
  }

  @Test("merge subscribes to all its signals, in order")
  func order() {
    let signals = (0..<4).map { Signal<Int, Never>.just($0) }
    let merged: [Signal<Int, Never>] = [
      .merge(signals), .merge(signals[0], signals[1], signals[2], signals[3]),
      signals[0].merge(with: signals[1], signals[2], signals[3]),
    ]
    for signal in merged {
      #expect(Recorder(signal).events == [.next(0), .next(1), .next(2), .next(3), .completed])
    }
  }

  @Test("a failure of one merged signal disposes the others before it is delivered")
  func failure() {
    let log = Box<[String]>([])
    let held = Held<Oops>(nil)
    let open = Signal<Int, Oops>.create { observer in
      held.value = observer
      return ActionDisposable { log.value.append("cleaned") }
    }
    let failing = Subject<Int, Oops>()
    open.merge(with: failing).subscribe(
      next: { log.value.append("\($0)") }, failed: { _ in log.value.append("failed") })
    held.value?.send(1)
    failing.fail(Oops())
    held.value?.send(2)
    #expect(log.value == ["1", "cleaned", "failed"])
  }

  @Test("a failure that is sent during a delivery of merge is delivered after it, and nothing after that")
  func nestedFailure() {
    let (left, right) = (Subject<Int, Oops>(), Subject<Int, Oops>())
    let log = EventLog()
    log.listen(to: left.merge(with: right), as: "") { value in
      right.fail(Oops())
      right.send(8)
      left.send(9)
      log.append("end \(value)")
    }
    left.send(1)
    left.send(2)
    #expect(log.value == ["1", "end 1", " failed 0"])
  }

  @Test(
    "merge subscribes to no further signal once one fails on subscription, even while another thread delivers"
  )
  func failureBesideDelivery() {
    let (hot, later) = (Subject<Int, Oops>(), Counter())
    let (start, delivering, isOver) = (Door(), Door(), Door())
    let failing = Signal<Int, Oops>.deferred {
      start.open()
      delivering.pass()
      return .fail(Oops())
    }
    let third = Signal<Int, Oops>.deferred {
      later.add()
      return .just(3)
    }
    withThreads(2) { index in
      if index == 0 {
        start.pass()
        return hot.send(1)
      }
      Signal<Int, Oops>.merge([hot.signal, failing, third]).subscribe(
        next: { _ in
          delivering.open()
          isOver.pass()
        }, failed: { _ in })
      isOver.open()
    }
    #expect(later.value == 0)
  }

  @Test("releasing one merged subject without a terminal event does not end the subscription")
  func oneSideDropped() {
    let right = Subject<Int, Never>()
    let recorder: Recorder<Int, Never>
    do {
      let left = Subject<Int, Never>()
      recorder = Recorder(left.merge(with: right))
      left.send(1)
    }
    right.send(2)
    #expect(recorder.events == [.next(1), .next(2)])
    #expect(!recorder.subscription.isDisposed)
  }

  @Test(
    "C11: flatten completes when the outer signal and all inner signals have completed",
    arguments: [false, true])
  func flattenCompletion(outerFirst: Bool) {
    let outer = Subject<Signal<Int, Never>, Never>()
    let inner = Subject<Int, Never>()
    let recorder = Recorder(outer.flatten())
    outer.send(inner.signal)
    if outerFirst { outer.complete() } else { inner.complete() }
    #expect(recorder.completion == nil)
    if outerFirst { inner.complete() } else { outer.complete() }
    #expect(recorder.events == [.completed])
  }

  @Test("flatten accepts subjects as inner signals")
  func flattenSubjects() {
    let inner = Subject<Int, Never>()
    let recorder = Recorder(Signal<Subject<Int, Never>, Never>.just(inner).flatten())
    inner.send(1)
    inner.complete()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test("the static functions merge, combineLatest and zip combine their arguments as the methods do")
  func staticForms() {
    let (numbers, names) = (Subject<Int, Never>(), Subject<String, Never>())
    let merged = Recorder(Signal.merge(numbers, numbers.map { $0 + 10 }))
    let latest = Recorder(Signal.combineLatest(numbers, names, numbers).map { "\($0)\($1)\($2)" })
    let pairs = Recorder(Signal.combineLatest(numbers, names).map { "\($0)\($1)" })
    let zipped = Recorder(Signal.zip(numbers, names, waiting: .unbounded).map { "\($0)\($1)" })
    let zippedTriples = Recorder(Signal.zip(numbers, names, numbers).map { "\($0)\($1)\($2)" })
    numbers.send(1)
    names.send("a")
    numbers.send(2)
    names.send("b")
    #expect(merged.values == [1, 11, 2, 12])
    #expect(latest.values == ["1a1", "2a1", "2a2", "2b2"])
    #expect(pairs.values == ["1a", "2a", "2b"])
    #expect(zipped.values == ["1a", "2b"])
    #expect(zippedTriples.values == ["1a1", "2b2"])
  }

  @Test("merge, combineLatest and zip combine a signal that cannot fail with one that can")
  func besideOneThatCannotFail() {
    let (numbers, ticks) = (Subject<Int, Oops>(), Subject<Int, Never>())
    let requests: Signal<Int, any Error> = numbers.mapError { $0 }
    let merged = Recorder(numbers.merge(with: ticks))
    let latest = Recorder(numbers.combineLatest(with: ticks).map { $0 + $1 })
    let erased = Recorder(
      requests.combineLatest(with: ticks.map { $0 + 1 }).map { $0.1 }.mapError { _ in Oops() })
    let bound = Backlog<Oops>.bounded(1, onOverflow: .fail(Oops(code: 9)))
    let zipped = Recorder(numbers.zip(with: ticks, waiting: bound).map { $0 + $1 })
    let zippedEndlessly = Recorder(numbers.zip(with: Signal<Int, Never>(5...7)).map { $0 + $1 })
    // Both overloads match.
    let neither: Recorder<Int, Never> = Recorder(ticks.merge(with: ticks.map { $0 + 1 }))
    numbers.send(1)
    ticks.send(10)
    numbers.send(2)
    ticks.send(20)
    numbers.fail(Oops(code: 3))
    let failed = Event<Int, Oops>.failed(Oops(code: 3))
    #expect(merged.events == [.next(1), .next(10), .next(2), .next(20), failed])
    #expect(latest.events == [.next(11), .next(12), .next(22), failed])
    #expect(erased.events == [.next(11), .next(11), .next(21), .failed(Oops())])
    #expect(zipped.events == [.next(11), .next(22), failed])
    #expect(zippedEndlessly.events == [.next(6), .next(8), failed])
    #expect(neither.values == [10, 11, 20, 21])
  }

  @Test("zip applies its bound to a signal that cannot fail when the other one can")
  func boundBesideOneThatCannotFail() {
    let (numbers, ticks) = (Subject<Int, Oops>(), Subject<Int, Never>())
    let bound = Backlog<Oops>.bounded(1, onOverflow: .fail(Oops(code: 9)))
    let zipped = Recorder(numbers.zip(with: ticks, waiting: bound).map { $0 + $1 })
    for tick in 1...2 { ticks.send(tick) }
    #expect(zipped.events == [.failed(Oops(code: 9))])
  }

  @Test("C4: merge and zip subscribe twice to a signal that is passed twice")
  func twice() {
    let runs = Counter()
    let signal = Signal<Int, Never>.deferred {
      runs.add()
      return Signal<Int, Never>.just(1)
    }
    #expect(Recorder(signal.merge(with: signal)).values == [1, 1])
    #expect(Recorder(signal.zip(with: signal).map { $0.0 + $0.1 }).values == [2])
    #expect(runs.value == 4)
  }

  @Test("article on threads and time: what two threads send, each to two signals, keeps the order of each")
  func orderOfTwoWays() {
    let feeds = (0..<2).map { _ in (updates: Subject<Int, Never>(), lost: Subject<Int, Never>()) }
    let pairs = feeds.enumerated().map { index, feed in
      feed.updates.merge(with: feed.lost).map { (feed: index, number: $0) }
    }
    let all = feeds.enumerated().flatMap { index, feed in
      [feed.updates, feed.lost].map { subject in subject.map { (feed: index, number: $0) } }
    }
    for merged in [Signal.merge(pairs), Signal.merge(all)] {
      let next = Box([0, 0])
      let subscription = merged.subscribe { event in
        if event.number == next.value[event.feed] { next.value[event.feed] += 1 }
      }
      withThreads(2) { thread in
        for round in 0..<20_000 {
          feeds[thread].updates.send(2 * round)
          feeds[thread].lost.send(2 * round + 1)
        }
      }
      #expect(next.value == [40_000, 40_000])
      subscription.dispose()
    }
  }
}
