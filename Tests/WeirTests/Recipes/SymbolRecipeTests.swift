// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of symbols, urgency and windows.
struct SymbolRecipeTests {
  private let recipes = Recipes()
  private let scheduler = VirtualScheduler()
  private let ticks = Subject<Recipes.Tick, Never>()

  private func send(_ symbol: String, _ price: Int) {
    ticks.send(Recipes.Tick(symbol: symbol, price: price))
  }

  @Test(
    "snapshot: a late subscriber receives the last tick of each symbol, then every new one, also of new symbols"
  )
  func snapshot() {
    let books = recipes.books(of: ticks.signal)
    for (symbol, price) in [("a", 1), ("b", 2), ("a", 3)] { send(symbol, price) }
    let late = Recorder(books.flatMap { $0.ticks }.map(\.price))
    #expect(late.values == [3, 2])
    for (symbol, price) in [("b", 4), ("c", 5), ("a", 6)] { send(symbol, price) }
    #expect(late.values == [3, 2, 4, 5, 6])
    #expect(Recorder(books.map(\.symbol)).values == ["a", "b", "c"])
    ticks.complete()
    #expect(late.completion != nil)
    #expect(Recorder(books.flatMap { $0.ticks }.map(\.price)).values == [6, 4, 5])
  }

  @Test("conflation: a tick replaces only the buffered tick of its symbol, and takes its place in the order")
  func conflation() {
    let written = Box<[Int]>([])
    let books = recipes.books(of: ticks.signal)
    let serving = recipes.serveLatest(of: books, on: scheduler) { written.value.append($0.price) }
    for price in 1...3 { send("a", price) }
    send("b", 4)
    for price in 5...900 { send("a", price) }
    #expect(written.value == [])
    scheduler.run()
    #expect(written.value == [900, 4])
    send("b", 901)
    scheduler.run()
    #expect(written.value == [900, 4, 901])
    serving.dispose()
  }

  @Test(
    "conflation: a symbol with a new tick during each write does not delay another one's", arguments: 1...3)
  func hotSymbol(busy: Int) {
    let written = Box<[String]>([])
    let serving = recipes.serveLatest(of: recipes.books(of: ticks.signal), on: scheduler) { [ticks] tick in
      written.value.append(tick.symbol)
      if tick.symbol == "hot", tick.price < 5_000 {
        ticks.send(Recipes.Tick(symbol: "hot", price: tick.price + 1))
      }
      if written.value.count == busy { ticks.send(Recipes.Tick(symbol: "cold", price: 0)) }
    }
    send("hot", 1)
    scheduler.run()
    let place = written.value.firstIndex(of: "cold")
    #expect(written.value.count == 5_001)
    // During a write the next tick of the hot symbol already waits, or is sent before the cold one's.
    #expect(place == busy || place == busy + 1)
    serving.dispose()
  }

  @Test("conflation for asynchronous writes: one at a time, of the newest tick; the symbols take turns")
  func asynchronousConflation() {
    let written = Subject<Int, Never>()
    let recorder = TimedRecorder(written, on: scheduler)
    let serving = recipes.serveLatest(of: recipes.books(of: ticks.signal)) { [scheduler] tick in
      written.send(tick.price)
      return .just(()).delay(.seconds(10), on: scheduler)
    }
    for second in 1...30 {
      send("a", second)
      send("b", 100 + second)
      scheduler.advance(by: .seconds(1))
    }
    scheduler.run()
    #expect(recorder.values == [1, 110, 20, 130, 30])
    #expect(recorder.events.map(\.time) == stride(from: 0, through: 40, by: 10).map { .seconds($0) })
    send("b", 500)
    #expect(recorder.values.last == 500 && scheduler.waitingCount == 1)
    serving.dispose()
    #expect(scheduler.waitingCount == 0)
  }

  @Test("conflation for asynchronous writes: with two threads the newest tick of each symbol is written")
  func conflationOnThreads() {
    for _ in 0..<20 {
      let symbols = (0..<2).map { _ in Subject<Recipes.Tick, Never>() }
      let books = Signal<Recipes.Book, Never>(
        symbols.enumerated().map { Recipes.Book(symbol: "\($0)", ticks: $1.signal) })
      let (last, count, busy) = ((0..<2).map { _ in Box(0) }, Counter(), Counter())
      let ends = Subject<Void, Never>()
      let serving = recipes.serveLatest(of: books) { tick in
        if busy.add() > 0 { Issue.record("two writes at a time") }
        count.add()
        for index in 0..<2 where tick.symbol == "\(index)" {
          if tick.price <= last[index].value { Issue.record("an old tick") }
          last[index].value = tick.price
        }
        return ends.take(first: 1).on(disposed: { busy.add(-1) })
      }
      withThreads(3) { thread in
        for price in 1...1_000 {
          if thread < 2 {
            symbols[thread].send(Recipes.Tick(symbol: "\(thread)", price: price))
          } else {
            ends.send(())
          }
        }
      }
      for _ in 0..<3 { ends.send(()) }
      #expect(last.map(\.value) == [1_000, 1_000] && count.value <= 1_005)
      serving.dispose()
    }
  }

  @Test("urgency: a free slot goes to the most urgent request, and among equals to the oldest")
  func urgency() {
    let (requests, asked) = (Subject<Recipes.Request, Never>(), Box<[Int]>([]))
    let replies = Subject<Recipes.Reply, Never>()
    let answers = Recorder(
      recipes.answers(inOrderOfUrgency: requests.signal) { request in
        asked.value.append(request.id)
        return replies.filter { $0.id == request.id }.take(first: 1)
      })
    for (id, urgency) in [0, 0, 0, 1, 5, 1, 5].enumerated() {
      requests.send(Recipes.Request(id: id, urgency: urgency))
    }
    #expect(asked.value == [0, 1, 2])
    replies.send(Recipes.Reply(id: 1))
    #expect(asked.value == [0, 1, 2, 4])
    requests.send(Recipes.Request(id: 7, urgency: 9))
    for id in [0, 2, 4, 7, 6] { replies.send(Recipes.Reply(id: id)) }
    #expect(asked.value == [0, 1, 2, 4, 7, 6, 3, 5])
    for id in [3, 5] { replies.send(Recipes.Reply(id: id)) }
    requests.complete()
    #expect(answers.values.count == 8)
    #expect(answers.completion != nil)
  }

  private func totals(_ signal: Signal<Recipes.Total, Never>) -> Recorder<String, Never> {
    Recorder(signal.map { "\($0.start): \($0.sum)" })
  }

  @Test("windows: readings out of order are summed within the allowed delay; a later one makes its own total")
  func windows() {
    let readings = Subject<Recipes.Reading, Never>()
    let totals = totals(recipes.totals(readings.signal, every: 10, lateBy: 5))
    func send(_ second: Int) { readings.send(Recipes.Reading(second: second, value: 1)) }
    for second in [1, 12, 9, 14] { send(second) }
    #expect(totals.values == [])
    // Ends the first window, and no other.
    send(15)
    #expect(totals.values == ["0: 2"])
    send(3)
    #expect(totals.values == ["0: 2", "0: 1"])
    send(11)
    send(45)
    #expect(totals.values == ["0: 2", "0: 1", "10: 4"])
    readings.complete()
    #expect(totals.values == ["0: 2", "0: 1", "10: 4", "40: 1"])
    #expect(totals.completion != nil)
  }

  @Test("windows: with a timer for each, a window also ends by the clock, its length and the allowance later")
  func windowsByTheClock() {
    let (readings, firstOpen) = (Subject<Recipes.Reading, Never>(), MutableProperty(0))
    let ended = TimedRecorder(
      readings.group(
        by: { $0.second / 10 },
        lifetime: .until { [scheduler] window in
          firstOpen.signal.filter { $0 > window.key }.mapReplace(())
            .merge(with: .ticks(every: .seconds(10 + 5), on: scheduler))
        }
      )
      .flatMap { window in window.collect().map(\.count) }, on: scheduler)
    for second in [0, 9] {
      scheduler.advance(by: .seconds(second))
      readings.send(Recipes.Reading(second: second, value: 1))
    }
    scheduler.run()
    #expect(ended.values == [2] && ended.events.map(\.time) == [.seconds(15)])
    readings.send(Recipes.Reading(second: 24, value: 1))
    firstOpen.value = 3
    #expect(ended.values == [2, 1] && scheduler.waitingCount == 0)
  }

  @Test("completion: the total that is still open is sent first; an empty source sends none")
  func left() {
    let readings = [(1, 1), (9, 2), (10, 4), (31, 8), (32, 16)].map { second, value in
      Recipes.Reading(second: second, value: value)
    }
    let all = totals(recipes.totals(inOrder: Signal(readings), every: 10))
    #expect(all.events == [.next("0: 3"), .next("10: 4"), .next("30: 24"), .completed])
    #expect(totals(recipes.totals(inOrder: .empty(), every: 10)).events == [.completed])
  }

  @Test("boundary: it sends the rows since the last one, if there are any; completion sends the rest")
  func batches() {
    let (rows, boundary) = (Subject<Recipes.Row, Never>(), Subject<Void, Never>())
    let batches = Recorder(
      recipes.batches(rows.signal, closedBy: boundary.signal).map { $0.map(\.number) })
    func send(_ numbers: ClosedRange<Int>) {
      for number in numbers { rows.send(Recipes.Row(number: number)) }
    }
    boundary.send()
    send(1...2)
    #expect(batches.values == [])
    boundary.send()
    boundary.send()
    #expect(batches.values == [[1, 2]])
    send(3...3)
    boundary.send()
    send(4...6)
    rows.complete()
    #expect(batches.events == [.next([1, 2]), .next([3]), .next([4, 5, 6]), .completed])
    #expect(boundary.subscriberCount == 0)
    #expect(Recorder(recipes.batches(.empty(), closedBy: boundary.signal)).events.count == 1)
  }

  @Test("batches by size or time: the row that reaches the size is the last; the time counts from the first")
  func batchesOfBytes() {
    let (rows, scheduler) = (Subject<Recipes.Row, Never>(), VirtualScheduler())
    let batches = Recorder(
      recipes.batches(rows.signal, of: 10, within: .seconds(5), on: scheduler).map { $0.map(\.bytes) })
    func send(_ bytes: Int...) {
      for bytes in bytes { rows.send(Recipes.Row(number: 0, bytes: bytes)) }
    }
    send(4, 6, 12, 1)
    #expect(batches.values == [[4, 6], [12]])
    scheduler.advance(by: .seconds(4))
    send(2)
    #expect(batches.values.count == 2 && scheduler.waitingCount == 1)
    scheduler.advance(by: .seconds(1))
    #expect(batches.values.last == [1, 2] && scheduler.waitingCount == 0)
    send(3)
    rows.complete()
    #expect(batches.values.last == [3] && batches.completion == .completed && scheduler.waitingCount == 0)
  }

  @Test("batches that silence or an urgent row ends: the row is the last one of its batch")
  func otherBoundaries() throws {
    let scheduler = VirtualScheduler()
    let rows = try HotSignal<Int, Never>("12-39----4|", on: scheduler)
    func batches(_ lifetime: GroupLifetime<Int, Int, Never>) -> Recorder<[Int], Never> {
      Recorder(rows.signal.group(by: { _ in 0 }, lifetime: lifetime).flatMap { $0.collect() })
    }
    let bursts = batches(.untilIdle(for: .seconds(3), on: scheduler))
    let urgent = batches(.until { $0.filter { $0 == 2 } })
    scheduler.run()
    #expect(bursts.values == [[1, 2, 3, 9], [4]])
    #expect(urgent.values == [[1, 2], [3, 9, 4]])
  }
}
