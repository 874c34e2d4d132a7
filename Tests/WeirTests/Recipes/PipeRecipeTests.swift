// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of reading a pipe no faster than its rows are written.
struct PipeRecipeTests {
  private let scheduler = VirtualScheduler()
  private let sent = Counter()
  /// The sending thread is about to send a row for which there is no room.
  private let isFull = Subject<Never, Never>()
  private let threadHasEnded = Subject<Never, Never>()

  /// Rows that are sent by a thread of their own, as by one that reads a pipe.
  private func rows(_ count: Int = .max) -> Signal<Recipes.Row, any Error> {
    .create { [sent, isFull, threadHasEnded] observer in
      SystemThread.start(named: "rows of a pipe") {
        for number in 0..<count {
          if observer.isEnded { break }
          if sent.add() == 10_000 { isFull.complete() }
          observer.send(Recipes.Row(number: number))
        }
        observer.complete()
        threadHasEnded.complete()
      }
      return nil
    }
  }

  /// Writes nothing before the pipe is full.
  private actor Table: Recipes.Database {
    private(set) var written = 0
    /// The largest number of rows sent but not written.
    private(set) var mostWaiting = 0
    private let sent: Counter
    private let isFull: Subject<Never, Never>
    private let failure: Oops?

    init(_ sent: Counter, _ isFull: Subject<Never, Never>, failing failure: Oops? = nil) {
      (self.sent, self.isFull, self.failure) = (sent, isFull, failure)
    }

    func insert(_ rows: [Recipes.Row]) async throws {
      await isFull.completion()
      if let failure { throw failure }
      mostWaiting = max(mostWaiting, sent.value - written)
      written += rows.count
    }
  }

  @Test("the reading thread is at most one row ahead of ten thousand unwritten ones; all rows are written")
  func pace() async throws {
    let table = Table(sent, isFull)
    let storing = Recipes().store(pipe: rows(30_000), in: table, on: scheduler)
    #expect(try await storing.completion())
    #expect(await table.written == 30_000)
    #expect(await table.mostWaiting <= 10_001)
    await threadHasEnded.completion()
  }

  @Test("a failed write ends the run; the blocked reading thread resumes and ends")
  func writeFails() async {
    let table = Table(sent, isFull, failing: Oops(code: 7))
    let storing = Recipes().store(pipe: rows(), in: table, on: scheduler)
    await #expect(throws: Oops(code: 7)) { try await storing.completion() }
    await threadHasEnded.completion()
  }

  @Test("disposing the run unblocks and ends the reading thread")
  func disposed() async {
    let never = Subject<Never, Never>()
    let subscription = Recipes().store(pipe: rows(), in: Table(sent, never), on: scheduler)
      .subscribe(failed: { Issue.record($0) })
    await isFull.completion()
    subscription.dispose()
    await threadHasEnded.completion()
  }

  /// Every tenth line is no row.
  private func lines(_ count: Int) -> Signal<String, any Error> {
    rows(count).map { $0.number % 10 == 3 ? "?" : "\($0.number % 7),\($0.number)" }
  }

  private func importing(
    _ lines: Signal<String, any Error>, _ database: Import, until stop: Signal<Never, Never> = .never()
  ) -> Signal<Int, any Error> {
    Recipes().store(
      lines: lines, account: { $0.prefix { $0 != "," } },
      parse: { line in line.split(separator: ",").last.flatMap { Int($0) }.map { Recipes.Row(number: $0) } },
      on: (0..<3).map { _ in SerialScheduler() }, in: database, within: scheduler, until: stop)
  }

  /// Expects the rows of each account in order.
  private actor Import: Recipes.Database {
    private(set) var written = 0
    private(set) var disorder = 0
    private var last: [Int: Int] = [:]
    private let inserted: @Sendable (Int) -> Void

    init(_ inserted: @escaping @Sendable (Int) -> Void = { _ in }) { self.inserted = inserted }

    func insert(_ rows: [Recipes.Row]) async throws {
      for row in rows {
        if last[row.number % 7, default: -1] >= row.number { disorder += 1 }
        last[row.number % 7] = row.number
      }
      written += rows.count
      inserted(written)
    }
  }

  @Test("an import writes all rows, those of an account in order; lines that are no rows free their places")
  func importsAll() async throws {
    let table = Import()
    let written = importing(lines(150_000), table).reduce(0, +)
    #expect(try await written.firstValue() == 135_000)
    #expect(await table.written == 135_000)
    #expect(await table.disorder == 0)
  }

  @Test("an import that is stopped writes what it has read, and then completes")
  func importStops() async throws {
    let stop = Subject<Never, Never>()
    let table = Import { if $0 > 5_000 { stop.complete() } }
    let written = try await importing(lines(.max), table, until: stop.signal).reduce(0, +).firstValue()
    #expect(await table.written == written)
    await threadHasEnded.completion()
  }
}
