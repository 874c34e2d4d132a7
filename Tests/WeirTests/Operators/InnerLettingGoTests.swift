// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Inner signals of flatMap that release their sink without a terminal event.
struct InnerLettingGoTests {
  /// The ways in which a source can release its sink at once.
  private enum Way: CaseIterable, CustomTestStringConvertible {
    case observer, subject, sink, never

    var signal: Signal<Int, Oops> {
      switch self {
      case .observer: .create { _ in nil }
      case .subject: .deferred { Subject<Int, Oops>().signal }
      case .sink: Signal.attaching { _ in }
      case .never: .never()
      }
    }
    var testDescription: String { "\(self)" }
  }

  @Test(
    "an inner signal that releases its sink keeps its place: the signals that wait for it send nothing",
    arguments: Way.allCases)
  private func places(way: Way) {
    let source = Subject<Int, Oops>()
    let one = Recorder(source.flatMap(.concat) { $0 == 1 ? way.signal : .just($0) })
    let two = Recorder(source.flatMap(.merge(limit: 2)) { $0 == 1 ? way.signal : .just($0) })
    let ordered = Recorder(source.flatMap(.ordered(limit: 9)) { $0 == 1 ? way.signal : .just($0) })
    let first = Recorder(source.flatMap(.first) { $0 == 1 ? way.signal : .just($0) })
    for value in 0..<4 { source.send(value) }
    #expect(one.values == [0])
    #expect(two.values == [0, 2, 3])
    #expect(first.values == [0])
    #expect(ordered.values == [0])
  }

  @Test(
    "an inner retry abandoned at shutdown reports its error and keeps its place: later signals do not run")
  func retryAtShutdown() async {
    await #expect(processExitsWith: .success) {
      let (lost, begun) = (Box<[Oops?]>([]), Box<[Int]>([]))
      UnhandledErrors.setHandler { lost.value.append($0.error as? Oops) }
      let (orders, stored) = (Subject<Int, Oops>(), Subject<Int, Oops>())
      // The scheduler abandons the pause on this thread, so nothing happens later.
      orders.flatMap(.concat) { order in
        begun.value.append(order)
        return Signal<Int, Oops>.fail(Oops(code: order))
          .retry(.forever.delayed(by: .milliseconds(1), on: ClosedScheduler()))
      }.forward(to: stored)
      for order in 0..<3 { orders.send(order) }
      orders.complete()
      #expect(lost.value == [Oops(code: 0)] && begun.value == [0])
      let end = Recorder(stored)
      #expect(end.events.isEmpty && !end.subscription.isDisposed)
    }
  }

  @Test(
    "flatMap with an inner signal that released its sink ends without an event when all else has ended",
    arguments: Way.allCases)
  private func end(way: Way) {
    for strategy in [FlattenStrategy<Oops>.merge, .merge(limit: 2)] {
      let (source, last) = (Subject<Int, Oops>(), Subject<Int, Oops>())
      let recorder = Recorder(source.flatMap(strategy) { $0 == 0 ? way.signal : last.signal })
      source.send(0)
      source.send(1)
      source.complete()
      last.send(2)
      #expect(!recorder.subscription.isDisposed)
      last.complete()
      #expect(recorder.values == [2])
      #expect(recorder.completion == nil)
      #expect(recorder.subscription.isDisposed)
    }
    // Here the inner signal behind it never runs, or its value is never sent.
    for strategy in [FlattenStrategy<Oops>.concat, .ordered(limit: 2)] {
      let source = Subject<Int, Oops>()
      let recorder = Recorder(source.flatMap(strategy) { $0 == 0 ? way.signal : .just($0) })
      source.send(0)
      source.send(1)
      source.complete()
      #expect(recorder.events == [])
      #expect(recorder.subscription.isDisposed)
    }
  }

  @Test("flatMap retains nothing for an inner signal that released its sink, whatever the strategy")
  func nothingIsKept() {
    for strategy in [FlattenStrategy<Oops>.merge, .merge(limit: 100), .ordered(limit: 100), .race, .latest] {
      let source = Subject<Int, Oops>()
      let held = Box<[() -> Bool]>([])
      let recorder = Recorder(
        source.flatMap(strategy) { _ in
          Signal<Int, Oops>.attaching { sink in
            weak let run = sink.subscription
            held.value.append { run?.isDisposed == false }
          }
        })
      for value in 0..<100 { source.send(value) }
      #expect(held.value.count == 100)
      #expect(held.value.count { $0() } == 0)
      recorder.dispose()
    }
  }

  @Test("race cleans up a signal that releases its sink, and the others race on")
  func racing() {
    let (near, cleanUps) = (Subject<Int, Oops>(), Counter())
    let lettingGo = Signal<Int, Oops>.attaching { sink in
      sink.subscription.add(ActionDisposable { cleanUps.add() })
    }
    let recorder = Recorder(lettingGo.race(with: near, lettingGo))
    #expect(cleanUps.value == 2)
    near.send(1)
    near.complete()
    #expect(recorder.events == [.next(1), .completed])
    let none = Recorder(lettingGo.race(with: lettingGo))
    #expect(none.subscription.isDisposed)
  }

  @Test("the trap on a full flatMap buffer reports the name of the source")
  func named() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = Subject<Int, Never>()
      source.named("orders").flatMap(.concat(waiting: .bounded(1, onOverflow: .trap))) { _ in
        Signal<Int, Never>.never()
      }.subscribe()
      for value in 0..<3 { source.send(value) }
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(message.contains("weir: flatMap of \"orders\": 1 values are buffered"))
  }

  @Test("the trap on a flatMap buffer whose bound is 0 says that no value may be buffered")
  func noBuffer() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let source = Subject<Int, Never>()
      source.flatMap(.concat(waiting: .bounded(0, onOverflow: .trap))) { _ in Signal<Int, Never>.never() }
        .subscribe()
      for value in 0..<2 { source.send(value) }
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(message.contains("weir: flatMap: no value may be buffered (the bound is 0); give it another"))
  }

  @Test("first: after a signal that lets go without a terminal event, all later values are dropped")
  func firstLetsGo() {
    let (source, made) = (Subject<Int, Never>(), Box<[Int]>([]))
    let recorder = Recorder(
      source.flatMap(.first) { value in
        made.value.append(value)
        return Signal<Int, Never>.never()
      })
    for value in 0..<3 { source.send(value) }
    source.complete()
    #expect(made.value == [0])
    #expect(recorder.events.isEmpty && recorder.subscription.isDisposed)
  }
}
