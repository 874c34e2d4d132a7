// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of batches that are never larger than a number of bytes.
struct BatchRecipeTests {
  private let scheduler = VirtualScheduler()
  private let rows = Subject<Recipes.Row, Never>()

  private func batches(_ rows: Signal<Recipes.Row, Never>) -> Signal<[Int], Never> {
    Recipes().batches(rows, upTo: 10, within: .seconds(5), on: scheduler).map { $0.map(\.bytes) }
  }

  private func send(_ bytes: Int...) {
    for bytes in bytes { rows.send(Recipes.Row(number: 0, bytes: bytes)) }
  }

  @Test("a batch ends before the row that does not fit; a row that is larger by itself is a batch of its own")
  func size() {
    let batches = Recorder(batches(rows.signal))
    send(4, 6)
    #expect(batches.values == [])
    send(1)
    #expect(batches.values == [[4, 6]])
    send(7, 3, 11, 12, 2)
    #expect(batches.values == [[4, 6], [1, 7], [3], [11], [12]])
    rows.complete()
    #expect(batches.values.last == [2] && batches.completion == .completed && scheduler.waitingCount == 0)
  }

  @Test("the time of a batch counts from its first row")
  func time() throws {
    let bytes = try HotSignal<Int, Never>("--1-2---3-37-----|", on: scheduler)
    let recorder = TimedRecorder(
      batches(bytes.map { Recipes.Row(number: 0, bytes: $0) }).map { $0.reduce(0, +) }, on: scheduler)
    scheduler.run()
    // 1 and 2 five seconds after the 1; 3 and 3 when the 7 comes, and that five seconds later.
    #expect(recorder.difference(from: "-------3---6----7|") == nil)
    #expect(scheduler.waitingCount == 0)
  }

  @Test("disposal and a source that lets go stop the timer; without rows there is no batch")
  func ends() {
    let source = Box<Subject<Recipes.Row, Never>?>(Subject())
    let recorders = (0..<2).compactMap { _ in source.value.map { Recorder(batches($0.signal)) } }
    source.value?.send(Recipes.Row(number: 0, bytes: 1))
    #expect(scheduler.waitingCount == 2)
    recorders[0].dispose()
    #expect(scheduler.waitingCount == 1 && source.value?.subscriberCount == 1)
    source.value = nil
    #expect(recorders[1].subscription.isDisposed && recorders[1].events.isEmpty)
    #expect(scheduler.waitingCount == 0)
    #expect(Recorder(batches(.empty())).events == [.completed])
  }

  @Test(
    "no batch is too large, and no row lost or out of order, where a timer on another thread ends batches")
  func threads() async {
    let (pool, received) = (WorkerPool(threads: 1), Subject<[Recipes.Row], Never>())
    let recipe = Recipes().batches(rows.signal, upTo: 10, within: .microseconds(30), on: pool)
    let all = Recorder(received)
    recipe.forward(to: received)
    for number in 0..<10_000 { rows.send(Recipes.Row(number: number, bytes: number % 4)) }
    rows.complete()
    await received.completion()
    #expect(all.values.joined().map(\.number) == Array(0..<10_000))
    #expect(all.values.allSatisfy { batch in batch.reduce(0) { $0 + $1.bytes } <= 10 && !batch.isEmpty })
  }
}
