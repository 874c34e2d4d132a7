// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of a signal that pauses.
struct PauseRecipeTests {
  private let recipes = Recipes()

  @Test("resuming sends the newest quote, once; equal quotes pass; the signal completes with the property")
  func pausing() {
    let quotes = Subject<Recipes.Quote, Never>()
    let isPaused = Box<MutableProperty<Bool>?>(MutableProperty(false))
    guard let recorder = isPaused.value.map({ Recorder(recipes.pausing(quotes.signal, while: $0)) }) else {
      return
    }
    func send(_ price: Int) { quotes.send(Recipes.Quote(price: price)) }
    send(1)
    send(1)
    isPaused.value?.value = true
    isPaused.value?.value = false
    #expect(recorder.values.map(\.price) == [1, 1])
    isPaused.value?.value = true
    send(2)
    send(3)
    #expect(recorder.values.map(\.price) == [1, 1])
    isPaused.value?.value = false
    isPaused.value?.value = true
    send(4)
    quotes.complete()
    isPaused.value?.value = false
    #expect(recorder.values.map(\.price) == [1, 1, 3, 4])
    #expect(recorder.completion == nil)
    isPaused.value = nil
    #expect(recorder.completion != nil)
  }

  @Test("without a pause all quotes that a source sends inside `subscribe` are delivered")
  func pausingReplayed() {
    let quotes = Signal<Recipes.Quote, Never>((1...3).map { Recipes.Quote(price: $0) })
    let isPaused = MutableProperty(false)
    let recorder = Recorder(recipes.pausing(quotes, while: isPaused))
    #expect(recorder.values.map(\.price) == [1, 2, 3])
  }
}
