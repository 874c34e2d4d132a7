// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of its functions.
struct RecipesTests {
  private let recipes = Recipes()
  private let scheduler = VirtualScheduler()

  @Test("the files of Recipes contain each recipe of the article word for word")
  func sameCode() throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let code = try ["Recipes", "Recipes+Calls", "Recipes+Flow", "Recipes+State", "Recipes+Upstream"]
      .map { try String(contentsOf: here.appending(path: "\($0).swift"), encoding: .utf8) }.joined()
    let blocks = try codeBlocks(of: "Recipes")
    #expect(blocks.count == 58)
    for block in blocks {
      let indented = block.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
      #expect(code.contains(indented), "\(block)")
    }
  }

  @Test("a visit ends after five minutes without a request of its session; the next request begins another")
  func visits() {
    let requests = Subject<Recipes.Request, Never>()
    let visits = Recorder(recipes.visits(requests.signal, on: scheduler))
    func send(_ session: String) { requests.send(Recipes.Request(session: session)) }
    send("a")
    scheduler.advance(by: .seconds(299))
    send("a")
    send("b")
    scheduler.advance(by: .seconds(299))
    send("b")
    #expect(visits.values == [])
    scheduler.advance(by: .seconds(1))
    #expect(visits.values == [Recipes.Visit(session: "a", requests: 2)])
    send("a")
    requests.complete()
    #expect(
      visits.values.suffix(2) == [
        Recipes.Visit(session: "b", requests: 2), Recipes.Visit(session: "a", requests: 1),
      ])
  }

  @Test("a quote is requested four times at most, each time with a deadline; then it is unknown")
  func quote() {
    let attempts = Counter()
    let request = Signal<Recipes.Quote, any Error>.deferred {
      attempts.add() == 1 ? .fail(Oops()) : .never()
    }
    let quote = Recorder(recipes.quote(request, on: scheduler))
    scheduler.run()
    #expect(quote.events == [.next(.unknown), .completed])
    #expect(attempts.value == 4)
    // Three deadlines at least; pauses may be shortened to nothing.
    #expect(scheduler.clock.now.elapsed >= .seconds(6))
  }

  @Test("an answer whose handling takes longer than the deadline is the only one, and nobody is asked again")
  func slowHandling() {
    let (asked, answers) = (Counter(), Subject<Recipes.Quote, any Error>())
    let request = Signal<Recipes.Quote, any Error>.deferred {
      asked.add()
      return answers.signal
    }
    let quote = Recorder(
      recipes.quote(request, on: scheduler).doNext { [scheduler] _ in scheduler.advance(by: .seconds(3)) })
    answers.send(Recipes.Quote(price: 5))
    scheduler.run()
    #expect(quote.events == [.next(Recipes.Quote(price: 5)), .completed] && asked.value == 1)

    let replies = Subject<Recipes.Reply, any Error>()
    let reply = Recorder(
      recipes.reply(to: Recipes.Request(id: 7), in: replies.signal, on: scheduler) { _ in }
        .doNext { [scheduler] _ in scheduler.advance(by: .seconds(9)) })
    replies.send(Recipes.Reply(id: 7))
    #expect(reply.values == [Recipes.Reply(id: 7)])
    if case .failed(let error) = reply.completion { Issue.record(error) }
    #expect(reply.completion != nil)
  }

  @Test("a feed that fails or falls silent is restarted")
  func lasting() {
    let runs = Counter()
    let feed = Signal<Recipes.Quote, any Error>.deferred {
      runs.add() == 0 ? .fail(Oops()) : Signal.never().startWith(Recipes.Quote(price: 1))
    }
    let quotes = Recorder(recipes.lasting(feed, on: scheduler))
    scheduler.advance(by: .seconds(200))
    #expect(quotes.values.count == runs.value - 1)
    #expect((4...8).contains(runs.value))
    quotes.dispose()
  }

  @Test(
    "a feed that has lasted a minute reconnects within a second, one that sends a quote and fails does not")
  func lastingResets() {
    let starts = Box<[Duration]>([])
    let feed = Signal<Recipes.Quote, any Error>.deferred { [scheduler] in
      starts.value.append(scheduler.clock.now.elapsed)
      let quotes = Signal.ticks(every: .seconds(20), on: scheduler).mapReplace(Recipes.Quote(price: 1))
      return quotes.take(first: starts.value.count > 12 ? 3 : 0).startWith(Recipes.Quote(price: 0))
        .setFailureType(to: (any Error).self).concat(.fail(Oops()))
    }
    let quotes = Recorder(recipes.lasting(feed, on: scheduler).filter { $0.price == 1 }.take(first: 30))
    scheduler.run()
    #expect(quotes.completion != nil && starts.value.count == 22)
    // Twelve greetings: pauses of no more than a second each would be shorter than this.
    #expect(starts.value[12] > .seconds(12))
    let rounds = zip(starts.value.dropFirst(12), starts.value.dropFirst(13)).map { $1 - $0 }
    #expect(rounds.allSatisfy { (.seconds(60) ... .seconds(61)).contains($0) })
  }

  @Test("a feed that completes reconnects only if its completion becomes a failure upstream of the timeout")
  func lastingAfterCompletion() {
    let runs = Counter()
    let feed = Signal<Recipes.Quote, any Error>.deferred {
      runs.add()
      return .just(Recipes.Quote(price: runs.value))
    }
    let once = Recorder(recipes.lasting(feed, on: scheduler))
    #expect(once.values.map(\.price) == [1] && once.completion != nil)
    let endless = feed.concat(.fail(Oops()))
    let again = Recorder(recipes.lasting(endless, on: scheduler).take(first: 3))
    scheduler.run()
    #expect(again.values.map(\.price) == [2, 3, 4])
  }

  @Test("a reply that arrives while the request is sent is not missed; a missing one is a timeout error")
  func reply() {
    let replies = Subject<Recipes.Reply, any Error>()
    let immediate = Recorder(
      recipes.reply(to: Recipes.Request(id: 7), in: replies.signal, on: scheduler) { request in
        replies.send(Recipes.Reply(id: 6))
        replies.send(Recipes.Reply(id: request.id))
      })
    #expect(immediate.values == [Recipes.Reply(id: 7)])
    #expect(immediate.subscription.isDisposed)
    let missing = Recorder(
      recipes.reply(to: Recipes.Request(id: 8), in: replies.signal, on: scheduler) { _ in })
    scheduler.run()
    guard case .failed(let error) = missing.completion else { return #expect(missing.completion != nil) }
    #expect(error is TimeoutError)
  }

  @Test("a shared feed has one run for all subscribers, which ends half a minute after the last one leaves")
  func shared() {
    let (quotes, runs) = (Subject<Recipes.Quote, Never>(), Counter())
    let shared = recipes.shared(quotes.initially { runs.add() }, on: scheduler)
    let first = Recorder(shared)
    quotes.send(Recipes.Quote(price: 5))
    let second = Recorder(shared)
    #expect(second.values == [Recipes.Quote(price: 5)])
    first.dispose()
    second.dispose()
    scheduler.advance(by: .seconds(29))
    let third = Recorder(shared)
    #expect((third.values, runs.value) == ([Recipes.Quote(price: 5)], 1))
    third.dispose()
    scheduler.advance(by: .seconds(30))
    #expect(Recorder(shared).values == [])
    #expect(runs.value == 2)
  }

  @Test("a cached answer takes one request for all subscribers, until half a minute after its arrival")
  func cached() {
    let (answers, runs) = (Subject<Recipes.Quote, any Error>(), Counter())
    let cached = recipes.cached(answers.take(first: 1).initially { runs.add() }, on: scheduler)
    let askers = (0..<2).map { _ in Recorder(cached) }
    #expect(runs.value == 1)
    answers.send(Recipes.Quote(price: 5))
    #expect(askers.allSatisfy { $0.values == [Recipes.Quote(price: 5)] && $0.completion != nil })
    // Subscribers in between do not prolong it.
    for _ in 0..<29 {
      scheduler.advance(by: .seconds(1))
      #expect(Recorder(cached).values == [Recipes.Quote(price: 5)])
    }
    #expect(runs.value == 1)
    scheduler.advance(by: .seconds(1))
    let late = Recorder(cached)
    #expect((late.values, runs.value) == ([], 2))
    late.dispose()
  }

  @Test("a failed request is not cached: all waiting subscribers get the error; the next one requests again")
  func failedRequest() {
    let (answers, runs) = (Subject<Recipes.Quote, any Error>(), Counter())
    let cached = recipes.cached(answers.initially { runs.add() }, on: scheduler)
    let askers = (0..<2).map { _ in Recorder(cached) }
    answers.fail(Oops())
    #expect(runs.value == 1)
    for asker in askers + [Recorder(cached)] {
      guard case .failed(let error) = asker.completion else {
        #expect(asker.completion != nil)
        continue
      }
      #expect(error is Oops)
    }
    #expect(runs.value == 2)
  }

  @Test("a cache sends one request per symbol; subscribers waiting for a forgotten answer get the next one")
  func cacheOfMany() {
    let (answers, asked) = (Subject<Recipes.Quote, any Error>(), Box<[String]>([]))
    let cache = Recipes.QuoteCache(on: scheduler) { symbol in
      asked.value.append(symbol)
      return answers.take(first: 1)
    }
    func answer(_ price: Int) { answers.send(Recipes.Quote(price: price)) }
    let waiting = (0..<2).map { _ in Recorder(cache.quote("a")) }
    cache.forget("b")
    #expect(asked.value == ["a"])
    cache.forget("a")
    #expect(waiting.allSatisfy { $0.events.isEmpty })
    answer(5)
    #expect(waiting.allSatisfy { $0.values == [Recipes.Quote(price: 5)] && $0.completion != nil })
    let other = Recorder(cache.quote("b"))
    answer(6)
    #expect(other.values == [Recipes.Quote(price: 6)])
    #expect(Recorder(cache.quote("a")).values == [Recipes.Quote(price: 5)])
    #expect(asked.value == ["a", "a", "b"])
    cache.forget(nil)
    #expect(asked.value.suffix(2).sorted() == ["a", "b"])
    answer(7)
    #expect(Recorder(cache.quote("b")).values == [Recipes.Quote(price: 7)])
  }

  @Test("a cache keeps an answer until half a minute after its last use, and keeps no failure")
  func cacheEnds() {
    let asked = Counter()
    let cache = Recipes.QuoteCache(on: scheduler) { _ in
      asked.add() == 0 ? .fail(Oops()) : .just(Recipes.Quote(price: asked.value))
    }
    #expect(Recorder(cache.quote("a")).values == [])
    for pause in [0, 29, 29] {
      scheduler.advance(by: .seconds(pause))
      #expect(Recorder(cache.quote("a")).values == [Recipes.Quote(price: 2)])
    }
    scheduler.advance(by: .seconds(30))
    #expect(Recorder(cache.quote("a")).values == [Recipes.Quote(price: 3)])
    cache.forget(nil)
    #expect(Recorder(cache.quote("a")).values == [Recipes.Quote(price: 4)])
  }

  private actor Table: Recipes.Database {
    private(set) var batches: [[Int]] = []
    func insert(_ rows: [Recipes.Row]) { batches.append(rows.map(\.number)) }
  }

  @Test("rows are stored in batches of 500, one after the other")
  func store() async throws {
    let table = Table()
    let rows = Signal<Recipes.Row, Never>((0..<1_200).map { Recipes.Row(number: $0) })
    try await recipes.store(rows, in: table, on: scheduler).completion()
    #expect(await table.batches == [Array(0..<500), Array(500..<1_000), Array(1_000..<1_200)])
  }

  private actor StuckTable: Recipes.Database {
    let door = Door()
    func insert(_ rows: [Recipes.Row]) { door.pass() }
  }

  @Test("storing rows fails when a batch is added to twenty that wait for the database")
  func tooSlow() {
    let (table, rows) = (StuckTable(), Subject<Recipes.Row, Never>())
    let storing = Recorder(recipes.store(rows.signal, in: table, on: scheduler))
    for number in 0..<21 * 500 { rows.send(Recipes.Row(number: number)) }
    #expect(storing.completion == nil)
    for number in 0..<500 { rows.send(Recipes.Row(number: number)) }
    table.door.open()
    guard case .failed(let error) = storing.completion else { return #expect(storing.completion != nil) }
    #expect(error is Recipes.TooSlow)
  }

  @Test("a queue is processed two messages at a time; the next is requested when one of them is done")
  func work() async throws {
    let (asked, done, early) = (Counter(), Counter(), Counter())
    let messages = AsyncStream<Int>(unfolding: {
      let number = asked.add()
      if number - done.value >= 2 { early.add() }
      return number < 5 ? number : nil
    })
    let secondHasBegun = Subject<Int, Never>()
    let work = recipes.work(through: messages, atATime: 2) { number in
      if number == 0 { await secondHasBegun.completion() }
      if number == 1 { secondHasBegun.complete() }
      done.add()
    }
    try await work.completion()
    #expect((asked.value, done.value) == (6, 5))
    #expect(early.value == 0)
  }

  @Test("a message whose processing fails ends the processing of the queue, with its error")
  func workFails() async {
    let asked = Counter()
    let messages = AsyncStream<Int>(unfolding: { asked.add() })
    let work = recipes.work(through: messages, atATime: 2) { if $0 == 3 { throw Oops(code: 3) } }
    await #expect(throws: Oops(code: 3)) { try await work.completion() }
  }

  @Test("stop stores all quotes sent before, also those that still wait in a batch, and returns true")
  func stop() async {
    let (quotes, writer, stored) = (Subject<Recipes.Quote, Never>(), SerialScheduler(), Box<[Int]>([]))
    let inBatches = quotes.collect(within: .seconds(1), on: scheduler).joined()
    let storing = recipes.start(inBatches, on: writer) { stored.value.append($0.price) }
    for price in 0..<1_000 { quotes.send(Recipes.Quote(price: price)) }
    #expect(await recipes.stop(quotes, storing, on: writer, within: .seconds(3_600)))
    #expect(stored.value == Array(0..<1_000))
  }

  @Test("stop returns false if a quote is not stored in time")
  func stopInVain() async {
    // On a thread of its own: the timeout needs one of the pool's.
    let (quotes, door) = (Subject<Recipes.Quote, Never>(), Door())
    let writer = SerialScheduler(on: WorkerPool(threads: 1))
    let storing = recipes.start(quotes.signal, on: writer) { _ in door.pass() }
    quotes.send(Recipes.Quote(price: 1))
    #expect(await !recipes.stop(quotes, storing, on: writer, within: .zero))
    door.open()
  }

  @Test("three requests are answered at a time, the next when one has ended; a failure is an answer, too")
  func answers() {
    let (requests, asked) = (Subject<Recipes.Request, Never>(), Box<[Int]>([]))
    let replies = Subject<Recipes.Reply, any Error>()
    let answers = Recorder(
      recipes.answers(to: requests.signal) { request in
        asked.value.append(request.id)
        return request.id == 3
          ? .fail(Oops(code: 3)) : replies.filter { $0.id == request.id }.take(first: 1)
      })
    for id in 0..<6 { requests.send(Recipes.Request(id: id)) }
    #expect(asked.value == [0, 1, 2])
    for id in [1, 0, 2, 4, 5] { replies.send(Recipes.Reply(id: id)) }
    #expect(asked.value == [0, 1, 2, 3, 4, 5])
    #expect(answers.values.map { try? $0.get().id } == [1, nil, 0, 2, 4, 5])
    requests.complete()
    #expect(answers.completion != nil)
  }

  @Test("a slow connection loses the oldest quotes, which are counted")
  func serve() {
    let (quotes, dropped, written) = (Subject<Recipes.Quote, Never>(), DropCounter(), Box<[Int]>([]))
    let serving = recipes.serve(quotes.signal, on: scheduler, dropped: dropped) {
      written.value.append($0.price)
    }
    for price in 0..<1_200 { quotes.send(Recipes.Quote(price: price)) }
    scheduler.run()
    #expect(written.value == Array(200..<1_200))
    #expect(dropped.count == 200)
    serving.dispose()
  }

  @Test("bookings of one account are entered in order, on one worker")
  func book() async {
    let workers = (0..<2).map { _ in SerialScheduler() }
    // One for each account, which only the worker of that account touches.
    let entered = (0..<3).map { _ in Box<[Int]>([]) }
    let bookings = Subject<Recipes.Booking, Never>()
    let booking = recipes.book(bookings.signal, on: workers) { booking in
      entered[booking.number % 3].value.append(booking.number)
    }
    for number in 0..<300 { bookings.send(Recipes.Booking(account: "\(number % 3)", number: number)) }
    bookings.complete()
    for worker in workers { #expect(await worker.shutdown(within: .seconds(3_600)).isComplete) }
    #expect(entered.map(\.value) == (0..<3).map { Array(stride(from: $0, to: 300, by: 3)) })
    #expect(booking.isDisposed)
  }

  @Test("the requests of each second are counted, also if there are none")
  func perSecond() {
    let requests = Subject<Recipes.Request, Never>()
    let counts = Recorder(recipes.perSecond(requests.signal, on: scheduler))
    for count in [3, 0, 2] {
      for _ in 0..<count { requests.send(Recipes.Request()) }
      scheduler.advance(by: .seconds(1))
    }
    #expect(counts.values == [3, 0, 2])
    counts.dispose()
  }
}
