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

  private func booking(_ number: Int) -> Recipes.Booking { Recipes.Booking(account: "a", number: number) }

  @Test("holding: resuming sends all that has waited, in order, and stops where it is paused again")
  func holding() {
    let (bookings, isPaused) = (Subject<Recipes.Booking, Never>(), MutableProperty(false))
    let held = Recorder(
      recipes.holding(bookings.signal, while: isPaused).map(\.number)
        .doNext { if $0 == 3 { isPaused.value = true } })
    bookings.send(booking(1))
    #expect(held.values == [1])
    isPaused.value = true
    for number in 2...5 { bookings.send(booking(number)) }
    bookings.complete()
    #expect(held.values == [1])
    isPaused.value = false
    #expect(held.values == [1, 2, 3])
    isPaused.value = true
    #expect(held.completion == nil)
    isPaused.value = false
    #expect(held.values == [1, 2, 3, 4, 5])
    #expect(held.completion != nil)
  }

  @Test("holding with a bound: the booking whose turn it is stays, and the oldest behind it are dropped")
  func holdingBounded() {
    let (bookings, isPaused) = (Subject<Int, Never>(), MutableProperty(true))
    let resumed = isPaused.signal.filter { !$0 }.take(first: 1)
    let held = Recorder(
      bookings.flatMap(.concat(waiting: .bounded(3, onOverflow: .dropOldest))) { booking in
        resumed.then { .just(booking) }
      })
    for number in 1...10 { bookings.send(number) }
    isPaused.value = false
    #expect(held.values == [1, 8, 9, 10])
  }

  @Test(
    "holding: when the property is released, what waits is sent, and later bookings at once",
    arguments: [false, true])
  func holdingReleased(isPausedThen: Bool) {
    let bookings = Subject<Recipes.Booking, Never>()
    let isPaused = Box<MutableProperty<Bool>?>(MutableProperty(false))
    guard
      let held = isPaused.value.map({ Recorder(recipes.holding(bookings.signal, while: $0).map(\.number)) })
    else { return }
    bookings.send(booking(1))
    isPaused.value?.value = isPausedThen
    for number in 2...3 { bookings.send(booking(number)) }
    #expect(held.values == (isPausedThen ? [1] : [1, 2, 3]))
    isPaused.value = nil
    #expect(held.values == [1, 2, 3])
    bookings.send(booking(4))
    bookings.complete()
    #expect(held.values == [1, 2, 3, 4])
    #expect(held.completion != nil)
  }

  @Test("holding: the signal retains neither the property nor what waits, once nobody else does")
  func holdingRetention() {
    weak var released: MutableProperty<Bool>?
    let bookings = Subject<Recipes.Booking, Never>()
    do {
      let isPaused = MutableProperty(true)
      released = isPaused
      recipes.holding(bookings.signal, while: isPaused).subscribe()
      bookings.send(booking(1))
    }
    #expect(released == nil)
  }
}
