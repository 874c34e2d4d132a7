// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of clients whose writes suspend.
struct ClientRecipeTests {
  @Test("a write is cancelled when one quote too many comes, and the signal fails")
  func tooSlow() async {
    let (quotes, written) = (Subject<Recipes.Quote, any Error>(), Counter())
    let (writing, never) = (Subject<Never, Never>(), Subject<Never, Never>())
    let cancelled = Subject<Never, Never>()
    let serving = Recipes().serve(quotes.signal) { _ in
      if written.add() == 0 { return }
      writing.complete()
      await never.completion()
      cancelled.complete()
      try Task.checkCancellation()
    }
    let end = Subject<Never, any Error>()
    serving.ignoreValues().forward(to: end)
    for price in 0...1 { quotes.send(Recipes.Quote(price: price)) }
    await writing.completion()
    for price in 2...257 { quotes.send(Recipes.Quote(price: price)) }
    #expect(quotes.subscriberCount == 1)
    quotes.send(Recipes.Quote(price: 258))
    await #expect(throws: Recipes.TooSlow.self) { try await end.completion() }
    #expect(quotes.subscriberCount == 0)
    await cancelled.completion()
    #expect(written.value == 2)
  }

  @Test("a connection further behind than the limit is closed from the sending thread, and its write fails")
  func behind() async {
    let (quotes, closed) = (Subject<Recipes.Quote, Never>(), Subject<Never, Never>())
    let (written, disconnected) = (Counter(), Counter())
    let serving = Task.immediate {
      try await Recipes().serve(quotes.signal, atMostBehind: 3) { _ in
        if written.add() < 5 { return }
        await closed.completion()
        throw Oops()
      } disconnect: {
        disconnected.add()
        closed.complete()
      }
    }
    for price in 1...5 {
      quotes.send(Recipes.Quote(price: price))
      while written.value < price { await Task.yield() }
    }
    for price in 6...8 { quotes.send(Recipes.Quote(price: price)) }
    #expect(disconnected.value == 0)
    quotes.send(Recipes.Quote(price: 9))
    #expect(disconnected.value == 1)
    await #expect(throws: Oops.self) { try await serving.value }
    #expect(quotes.subscriberCount == 0)
  }
}
