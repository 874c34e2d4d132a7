// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// The examples of README.md and Weir.docc, so that they compile and do what they say.
struct DocumentationTests {
  struct Order: Sendable {
    var symbol: String
    var amount: Int
  }

  @Test("README example: values that are filtered and mapped")
  func readme() {
    let printed = Box<[String]>([])
    let orders = Subject<Order, Never>()
    let subscription =
      orders
      .filter { $0.amount > 100 }
      .map(\.symbol)
      .subscribe { printed.value.append($0) }

    orders.send(Order(symbol: "SMALL", amount: 1))
    orders.send(Order(symbol: "LARGE", amount: 101))
    orders.complete()
    subscription.dispose()
    #expect(printed.value == ["LARGE"])
    #expect(subscription.isDisposed)
  }

  @Test("README example: properties, replay, sharing and commands")
  func readmeState() {
    let printed = Box<[String]>([])
    let feed = Subject<Int, Oops>()
    let order = Order(symbol: "A", amount: 1)

    let isOnline = MutableProperty(true)
    let limit = MutableProperty(100)
    let recent = ReplaySubject<Order, Never>(capacity: 16)
    let prices = feed.share(replay: 1)
    let save = Command(enabledIf: isOnline) { (_: Order) in Signal<Int, Oops>.fail(Oops(code: 1)) }

    limit.signal.subscribe { printed.value.append("limit \($0)") }
    save.errors.subscribe { printed.value.append("not saved: \($0.code)") }
    save.execute(order)
    limit.value = 200
    recent.send(order)
    recent.signal.subscribe { printed.value.append("recent \($0.symbol)") }
    for _ in 0..<2 { prices.subscribe(next: { printed.value.append("price \($0)") }, failed: { _ in }) }
    feed.send(7)
    #expect(printed.value == ["limit 100", "not saved: 1", "limit 200", "recent A", "price 7", "price 7"])
  }

  @Test("README example: threads and time")
  func readmeTime() async {
    struct Silence: Error {}
    let stored = Box<[[Int]]>([])
    let store = { @Sendable (batch: [Int]) in stored.value.append(batch) }
    let readings = Subject<Int, Silence>()

    let writer = SerialScheduler()
    let storing =
      readings
      .collect(within: .milliseconds(100), on: .pool)
      .timeout(.idle(.seconds(3_600)), on: .pool, failing: Silence())
      .observe(on: writer)
      .subscribe(next: { store($0) }, failed: { print("no readings:", $0) })

    readings.send(1)
    readings.complete()
    // The README waits for 30 seconds, twice; a machine may be busy for longer.
    let report = await writer.shutdown(within: .seconds(3_600))
    #expect(report.isComplete && storing.isDisposed && stored.value == [[1]])
  }

  @Test("README example: retry and catch; setting a handler for unhandled errors compiles")
  func readmeErrors() {
    let (runs, shown) = (Counter(), Box<[Int]>([]))
    let request = Signal<Int, Oops>.deferred { .fail(Oops(code: runs.add())) }
    request.subscribe(next: { shown.value.append($0) }, failed: { shown.value.append(-$0.code) })
    let quotes = request.retry(upTo: 2).catchAndReturn(-100)
    let other = request.catch { _ in Signal<Int, Never>.just(7) }
    #expect(Recorder(quotes).values == [-100])
    #expect(Recorder(other).values == [7])
    #expect((runs.value, shown.value) == (5, [0]))
    // The handler is for the whole process, so this is compiled only.
    _ = { UnhandledErrors.setHandler { print("\($0.error) at \($0.fileID):\($0.line)") } }
  }

  private actor Ledger {
    struct Receipt: Sendable { let id: Int }
    private(set) var stored: [Int] = []
    func store(_ order: Order) throws -> Receipt {
      stored.append(order.amount)
      return Receipt(id: order.amount)
    }
  }

  @Test("README example: tasks; a shared run with two subscribers stores each order once")
  func readmeTasks() async throws {
    let (database, id) = (Ledger(), 2)
    let shown = Counter()
    for await _ in Signal<Int, Never>([1, 2, 3]).values() { shown.add() }
    #expect(shown.value == 3)

    let (orders, done) = (Subject<Order, Never>(), Subject<Never, Never>())
    let receipts = orders.setFailureType(to: (any Error).self)
      .flatMap(.merge(limit: 8)) { order in .task { try await database.store(order) } }
      .share()
    receipts.subscribe(
      next: { _ in }, failed: { print("not stored:", $0) }, completed: { done.complete() })
    // Sent only once the task has subscribed, too: merge subscribes to the receipts first.
    let sending = Signal<Ledger.Receipt, any Error>.deferred {
      for number in 1...3 { orders.send(Order(symbol: "A", amount: number)) }
      return .empty()
    }
    let reply = try await receipts.filter { $0.id == id }.merge(with: sending).firstValue()
    #expect(reply?.id == 2)
    orders.complete()
    await done.completion()
    #expect(await database.stored.sorted() == [1, 2, 3])

    let save = Command(enabledIf: MutableProperty(true).signal) { (order: Order) in
      .task { try await database.store(order) }
    }
    #expect(try await save.run(Order(symbol: "A", amount: 4))?.id == 4)
  }

  @Test("README example: a test in virtual time")
  func readmeTesting() throws {
    let scheduler = VirtualScheduler()
    let source = try ColdSignal<Int, Never>("12--3-|", on: scheduler)
    let recorder = TimedRecorder(source.debounce(.seconds(2), on: scheduler), on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: "---2--(3|)") == nil)
  }

  @Test("documentation example: Resources")
  func resources() {
    let subject = Subject<Int, Never>()
    let resources = Resources()
    let subscription = subject.subscribe { [token = resources.make()] _ in _ = token }
    #expect(resources.alive == 1)
    subscription.dispose()
    #expect(resources.alive == 0)
  }

  @Test("documentation example: Command")
  func command() {
    let printed = Box<[String]>([])
    let isOnline = CurrentValue<Bool, Never>(true)
    let save = Command(enabledIf: isOnline) { (order: Order) in
      order.amount > 0 ? Signal<Int, Oops>.just(order.amount) : Signal.fail(Oops(code: 1))
    }
    save.executing.subscribe { printed.value.append($0 ? "saving" : "idle") }
    save.errors.subscribe { printed.value.append("not saved: \($0.code)") }
    save.execute(Order(symbol: "FIRST", amount: 1))
    save.execute(Order(symbol: "NONE", amount: 0))
    isOnline.send(false)
    save.execute(Order(symbol: "LATE", amount: 1))
    #expect(printed.value == ["idle", "saving", "idle", "saving", "not saved: 1", "idle"])
  }

  enum ReadError: Error { case busy, forbidden }

  @Test("documentation example: RetryPolicy")
  func retryPolicy() {
    let paused = Box<[Int]>([])
    @Sendable func pause(_ attempt: Int) -> Signal<Void, Never> {
      paused.value.append(attempt)
      return .just(())
    }
    let policy = RetryPolicy<ReadError>.upTo(5)
      .givingUp { error, _ in error == .forbidden }
      .delayed { _, attempt in pause(attempt) }
    let runs = Counter()
    let reading = Signal<Int, ReadError>.deferred { .fail(runs.add() < 2 ? .busy : .forbidden) }
    #expect(Recorder(reading.retry(policy)).events == [.failed(.forbidden)])
    #expect(paused.value == [1, 2])
  }

  struct Refusal: Error { let retryAfter: Duration? }

  @Test("documentation example: a delay that an error may name")
  func retryAfter() {
    let scheduler = VirtualScheduler()
    let policy = RetryPolicy<Refusal>.upTo(3)
      .backoff(from: .seconds(1), upTo: .seconds(30), on: scheduler)
      .delayed { refusal, _ in refusal.retryAfter.map { Signal.timer(after: $0, on: scheduler) } }
    let started = Box<[Duration]>([])
    let request = Signal<Int, Refusal>.deferred {
      started.value.append(scheduler.clock.now.elapsed)
      return .fail(Refusal(retryAfter: started.value.count == 1 ? .seconds(40) : nil))
    }
    let recorder = Recorder(request.retry(policy).catchAndReturn(0))
    scheduler.run()
    #expect(recorder.values == [0])
    #expect(started.value.count == 4)
    #expect(started.value[1] == .seconds(40))
    #expect(started.value[3] <= .seconds(46))
  }

  @Test("documentation example: generate")
  func generate() {
    let powers = Signal<Int, Never>.generate(1, while: { $0 < 100 }, next: { $0 * 2 }, result: { $0 })
    #expect(Recorder(powers).values == [1, 2, 4, 8, 16, 32, 64])
  }

  @Test("documentation examples: LazyList")
  func lazyLists() {
    let squares = LazyList.generate(1, while: { _ in true }, next: { $0 + 1 }, result: { $0 * $0 })
    let odd = squares.filter { $0 % 2 == 1 }
    #expect(Array(odd.take(first: 3)) == [1, 9, 25])
    #expect("\(squares)" == "[1, 4, 9, 16, 25, …]")

    @Sendable func numbers(from start: Int) -> LazyList<Int> {
      LazyList(head: { start }, tail: { numbers(from: start + 1) })
    }
    let isThereALargeOne = numbers(from: 1).reduceRight(false) { number, rest in number > 100 || rest() }
    #expect(isThereALargeOne)
    let powers = LazyList.generate(1, while: { $0 < 100 }, next: { $0 * 2 }, result: { $0 })
    #expect(Array(powers) == [1, 2, 4, 8, 16, 32, 64])
  }

  @Test(
    "article examples: explicit types at the head of a chain; closures that name the elements of a tuple"
  )
  func articles() {
    let signals = [Signal<Int, ReadError>([1, 2]), Signal([3])]
    #expect(Recorder(Signal<Int, ReadError>.merge(signals).map { $0 + 1 }).values == [2, 3, 4])
    let pairs = Signal<Int, ReadError>([1, 2]).zip(with: Signal<String, ReadError>(["a", "b"]))
    #expect(Recorder(pairs.map { x, y in "\(x)\(y)" }).values == ["1a", "2b"])
    #expect(Recorder(pairs.reduceEach { x, y in "\(y)\(x)" }).values == ["a1", "b2"])
  }

  @Test("article on operators: signals that poll and that wait for a condition, for many rounds")
  func nesting() {
    let (scheduler, asked, reads) = (VirtualScheduler(), Counter(), Counter())
    let waits = Box(false)
    @Sendable func isReady() -> Signal<Bool, ReadError> { .deferred { .just(asked.add() % 9_999 == 9_998) } }
    @Sendable func pause() -> Signal<Void, ReadError> {
      waits.value ? Signal.just(()).delay(.seconds(1), on: scheduler) : .just(())
    }
    @Sendable func read() -> Signal<Int, ReadError> { .deferred { .just(reads.add()) } }
    @Sendable func poll() -> Signal<Int, ReadError> { read().concat(Signal.deferred { poll() }) }
    @Sendable func wait() -> Signal<Int, ReadError> {
      isReady().concat(pause().then { .empty() }).repeat().filter { $0 }.take(first: 1).then { read() }
    }
    #expect(Recorder(poll().take(first: 9_999).count()).values == [9_999])
    let fast = Recorder(wait())
    waits.value = true
    let slow = Recorder(wait())
    scheduler.run()
    #expect(fast.values + slow.values == [9_999, 10_000] && asked.value == 2 * 9_999)
  }

  @Test("article on threads and time: batches stored on a serial scheduler")
  func scheduling() async {
    let stored = Box<[[Double]]>([])
    let store = { @Sendable (batch: [Double]) in stored.value.append(batch) }

    let readings = Subject<Double, Never>()
    let writer = SerialScheduler()
    let subscription =
      readings
      .collect(within: .milliseconds(100), on: .pool)
      .observe(on: writer)
      .subscribe { batch in store(batch) }
    readings.send(1)
    readings.send(2)
    readings.complete()

    // A machine may be busy for longer than the time of a batch.
    let report = await writer.shutdown(within: .seconds(3_600))
    #expect(stored.value.flatMap(\.self) == [1, 2])
    #expect(subscription.isDisposed && report.isComplete)
  }

  @Test("article on threads and time: a pool whose thread spins")
  func spinning() {
    let (quotes, done, reactions) = (Subject<Int, Never>(), Door(), Box<[Int]>([]))
    @Sendable func react(_ quote: Int) {
      reactions.value.append(quote)
      if quote == 2 { done.open() }
    }
    let trading = WorkerPool(threads: 1, idling: .spinning, name: "trading")
    let subscription = quotes.observe(on: trading).subscribe { quote in react(quote) }
    for quote in 0..<3 { quotes.send(quote) }
    done.pass()
    subscription.dispose()
    #expect(reactions.value == [0, 1, 2])
  }

  @Test("article on threads and time: a custom scheduler")
  func ownScheduler() {
    final class Frames: Sendable {
      let next = Box<[@Sendable () -> Void]>([])
      func onNext(_ action: @escaping @Sendable () -> Void) { next.value.append(action) }
    }
    final class FrameScheduler: TimedScheduler {
      private let frames: Frames
      init(_ frames: Frames) { self.frames = frames }
      func enqueue(_ work: any ScheduledWork) {
        frames.onNext { self.performAsCurrent { work.run() } }
      }
    }
    let (frames, drawn) = (Frames(), Box(0))
    let scheduler = FrameScheduler(frames)
    scheduler.schedule { if scheduler.isCurrent { drawn.value += 1 } }
    #expect(drawn.value == 0)
    for action in frames.next.value { action() }
    #expect(drawn.value == 1)
  }

  enum StoreError: Error { case full }
  actor Database {
    private(set) var stored: [Int] = []
    func store(_ order: Order) throws(StoreError) -> Int {
      if order.amount > 1_000 { throw .full }
      stored.append(order.amount)
      return stored.count
    }
    func insert(_ batch: [Order]) { stored += batch.map(\.amount) }
  }

  @Test("article on tasks: values as async sequences, tasks as signals")
  func tasks() async throws {
    let (database, index) = (Database(), Database())
    let list = [1, 2, 3].map { Order(symbol: "A", amount: $0) }
    let orders = Signal<Order, any Error>(list)
    let replies = Signal<Order, any Error>(list)

    for try await order in orders.values() {
      _ = try await database.store(order)
    }
    var iterator = orders.values().makeAsyncIterator()
    let storing = Task { while let order = try await iterator.next() { _ = try await database.store(order) } }
    try await storing.value
    let latest = orders.values(waiting: .bounded(1, onOverflow: .dropOldest))
    for try await order in latest { #expect(order.amount == 3) }
    for try await batch in orders.values().chunks {
      await index.insert(batch)
    }
    let reply = try await replies.filter { $0.amount == 2 }.firstValue()
    #expect(reply?.amount == 2)

    let receipts = orders.flatMap(.merge(limit: 8)) { order in
      .task { try await database.store(order) }
    }
    #expect(try await receipts.allValues().count == 3)
    #expect(await database.stored.count == 9)
    #expect(await index.stored == [1, 2, 3])
    let typed = Signal<Order, StoreError>([Order(symbol: "B", amount: 2_000)]).flatMap { order in
      .task { () async throws(StoreError) in try await database.store(order) }
    }
    await #expect(throws: StoreError.full) { try await typed.completion() }
  }

  @Test("article on production: metrics for subscribers and dropped values")
  func metrics() {
    let connection = VirtualScheduler()
    let (quotes, dropped) = (Subject<Int, Never>(), DropCounter())
    let slow = quotes.named("quotes to clients")
      .observe(on: connection, waiting: .bounded(1_000, onOverflow: .dropOldest, countingIn: dropped))
    let subscription = slow.subscribe { _ in }
    for quote in 0..<1_003 { quotes.send(quote) }
    #expect((quotes.subscriberCount, dropped.count) == (1, 3))
    subscription.dispose()
    // The handler is for the whole process, so this is compiled only.
    _ = {
      UnhandledErrors.setHandler { report in
        print("\(report.name ?? "a signal"): \(report.error), at \(report.fileID):\(report.line)")
      }
    }
  }

  private actor Account {
    private(set) var total = 0

    func listen(to amounts: Signal<Int, Never>, _ done: Subject<Never, Never>) -> Subscription {
      amounts.observe(on: SerialScheduler(isolatedTo: self)).subscribe(
        next: { amount in self.assumeIsolated { $0.total += amount } }, completed: { done.complete() })
    }
  }

  @Test("article on tasks: an actor receives values in its own isolation")
  func isolated() async {
    let (amounts, done) = (Subject<Int, Never>(), Subject<Never, Never>())
    let account = Account()
    let subscription = await account.listen(to: amounts.signal, done)
    for amount in 1...3 { amounts.send(amount) }
    amounts.complete()
    await done.completion()
    #expect(await account.total == 6)
    #expect(subscription.isDisposed)
  }
}
