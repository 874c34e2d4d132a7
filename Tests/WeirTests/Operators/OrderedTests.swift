// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// flatMap(.ordered): inner signals run concurrently, and their values come in the order of the source.
struct OrderedTests {
  private let source = Subject<Int, Oops>()
  private let inner = (0..<4).map { _ in Subject<Int, Oops>() }
  private let begun = Box<[Int]>([])

  private func ordered(limit: Int) -> Signal<Int, Oops> {
    source.flatMap(.ordered(limit: limit)) { [inner, begun] index in
      begun.value.append(index)
      return inner[index].signal
    }
  }

  @Test(
    "flatMap(.ordered) forwards the oldest inner signal's values and buffers the others' until it completes")
  func order() {
    let recorder = Recorder(ordered(limit: 3))
    for index in 0..<3 { source.send(index) }
    #expect(begun.value == [0, 1, 2])
    inner[1].send(10)
    inner[0].send(0)
    inner[2].send(20)
    inner[1].send(11)
    #expect(recorder.values == [0])
    inner[0].send(1)
    inner[0].complete()
    #expect(recorder.values == [0, 1, 10, 11])
    inner[1].send(12)
    inner[2].send(21)
    #expect(recorder.values == [0, 1, 10, 11, 12])
    inner[1].complete()
    #expect(recorder.values == [0, 1, 10, 11, 12, 20, 21])
  }

  @Test("a completed inner signal counts towards the limit until its buffered values are delivered")
  func limit() {
    let recorder = Recorder(ordered(limit: 2))
    for index in 0..<4 { source.send(index) }
    inner[1].send(10)
    inner[1].complete()
    #expect(begun.value == [0, 1])
    inner[0].complete()
    #expect(begun.value == [0, 1, 2, 3])
    #expect(recorder.values == [10])
    inner[3].send(30)
    inner[2].send(20)
    #expect(recorder.values == [10, 20])
  }

  @Test(
    "AC27: flatMap(.ordered) completes when the source and all inner signals have completed, in any order",
    arguments: [[0, 1], [1, 0]])
  func completion(order: [Int]) {
    let late = Recorder(ordered(limit: 2))
    for index in 0..<2 { source.send(index) }
    source.complete()
    inner[order[0]].complete()
    #expect(late.completion == nil)
    inner[order[1]].complete()
    #expect(late.events == [.completed])

    let other = OrderedTests()
    let early = Recorder(other.ordered(limit: 2))
    for index in 0..<2 { other.source.send(index) }
    for index in order { other.inner[index].complete() }
    #expect(early.completion == nil)
    other.source.complete()
    #expect(early.events == [.completed])
  }

  @Test("a failure of an inner signal is delivered immediately, and buffered values are dropped")
  func failure() {
    let recorder = Recorder(ordered(limit: 2))
    for index in 0..<3 { source.send(index) }
    inner[1].send(10)
    inner[1].fail(Oops(code: 1))
    #expect(recorder.events == [.failed(Oops(code: 1))])
    inner[0].complete()
    #expect(begun.value == [0, 1])
  }

  @Test("a failure sent while an inner signal's buffered values are delivered comes after the last of them")
  func failureInside() {
    for failing in 1...2 {
      let tests = OrderedTests()
      let events = Box<[Event<Int, Oops>]>([])
      tests.ordered(limit: 3).materialize().subscribe { event in
        events.value.append(event)
        if event == .next(10) { tests.inner[failing].fail(Oops()) }
      }
      for index in 0..<3 { tests.source.send(index) }
      for value in 10..<12 { tests.inner[1].send(value) }
      tests.inner[2].send(20)
      tests.inner[0].complete()
      #expect(events.value == [.next(10), .next(11), .failed(Oops())])
    }
  }

  @Test(
    "A2: disposal during the delivery of buffered values drops the rest and starts no further inner signal")
  func disposedWhileWaitingIsSent() {
    let subscription = Box<Subscription?>(nil)
    let values = Box<[Int]>([])
    subscription.value = ordered(limit: 2).subscribe(
      next: { value in
        values.value.append(value)
        if value == 11 { subscription.value?.dispose() }
      }, failed: { _ in })
    for index in 0..<3 { source.send(index) }
    for value in 10..<15 { inner[1].send(value) }
    inner[1].complete()
    inner[0].complete()
    #expect(values.value == [10, 11])
    #expect(begun.value == [0, 1])
  }

  @Test("a value sent during the delivery of buffered values is delivered after them")
  func reentrant() {
    let values = Box<[Int]>([])
    ordered(limit: 2).subscribe(
      next: { [inner] value in
        values.value.append(value)
        if value == 10 { inner[1].send(12) }
      }, failed: { _ in })
    for index in 0..<2 { source.send(index) }
    inner[1].send(10)
    inner[1].send(11)
    inner[0].complete()
    #expect(values.value == [10, 11, 12])
  }

  @Test(
    "an endless inner signal that starts when another completes delivers values until take(first:) stops it")
  func endless() async {
    await #expect(processExitsWith: .success) {
      let (source, first) = (Subject<Int, Never>(), Subject<Int, Never>())
      let values = Box<[Int]>([])
      source.flatMap(.ordered(limit: 1)) { value in
        value == 0 ? first.signal : Signal.just(value).repeat()
      }.take(first: 3).subscribe { values.value.append($0) }
      source.send(0)
      source.send(1)
      first.complete()
      #expect(values.value == [1, 1, 1])
    }
  }

  @Test("an inner signal that starts because a subscriber ended another one starts after that delivery")
  func endlessBegunInside() async {
    await #expect(processExitsWith: .success) {
      let (source, values) = (Subject<Int, Never>(), Box<[Int]>([]))
      let inner = (0..<2).map { _ in Subject<Int, Never>() }
      source.flatMap(.ordered(limit: 2)) { value in
        value < 2 ? inner[value].signal : Signal.just(9).repeat()
      }.take(first: 3).subscribe { value in
        values.value.append(value)
        if value == 10 { inner[1].complete() }
      }
      for value in 0..<3 { source.send(value) }
      inner[1].send(10)
      inner[0].complete()
      #expect(values.value == [10, 9, 9])
    }
  }

  @Test("contract 7: disposal releases buffered values, even while an inner signal is sending")
  func released() {
    let (source, resources) = (Subject<Int, Never>(), Resources())
    let inner = (0..<2).map { _ in Subject<Resources.Resource?, Never>() }
    let subscription = source.flatMap(.ordered(limit: 2)) { inner[$0].signal }.subscribe()
    for index in 0..<2 { source.send(index) }
    // Subscribed after the operator: called during a send whose value the operator has already handled.
    let alive = Box<[Int]>([])
    inner[0].subscribe { _ in
      subscription.dispose()
      alive.value.append(resources.alive)
    }
    inner[1].send(resources.make())
    #expect(resources.alive == 1)
    inner[0].send(nil)
    #expect(alive.value == [0])
  }

  @Test("an inner signal that retains only its sink's next closure delivers values until it releases that")
  func keptValuesOnly() {
    let next = Box<(@Sendable (Int) -> Void)?>(nil)
    let source = Signal<Int, Never>.attaching { next.value = $0.next }
    let recorder = Recorder(Signal.just(0).flatMap(.ordered(limit: 2)) { _ in source })
    next.value?(1)
    next.value?(2)
    #expect(recorder.values == [1, 2])
    next.value = nil
    #expect(recorder.subscription.isDisposed)
  }

  @Test("inner signals made by just deliver immediately, or in order after one that is still running")
  func plain() {
    let recorder = Recorder(
      source.flatMap(.ordered(limit: 3)) { [inner] index in index == 1 ? inner[1].signal : .just(index) })
    for index in 0..<4 { source.send(index) }
    #expect(recorder.values == [0])
    source.complete()
    inner[1].send(10)
    inner[1].complete()
    #expect(recorder.events == [.next(0), .next(10), .next(2), .next(3), .completed])
  }

  @Test("flatMap(.ordered) delivers the results of tasks in source order, and runs no more than the limit")
  func tasks() async {
    let gates = (0..<4).map { _ in Subject<Int, Never>() }
    let stage = TaskStage()
    let recorder = Recorder(
      Signal<Int, Never>.range(0..<4).flatMap(.ordered(limit: 2)) { [begun] index in
        .task(executorPreference: stage.executor) {
          begun.value.append(index)
          return await gates[index].firstValue() ?? -1
        }
      })
    stage.run()
    #expect(begun.value == [0, 1])
    // The second task to end frees both places.
    for (index, count) in [(1, 2), (0, 4), (3, 4), (2, 4)] {
      gates[index].send(index)
      stage.run()
      #expect(begun.value == Array(0..<count))
    }
    #expect(recorder.events == [.next(0), .next(1), .next(2), .next(3), .completed])
  }
}
