// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of work that finds more work.
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
}
