// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Dispatch
import Weir

/// The code of Recipes.md in Weir.docc, word for word, with `Recipes+Calls.swift`, `Recipes+Flow.swift` and
/// `Recipes+Upstream.swift`: `RecipesTests` checks that, and what it does.
struct Recipes {
  struct Request: Sendable, Equatable {
    var id = 0
    var session = ""
    var urgency = 0
  }
  struct Visit: Sendable, Equatable {
    var session: String
    var requests: Int
  }
  struct Reply: Sendable, Equatable { var id: Int }
  struct Quote: Sendable, Equatable {
    var price: Int
    static let unknown = Quote(price: -1)
  }
  struct Tick: Sendable, Equatable {
    var symbol: String
    var price: Int
  }
  struct Book: Sendable {
    var symbol: String
    var ticks: Signal<Tick, Never>
  }
  struct Reading: Sendable {
    var second: Int
    var value: Int
  }
  struct Total: Sendable, Equatable {
    var start: Int
    var sum: Int
  }
  struct Row: Sendable, Hashable {
    var number: Int
    var bytes = 0
  }
  struct Page: Sendable, Hashable {
    var number = 0
    var rows: [Row] = []
    var next: String?
  }
  struct TooSlow: Error {}
  struct Booking: Sendable {
    var account: String
    var number: Int
  }
  protocol Database: Actor { func insert(_ rows: [Row]) async throws }
  struct Settings: Sendable {
    var address: String
    var isVerbose = false
  }

  func visits(_ requests: Signal<Request, Never>, on scheduler: some TimedScheduler) -> Signal<Visit, Never> {
    requests
      .group(by: \.session, lifetime: .untilIdle(for: .seconds(300), on: scheduler))
      .flatMap { session in
        session
          .reduce(0) { count, _ in count + 1 }
          .map { Visit(session: session.key, requests: $0) }
      }
  }

  func enterInTurn(
    _ bookings: Signal<Booking, Never>, on scheduler: some TimedScheduler,
    enter: @escaping @Sendable (Booking) -> Signal<Void, Never>
  ) -> Signal<Void, Never> {
    .deferred {
      let entered = Subject<Booking, Never>()
      let changes =
        bookings
        .map { (booking: $0, running: 1) }
        .on(disposed: { entered.complete() })
        .merge(with: entered.map { (booking: $0, running: -1) })
      return
        changes
        .observe(on: scheduler)
        .group(
          by: \.booking.account,
          lifetime: .until { account in
            account
              .scan(0) { $0 + $1.running }
              .debounce(.seconds(60), on: scheduler)
              .filter { $0 == 0 }
          }
        )
        .flatMap { account in
          account
            .filter { $0.running > 0 }
            .flatMap(.concat) { change in
              enter(change.booking).on(disposed: { entered.send(change.booking) })
            }
        }
    }
  }

  func quote(
    _ request: Signal<Quote, any Error>, on scheduler: some TimedScheduler
  ) -> Signal<Quote, Never> {
    request
      .timeout(.deadline(.seconds(2)), on: scheduler)
      .take(first: 1)
      .retry(.upTo(3).backoff(from: .milliseconds(100), upTo: .seconds(2), on: scheduler))
      .catchAndReturn(.unknown)
  }

  func lasting(
    _ feed: Signal<Quote, any Error>, on scheduler: some TimedScheduler
  ) -> Signal<Quote, any Error> {
    feed
      .timeout(.idle(.seconds(30)), on: scheduler)
      .retry(
        .forever.backoff(from: .seconds(1), upTo: .seconds(60), on: scheduler)
          .resettingAfterRun(of: .seconds(60), on: scheduler))
  }

  func reply(
    to request: Request, in replies: Signal<Reply, any Error>, on scheduler: some TimedScheduler,
    send: @escaping @Sendable (Request) -> Void
  ) -> Signal<Reply, any Error> {
    let sending = Signal<Reply, any Error>.deferred {
      send(request)
      return .empty()
    }
    return
      replies
      .filter { $0.id == request.id }
      .merge(with: sending)
      .timeout(.deadline(.seconds(5)), on: scheduler)
      .take(first: 1)
  }

  func shared(_ quotes: Signal<Quote, Never>, on scheduler: some TimedScheduler) -> Signal<Quote, Never> {
    quotes.share(replay: 1, disconnecting: .after(.seconds(30), on: scheduler))
  }

  func cached(
    _ request: Signal<Quote, any Error>, on scheduler: some TimedScheduler
  ) -> Signal<Quote, any Error> {
    let time = Duration.seconds(30)
    return
      request
      .flatMap { quote in Signal.never().take(for: time, on: scheduler).startWith(quote) }
      .share(replay: 1, disconnecting: .after(time, on: scheduler))
      .take(first: 1)
  }

  final class QuoteCache: Sendable {
    private let known = MutableProperty<[String: Signal<Quote, any Error>]>([:])
    private let outdated = Subject<String?, Never>()
    private let scheduler: any TimedScheduler
    private let request: @Sendable (String) -> Signal<Quote, any Error>

    init(
      on scheduler: any TimedScheduler, request: @escaping @Sendable (String) -> Signal<Quote, any Error>
    ) {
      (self.scheduler, self.request) = (scheduler, request)
    }

    func quote(_ symbol: String) -> Signal<Quote, any Error> {
      if let quote = known.value[symbol] { return quote }
      return known.modify { known in
        let quote = known[symbol] ?? cached(symbol)
        known[symbol] = quote
        return quote
      }
    }

    /// For all symbols, if it is nil.
    func forget(_ symbol: String?) { outdated.send(symbol) }

    private func cached(_ symbol: String) -> Signal<Quote, any Error> {
      outdated
        .filter { $0 == nil || $0 == symbol }
        .startWith(nil)
        .setFailureType(to: (any Error).self)
        .flatMap(.latest) { [request] _ in request(symbol).map(Optional.some).startWith(nil) }
        .share(replay: 1, disconnecting: .after(.seconds(30), on: scheduler))
        .compactMap { $0 }
        .take(first: 1)
    }
  }

  func store(
    _ rows: Signal<Row, Never>, in database: some Database, on scheduler: some TimedScheduler
  ) -> Signal<Void, any Error> {
    rows
      .collect(count: 500, within: .milliseconds(200), on: scheduler)
      .setFailureType(to: (any Error).self)
      .flatMap(.concat(waiting: .bounded(20, onOverflow: .fail(TooSlow())))) { batch in
        .task { try await database.insert(batch) }
      }
  }

  func store(
    pipe rows: Signal<Row, any Error>, in database: some Database, on scheduler: some TimedScheduler
  ) -> Signal<Void, any Error> {
    .deferred {
      let places = DispatchSemaphore(value: 0)
      for _ in 0..<10_000 { places.signal() }
      return
        rows
        .doNext { _ in places.wait() }
        .on(disposed: { places.signal() })
        .collect(count: 500, within: .milliseconds(200), on: scheduler)
        .flatMap(.merge(limit: 4)) { batch in
          Signal.task { try await database.insert(batch) }
            .on(disposed: { for _ in batch { places.signal() } })
        }
    }
  }

  func store(
    lines: Signal<String, any Error>, account: @escaping @Sendable (String) -> Substring,
    parse: @escaping @Sendable (String) -> Row?, on workers: [SerialScheduler], in database: some Database,
    within scheduler: some TimedScheduler, until stop: Signal<Never, Never>
  ) -> Signal<Int, any Error> {
    .deferred {
      let places = DispatchSemaphore(value: 0)
      for _ in 0..<10_000 { places.signal() }
      return
        lines
        .take(until: stop)
        .doNext { _ in places.wait() }
        .on(disposed: { places.signal() })
        .partitioned(by: account, into: workers.count)
        .flatMap { partition in
          partition
            .observe(on: workers[partition.key])
            .compactMap { line in
              let row = parse(line)
              if row == nil { places.signal() }
              return row
            }
            .collect(count: 500, within: .milliseconds(200), on: scheduler)
            .flatMap(.concat) { batch in
              Signal.task { try await database.insert(batch) }
                .mapReplace(batch.count)
                .on(disposed: { for _ in batch { places.signal() } })
            }
        }
    }
  }

  func work<Messages: AsyncSequence & Sendable>(
    through messages: Messages, atATime limit: Int,
    handle: @escaping @Sendable (Messages.Element) async throws -> Void
  ) -> Signal<Void, any Error> where Messages.Element: Sendable {
    .task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        var free = limit
        for try await message in messages {
          group.addTask { try await handle(message) }
          free -= 1
          if free == 0, try await group.next() != nil { free += 1 }
        }
        try await group.waitForAll()
      }
    }
  }

  func answers(
    to requests: Signal<Request, Never>, ask: @escaping @Sendable (Request) -> Signal<Reply, any Error>
  ) -> Signal<Result<Reply, any Error>, Never> {
    requests.flatMap(.merge(limit: 3)) { request in
      ask(request).map { .success($0) }.catch { .just(.failure($0)) }
    }
  }

  func answers(
    inOrderOfUrgency requests: Signal<Request, Never>,
    ask: @escaping @Sendable (Request) -> Signal<Reply, Never>
  ) -> Signal<Reply, Never> {
    .deferred {
      let waiting = MutableProperty<[Request]>([])
      return
        requests
        .doNext { request in
          waiting.modify { waiting in
            let place = waiting.firstIndex { $0.urgency >= request.urgency }
            waiting.insert(request, at: place ?? waiting.endIndex)
          }
        }
        .flatMap(.merge(limit: 3)) { _ in ask(waiting.modify { $0.removeLast() }) }
    }
  }

  func serve(
    _ quotes: Signal<Quote, Never>, on connection: some Scheduler, dropped: DropCounter,
    write: @escaping @Sendable (Quote) -> Void
  ) -> Subscription {
    quotes
      .observe(on: connection, waiting: .bounded(1_000, onOverflow: .dropOldest, countingIn: dropped))
      .subscribe { write($0) }
  }

  func books(of ticks: Signal<Tick, Never>) -> Signal<Book, Never> {
    ticks
      .group(by: \.symbol)
      .map { Book(symbol: $0.key, ticks: $0.replayLast()) }
      .replay()
  }

  func serveLatest(
    of books: Signal<Book, Never>, on connection: some Scheduler, write: @escaping @Sendable (Tick) -> Void
  ) -> Subscription {
    books
      .flatMap { book in
        book.ticks.observe(on: connection, waiting: .bounded(1, onOverflow: .dropOldest))
      }
      .subscribe { write($0) }
  }

  func serveLatest(
    of books: Signal<Book, Never>, write: @escaping @Sendable (Tick) -> Signal<Void, Never>
  ) -> Subscription {
    books
      .flatMap { book in
        let waiting = MutableProperty<Tick?>(nil)
        return book.ticks.filter { waiting.swap($0) == nil }.map { _ in waiting }
      }
      .flatMap(.concat) { waiting in waiting.swap(nil).map(write) ?? .empty() }
      .subscribe()
  }

  func book(
    _ bookings: Signal<Booking, Never>, on workers: [SerialScheduler],
    enter: @escaping @Sendable (Booking) -> Void
  ) -> Subscription {
    bookings.partitioned(by: \.account, into: workers.count).subscribe { partition in
      partition.observe(on: workers[partition.key]).subscribe { enter($0) }
    }
  }

  func lines(
    of settings: MutableProperty<Settings>,
    connect: @escaping @Sendable (String) -> Signal<String, Never>
  ) -> Signal<String, Never> {
    settings.map(\.address).distinctUntilChanged().signal.flatMap(.latest) { connect($0) }
  }

  func perSecond(
    _ requests: Signal<Request, Never>, on scheduler: some TimedScheduler
  ) -> Signal<Int, Never> {
    requests
      .scan(0) { count, _ in count + 1 }
      .startWith(0)
      .sample(every: .seconds(1), on: scheduler)
      .combinePrevious(0)
      .map { $0.current - $0.previous }
  }
}
