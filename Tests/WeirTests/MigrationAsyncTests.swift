// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Migration.md says of operators of Combine with other edges and ends, of arrays of neighbours, and of
/// functions of asynchronous sequences.
struct MigrationAsyncTests {
  private typealias Numbers = Signal<Int, TestFailure>

  /// Expects that what `make` returns sends the events of one diagram, of a hot source with those of another.
  private func expect(
    _ expected: String, from events: String, at location: SourceLocation = #_sourceLocation,
    _ make: (Numbers, VirtualScheduler) throws -> Numbers
  ) throws {
    let scheduler = VirtualScheduler()
    let source = try HotSignal<Int, TestFailure>(events, on: scheduler)
    let recorder = TimedRecorder(try make(source.signal, scheduler), on: scheduler)
    scheduler.run()
    #expect(recorder.difference(from: expected) == nil, sourceLocation: location)
    #expect(scheduler.waitingCount == 0, sourceLocation: location)
  }

  @Test(
    "throttle: the first value of an interval and the last, or only the first; a failure drops the last",
    arguments: [
      (RateLimitEdge.both, "1---23--------|", "1-----3-------|"),
      (.leading, "1---23--------|", "1-------------|"),
      (.both, "1---23-|", "1-----3|"), (.both, "1---2|", "1----(2|)"), (.both, "1---2#", "1----#"),
    ])
  func throttle(edge: RateLimitEdge, source: String, expected: String) throws {
    try expect(expected, from: source) { $0.rateLimit(to: .seconds(6), on: $1, edge: edge) }
  }

  @Test(
    "Combine's throttle with `latest: false`: the first value that comes too early is sent after the interval",
    arguments: [
      ("1---23--------|", "1-----2-------|"), ("1---23--4-----|", "1-----2-----4-----|"),
      ("1------2-----------3|", "1------2-----------3-----|"), ("1---2|", "1-----2-----|"),
      ("1---2#", "1----#"),
    ])
  func throttleFirst(source: String, expected: String) throws {
    let interval = Duration.seconds(6)
    try expect(expected, from: source) { source, scheduler in
      source.flatMap(.concat(waiting: .bounded(1, onOverflow: .dropNewest))) {
        .just($0).concat(.empty().delay(interval, on: scheduler))
      }
    }
  }

  @Test("Combine's delay: the failure comes behind the values; delay drops them, and fails at once")
  func delayedFailure() throws {
    let time = Duration.seconds(4)
    for (source, expected) in [("12-#", "----12-#"), ("12-|", "----12-|"), ("#", "----#")] {
      try expect(expected, from: source) { source, scheduler in
        source.materialize().delay(time, on: scheduler).dematerialize()
      }
    }
    try expect("---#", from: "12-#") { $0.delay(time, on: $1) }
  }

  @Test("Combine's debounce: the completion drops the pending value; debounce sends it")
  func debounce() throws {
    let time = Duration.seconds(3)
    for (source, expected) in [("12---3|", "----2-|"), ("12----|", "----2-|"), ("12#", "--#")] {
      try expect(expected, from: source) { source, scheduler in
        source.map(Optional.some).append(nil).debounce(time, on: scheduler).compactMap { $0 }
      }
    }
    try expect("----2-(3|)", from: "12---3|") { $0.debounce(time, on: $1) }
  }

  @Test(
    "skip(until:): a trigger that completes without a value opens it; with never() behind, it stays closed")
  func triggerWithoutValue() throws {
    try expect("-234-|", from: "1234-|") { source, scheduler in
      source.skip(until: Signal<Int, Never>.empty().delay(.milliseconds(500), on: scheduler))
    }
    try expect("-----|", from: "1234-|") { source, scheduler in
      let trigger = Signal<Int, Never>.empty().delay(.milliseconds(500), on: scheduler)
      return source.skip(until: trigger.concat(Signal.never()))
    }
  }

  // MARK: Arrays that end before a value

  private struct Reading: Sendable {
    let hour: Int?
    let value: Int
  }

  @Test(
    "chunked(on:): an array is sent when a value with another key has come, and the last at the completion")
  func arraysOfNeighbours() {
    let readings = Subject<Reading, TestFailure>()
    let arrays =
      readings.map(Optional.some).append(nil)
      .scan(into: (open: [Reading](), sent: [Reading]())) { arrays, reading in
        arrays.sent = []
        if reading == nil || reading?.hour != arrays.open.last?.hour { swap(&arrays.open, &arrays.sent) }
        if let reading { arrays.open.append(reading) }
      }
      .map { $0.sent }
      .filter { !$0.isEmpty }
    let recorder = Recorder(arrays.map { $0.map(\.value) })
    for (hour, value) in [(1, 10), (1, 11), (2, 20), (1, 12)] {
      readings.send(Reading(hour: hour, value: value))
    }
    #expect(recorder.values == [[10, 11], [20]])
    // A key may be nil, as the end marker is.
    readings.send(Reading(hour: nil, value: 30))
    readings.send(Reading(hour: nil, value: 31))
    readings.complete()
    #expect(recorder.values == [[10, 11], [20], [12], [30, 31]] && recorder.completion == .completed)
  }

  @Test("chunked(by:), collect { values, next in … }: a closure says whether a value begins another array")
  func arraysByClosure() {
    func arrays(
      _ values: Signal<Int, TestFailure>, _ isOver: @escaping @Sendable ([Int], Int) -> Bool
    ) -> Recorder<[Int], TestFailure> {
      Recorder(
        values.map(Optional.some).append(nil)
          .scan(into: (open: [Int](), sent: [Int]())) { arrays, value in
            arrays.sent = []
            if value.map({ isOver(arrays.open, $0) }) ?? true { swap(&arrays.open, &arrays.sent) }
            if let value { arrays.open.append(value) }
          }
          .map { $0.sent }
          .filter { !$0.isEmpty })
    }
    let rising = { @Sendable (values: [Int], next: Int) in next < values.last ?? next }
    #expect(
      arrays(Signal([10, 20, 30, 10, 40, 40, 10, 20]), rising).values == [
        [10, 20, 30], [10, 40, 40], [10, 20],
      ])
    #expect(arrays(Signal([1, 2, 3, 4, 9]), { $0.reduce($1, +) > 6 }).values == [[1, 2, 3], [4], [9]])
    let failing = arrays(Signal([1, 2, 1, 5]).concat(.fail(TestFailure())), rising)
    #expect(failing.values == [[1, 2]] && failing.completion == .failed(TestFailure()))
    #expect(arrays(.empty(), rising).values.isEmpty)
  }

  // MARK: Asynchronous sequences

  @Test("interspersed(with:), reductions without an initial value")
  func separatorsAndReductions() {
    let (numbers, separator) = (Signal<Int, Never>([1, 2, 3]), 0)
    #expect(Recorder(numbers.map { [separator, $0] }.joined().skip(first: 1)).values == [1, 0, 2, 0, 3])
    let sums = numbers.scan(nil) { sum, next in sum.map { $0 + next } ?? next }.compactMap { $0 }
    #expect(Recorder(sums).values == [1, 3, 6])
  }

  @Test("flatMap of AsyncSequence is flatMap(.concat): each signal begins when the one before has completed")
  func oneAfterTheOther() throws {
    try expect("---2----(1|)", from: "21|") { source, scheduler in
      source.flatMap(.concat) { [scheduler] in .just($0).delay(.seconds(7 - 2 * $0), on: scheduler) }
    }
  }

  @Test("a map whose closure awaits: the calls run one after the other")
  func awaitingMap() async throws {
    let calls = Box<[Int]>([])
    let load = { @Sendable (id: Int) async throws -> Int in
      calls.value.append(id)
      await Task.yield()
      calls.value.append(-id)
      return 10 * id
    }
    let ids = Signal<Int, any Error>([3, 1, 2])
    #expect(
      try await ids.flatMap(.concat) { id in .task { try await load(id) } }.allValues() == [30, 10, 20])
    #expect(calls.value == [3, -3, 1, -1, 2, -2])
  }

  @Test("makeStream: a subject's values wait for an iterator from when it is made; each iterator gets all")
  func subjectAsStream() async {
    let subject = Subject<Int, Never>()
    subject.send(1)
    let values = subject.values()
    subject.send(2)
    var (first, second) = (values.makeAsyncIterator(), values.makeAsyncIterator())
    subject.send(3)
    subject.send(4)
    subject.complete()
    for expected in [3, 4, nil] {
      #expect(await first.next(isolation: #isolation) == expected)
      #expect(await second.next(isolation: #isolation) == expected)
    }
  }

  @Test("bufferingNewest and bufferingOldest: which values wait; a DropCounter counts the others")
  func bufferingPolicies() async {
    let (subject, drops) = (Subject<Int, Never>(), DropCounter())
    func buffered(_ overflow: Overflow<Never>) -> AsyncValues<Int, Never>.AsyncIterator {
      subject.values(waiting: .bounded(2, onOverflow: overflow, countingIn: drops)).makeAsyncIterator()
    }
    var (newest, oldest) = (buffered(.dropOldest), buffered(.dropNewest))
    for number in 1...5 { subject.send(number) }
    subject.complete()
    for expected in [4, 5, nil] { #expect(await newest.next(isolation: #isolation) == expected) }
    for expected in [1, 2, nil] { #expect(await oldest.next(isolation: #isolation) == expected) }
    #expect(drops.count == 6)
  }

  @Test(
    "onTermination: what create's closure returns, and on(disposed:), at the end and when the loop is left")
  func onTermination() async {
    let ends = Counter()
    let created = Signal<Int, Never>.create { observer in
      observer.send(1)
      observer.send(2)
      observer.complete()
      return ActionDisposable { ends.add() }
    }
    for await _ in created.values() {}
    #expect(ends.value == 1)
    let subject = Subject<Int, Never>()
    do {
      var iterator = subject.on(disposed: { ends.add() }).values().makeAsyncIterator()
      subject.send(1)
      #expect(await iterator.next(isolation: #isolation) == 1)
      #expect(ends.value == 1)
    }
    #expect(ends.value == 2 && subject.subscriberCount == 0)
  }
}
