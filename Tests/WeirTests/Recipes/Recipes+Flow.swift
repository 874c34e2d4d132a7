// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Synchronization
import Weir

/// The code of Recipes.md that admits, pauses, divides or ends what flows.
extension Recipes {
  struct Busy: Error {}

  final class Gate: Sendable {
    private let calls = Subject<Signal<Never, Never>, Never>()

    init(limit: Int) { calls.flatMap(.merge(limit: limit)) { $0 }.subscribe() }

    func admit<Value: Sendable, Failure>(_ work: Signal<Value, Failure>) -> Signal<Value, Failure> {
      .create { [calls] caller in
        calls.send(
          .create { place in
            Signal<Value, Failure>
              .using(resource: { ActionDisposable { place.complete() } }, signal: { _ in work })
              .forward(to: caller)
            return nil
          })
        return nil
      }
    }
  }

  typealias Receipt = String

  func admit<Value: Sendable>(
    _ work: Signal<Value, any Error>, by gate: Gate, within time: Duration, on scheduler: some TimedScheduler
  ) -> Signal<Value, any Error> {
    .deferred {
      let (isDecided, admitted) = (MutableProperty(false), Subject<Never, Never>())
      let refused = Signal<Value, any Error>.deferred { isDecided.swap(true) ? .empty() : .fail(Busy()) }
      let admittedWork = Signal<Value, any Error>.deferred {
        if isDecided.swap(true) { return .empty() }
        admitted.complete()
        return work
      }
      return refused.delaySubscription(time, on: scheduler).take(until: admitted)
        .merge(with: gate.admit(admittedWork))
    }
  }

  final class Runner: Sendable {
    private struct Job: Sendable {
      let ticket: Int
      let tenant: String
      let start: @Sendable () -> Void
    }
    private struct State: Sendable {
      var running: [Int: String] = [:]
      var waiting: [Job] = []
    }
    private let state = MutableProperty(State())
    private let ready = Subject<Job, Never>()
    private let tickets = Atomic(0)
    private let limit: Int
    private let limitForTenant: Int

    init(limit: Int, forEachTenant limitForTenant: Int) {
      (self.limit, self.limitForTenant) = (limit, limitForTenant)
      ready.subscribe { $0.start() }
    }

    func run<Value: Sendable, Failure>(
      _ work: Signal<Value, Failure>, for tenant: String
    ) -> Signal<Value, Failure> {
      .create { [self] caller in
        let ticket = tickets.add(1, ordering: .relaxed).newValue
        let job = Job(ticket: ticket, tenant: tenant) {
          let place = ActionDisposable { self.update { $0.running[ticket] = nil } }
          Signal<Value, Failure>.using(resource: { place }, signal: { _ in work }).forward(to: caller)
        }
        update { $0.waiting.append(job) }
        return ActionDisposable { self.update { $0.waiting.removeAll { $0.ticket == ticket } } }
      }
    }

    private func update(_ change: (inout State) -> Void) {
      let jobs = state.modify { state in
        change(&state)
        return jobsToStart(&state)
      }
      for job in jobs { ready.send(job) }
    }

    private func jobsToStart(_ state: inout State) -> [Job] {
      var jobs: [Job] = []
      while state.running.count < limit {
        let counts = Dictionary(state.running.values.map { ($0, 1) }, uniquingKeysWith: +)
        let index = state.waiting.firstIndex { counts[$0.tenant, default: 0] < limitForTenant }
        guard let index else { break }
        let job = state.waiting.remove(at: index)
        state.running[job.ticket] = job.tenant
        // The next turn of this tenant comes after those of all others.
        state.waiting =
          state.waiting.filter { $0.tenant != job.tenant } + state.waiting.filter { $0.tenant == job.tenant }
        jobs.append(job)
      }
      return jobs
    }
  }

  func inOrder(_ receipts: Signal<(number: Int, receipt: Receipt), Never>) -> Signal<Receipt, Never> {
    receipts
      .scan(into: (next: 0, early: [Int: Receipt](), ready: [Receipt]())) { state, arrival in
        state.early[arrival.number] = arrival.receipt
        state.ready = []
        while let receipt = state.early.removeValue(forKey: state.next) {
          state.ready.append(receipt)
          state.next += 1
        }
      }
      .map(\.ready)
      .joined()
  }

  func paced(
    _ bookings: Signal<Booking, Never>, atMost limit: Int, within interval: Duration,
    on scheduler: some TimedScheduler
  ) -> Signal<Booking, Never> {
    bookings.flatMap(.merge(limit: limit)) { booking in
      Signal.never().take(for: interval, on: scheduler).startWith(booking)
    }
  }

  func metered(
    _ rows: Signal<Row, Never>, bytesPerSecond rate: Int, burst: Int, on scheduler: some TimedScheduler
  ) -> Signal<Row, Never> {
    .deferred {
      let start = scheduler.clock.now
      let fullAt = MutableProperty(Duration.zero)
      return rows.flatMap(.concat) { row in
        let now = start.duration(to: scheduler.clock.now)
        let full = max(fullAt.value, now) + .seconds(row.bytes) / rate
        fullAt.value = full
        let wait = full - .seconds(burst) / rate - now
        return wait > .zero ? Signal.just(row).delay(wait, on: scheduler) : .just(row)
      }
    }
  }

  func pausing(
    _ quotes: Signal<Quote, Never>, while isPaused: MutableProperty<Bool>
  ) -> Signal<Quote, Never> {
    isPaused.signal
      .combineLatest(with: quotes.enumerated())
      .filter { !$0.0 }
      .distinctUntilKeyChanged { $0.1.offset }
      .map { $0.1.element }
  }

  func holding(
    _ bookings: Signal<Booking, Never>, while isPaused: MutableProperty<Bool>
  ) -> Signal<Booking, Never> {
    let resumed = isPaused.signal.filter { !$0 }.take(first: 1)
    return bookings.flatMap(.concat) { booking in resumed.then { .just(booking) } }
  }

  func batches(_ rows: Signal<Row, Never>, closedBy boundary: Signal<Void, Never>) -> Signal<[Row], Never> {
    rows
      .group(by: { _ in 0 }, lifetime: .until { _ in boundary })
      .flatMap { $0.collect() }
  }

  func batches(
    _ rows: Signal<Row, Never>, of bytes: Int, within time: Duration, on scheduler: some TimedScheduler
  ) -> Signal<[Row], Never> {
    rows
      .group(
        by: { _ in 0 },
        lifetime: .until { batch in
          let isFull = batch.scan(0) { $0 + $1.bytes }.filter { $0 >= bytes }
          return isFull.mapReplace(()).merge(with: .ticks(every: time, on: scheduler))
        }
      )
      .flatMap { $0.collect() }
  }

  func batches(
    _ rows: Signal<Row, Never>, upTo bytes: Int, within time: Duration, on scheduler: some TimedScheduler
  ) -> Signal<[Row], Never> {
    .deferred {
      let opened = Subject<Void, Never>()
      let timeIsUp = opened.flatMap(.latest) {
        Signal.just(Row?.none).delay(time, on: scheduler).take(until: opened.ignoreValues())
      }
      return
        rows
        .map(Optional.some)
        .append(nil)
        .on(disposed: { opened.complete() })
        .merge(with: timeIsUp)
        .scan(into: (open: [Row](), bytes: 0, sent: [Row]())) { batch, row in
          let fits = row.map { batch.bytes + $0.bytes <= bytes } ?? false
          if fits { batch.sent = [] } else { batch = ([], 0, batch.open) }
          guard let row else { return }
          if batch.open.isEmpty { opened.send() }
          batch.open.append(row)
          batch.bytes += row.bytes
        }
        .map(\.sent)
        .filter { !$0.isEmpty }
    }
  }

  final class Intake<Work: Sendable>: Sendable {
    let accepted = Subject<Work, Never>()
    /// How many calls of `submit` are under way; negative once it is closed.
    private let state = Atomic(0)

    /// Sends the work, and returns true; false if it is closed.
    func submit(_ work: Work) -> Bool {
      let isOpen = state.add(1, ordering: .acquiringAndReleasing).newValue > 0
      if isOpen { accepted.send(work) }
      completeIfDone(state.subtract(1, ordering: .acquiringAndReleasing).newValue)
      return isOpen
    }

    func close() {
      completeIfDone(state.bitwiseOr(.min, ordering: .acquiringAndReleasing).newValue)
    }

    private func completeIfDone(_ state: Int) {
      if state == .min { accepted.complete() }
    }
  }

  func totals(
    _ readings: Signal<Reading, Never>, every length: Int, lateBy allowance: Int
  ) -> Signal<Total, Never> {
    .deferred {
      let firstOpen = MutableProperty(0)
      return
        readings
        .doNext { reading in
          let window = (reading.second - allowance) / length
          if window > firstOpen.value { firstOpen.value = window }
        }
        .group(
          by: { $0.second / length },
          lifetime: .until { window in firstOpen.signal.filter { $0 > window.key } }
        )
        .flatMap { window in
          window.reduce(0) { $0 + $1.value }.map { Total(start: window.key * length, sum: $0) }
        }
    }
  }

  func totals(inOrder readings: Signal<Reading, Never>, every length: Int) -> Signal<Total, Never> {
    readings
      .map(Optional.some)
      .append(nil)
      .scan(into: (open: Total?.none, sent: Total?.none)) { totals, reading in
        totals.sent = nil
        let start = reading.map { $0.second / length * length }
        if totals.open?.start != start { swap(&totals.sent, &totals.open) }
        guard let reading, let start else { return }
        totals.open = Total(start: start, sum: (totals.open?.sum ?? 0) + reading.value)
      }
      .compactMap { $0.sent }
  }

  func crawl(
    from seeds: [Page], atATime limit: Int, links: @escaping @Sendable (Page) async -> [Page]
  ) -> Signal<Page, Never> {
    .deferred {
      let found = Subject<[Page], Never>()
      let start = Signal<[Page], Never>.deferred {
        found.send(seeds)
        return .empty()
      }
      return
        found
        .merge(with: start)
        .scan(into: (seen: Set<Page>(), new: [Page](), open: 1)) { state, pages in
          state.new = pages.filter { state.seen.insert($0).inserted }
          state.open += state.new.count - 1
        }
        .take(until: { $0.open == 0 }, boundary: .included)
        .flatMap { Signal($0.new) }
        .flatMap(.merge(limit: limit)) { page in
          Signal.task { await links(page) }.doNext { found.send($0) }.mapReplace(page)
        }
    }
  }

  func start(
    _ quotes: Signal<Quote, Never>, on writer: SerialScheduler,
    store: @escaping @Sendable (Quote) -> Void
  ) -> Subject<Quote, Never> {
    let stored = Subject<Quote, Never>()
    quotes.observe(on: writer).doNext { store($0) }.forward(to: stored)
    return stored
  }

  func stop(
    _ quotes: Subject<Quote, Never>, _ stored: Subject<Quote, Never>, on writer: SerialScheduler,
    within limit: Duration
  ) async -> Bool {
    quotes.complete()
    let end = stored.setFailureType(to: (any Error).self).timeout(.deadline(limit), on: .pool)
    let isStored = (try? await end.completion()) == true
    let report = await writer.shutdown(within: limit)
    return isStored && report.isComplete
  }

  func publishing<Value: Sendable, Output, Failure>(
    _ source: Signal<Value, Failure>,
    to body: @escaping @Sendable (Signal<Value, Failure>) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> {
    .create { observer in
      let isOver = Subject<Never, Never>()
      let connection = source.on(disposed: { _ = isOver }).take(until: isOver).publish()
      let result = body(connection.signal)
        .on(disposed: { [weak isOver] in isOver?.complete() })
        .forward(to: observer)
      connection.connect()
      return result
    }
  }
}
