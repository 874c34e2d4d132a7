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
}
