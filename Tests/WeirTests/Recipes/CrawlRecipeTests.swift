// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of work that finds more work, and of lists that come page by page.
struct CrawlRecipeTests {
  private let recipes = Recipes()

  @Test("a crawl visits each page once, whatever leads to it, no more than its limit at a time, and ends")
  func everyPage() async {
    let (running, tooMany, count) = (Counter(), Counter(), 2_000)
    let crawl = recipes.crawl(from: [.init(number: 0), .init(number: 0)], atATime: 3) { page in
      if running.add() >= 3 { tooMany.add() }
      // Visits overlap, and some end before others that began earlier.
      for _ in 0..<page.number % 3 { await Task.yield() }
      running.add(-1)
      return [2 * page.number + 1, 2 * page.number + 2, page.number / 2].filter { $0 < count }.map {
        Recipes.Page(number: $0)
      }
    }
    for _ in 0..<3 {
      let visited = await crawl.allValues().map(\.number)
      #expect(visited.sorted() == Array(0..<count))
      #expect(tooMany.value == 0)
    }
  }

  @Test("a crawl from nowhere completes at once")
  func nothing() async {
    #expect(await recipes.crawl(from: [], atATime: 3) { _ in [] }.allValues() == [])
  }

  @Test("disposing a crawl cancels the visits under way, and begins no other")
  func disposed() async {
    let (begun, ended, hanging) = (Counter(), Counter(), Subject<Void, Never>())
    let crawl = recipes.crawl(from: (0..<9).map { .init(number: $0) }, atATime: 2) { _ in
      await withTaskCancellationHandler {
        begun.add()
        // Returns when it is cancelled.
        _ = await hanging.completion()
      } onCancel: {
        ended.add()
      }
      return []
    }
    let visiting = crawl.subscribe()
    while begun.value < 2 { await Task.yield() }
    visiting.dispose()
    #expect(ended.value == 2 && begun.value == 2)
  }

  /// A list of `count` pages with two rows each, whose cursors are numbers.
  private func page(_ cursor: String?, of count: Int) -> Recipes.Page {
    let number = cursor.flatMap { Int($0) } ?? 0
    let rows = [2 * number, 2 * number + 1].map { Recipes.Row(number: $0) }
    return Recipes.Page(rows: rows, next: number + 1 < count ? "\(number + 1)" : nil)
  }

  @Test("a list sends the rows of all pages, in order, with no more stack for many pages than for one")
  func pages() async throws {
    let count = 20_000
    let rows = recipes.rows { .just(page($0, of: count)) }
    for _ in 0..<2 {
      #expect(try await rows.allValues().map(\.number) == Array(0..<2 * count))
    }
  }

  @Test("a page is requested when the rows before it were delivered, and none when no more are wanted")
  func wantedPages() {
    let (asked, answers) = (Counter(), Subject<Recipes.Page, any Error>())
    let rows = Recorder(
      recipes.rows { _ in
        asked.add()
        return answers.signal
      }
      .take(first: 3))
    answers.send(page(nil, of: 9))
    #expect(asked.value == 2 && answers.subscriberCount == 1)
    answers.send(page("1", of: 9))
    #expect(rows.values.map(\.number) == [0, 1, 2] && rows.completion != nil)
    #expect(asked.value == 2 && answers.subscriberCount == 0)
  }

  @Test("a list ends with its last page, or a request without one; a retry in `fetch` repeats one page")
  func endOfList() {
    let asked = Box<[String?]>([])
    let rows = Recorder(
      recipes.rows { cursor in
        Signal.deferred {
          asked.value.append(cursor)
          if asked.value.count == 2 { return .fail(Oops()) }
          return cursor == "2" ? .empty() : .just(page(cursor, of: 9))
        }
        .retry(upTo: 1)
      })
    #expect(rows.values.map(\.number) == [0, 1, 2, 3] && rows.completion?.isCompleted == true)
    #expect(asked.value == [nil, "1", "1", "2"])
    let failing = Recorder(recipes.rows { $0 == nil ? .just(page($0, of: 9)) : .fail(Oops()) })
    #expect(failing.values.count == 2)
    #expect(failing.completion?.error is Oops)
  }
}
