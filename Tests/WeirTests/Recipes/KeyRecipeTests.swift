// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of keys that appear and disappear while their work runs.
struct KeyRecipeTests {
  private let recipes = Recipes()
  private let scheduler = VirtualScheduler()

  @Test(
    "bookings of an account are entered one after the other, however long each takes; then all is released")
  func enterInTurn() {
    let (bookings, resources) = (Subject<Recipes.Booking, Never>(), Resources())
    let entries = Box<[(number: Int, end: Subject<Void, Never>)]>([])
    let entering = Recorder(
      recipes.enterInTurn(bookings.signal, on: scheduler) { booking in
        let end = Subject<Void, Never>()
        entries.value.append((booking.number, end))
        return end.map { [token = resources.make()] in _ = token }
      })
    func send(_ account: String, _ number: Int) {
      bookings.send(Recipes.Booking(account: account, number: number))
      scheduler.advance(by: .seconds(600))
    }
    func end(_ index: Int) {
      entries.value[index].end.complete()
      scheduler.advance(by: .zero)
    }
    send("a", 1)
    send("a", 2)
    send("b", 3)
    #expect(entries.value.map(\.number) == [1, 3])
    #expect(scheduler.waitingCount == 0)
    end(0)
    #expect(entries.value.map(\.number) == [1, 3, 2])
    end(1)
    end(2)
    // Two groups, which have a minute left each.
    #expect((resources.alive, scheduler.waitingCount) == (0, 2))
    scheduler.advance(by: .seconds(60))
    #expect(scheduler.waitingCount == 0)
    send("a", 4)
    bookings.complete()
    scheduler.run()
    #expect(entering.completion == nil)
    end(3)
    #expect(entering.completion == .completed)
  }

  @Test("bookings of a source that is released are still entered; then the run ends and releases everything")
  func letGo() {
    let (bookings, resources) = (Box<Subject<Recipes.Booking, Never>?>(Subject()), Resources())
    let entered = Counter()
    let entering = bookings.value.map { bookings in
      Recorder(
        recipes.enterInTurn(bookings.signal, on: scheduler) { [token = resources.make()] _ in
          _ = token
          entered.add()
          return .just(()).delay(.seconds(90), on: scheduler)
        })
    }
    for number in 1...2 { bookings.value?.send(Recipes.Booking(account: "a", number: number)) }
    scheduler.advance(by: .zero)
    bookings.value = nil
    scheduler.run()
    #expect(entered.value == 2 && resources.alive == 0)
    #expect(entering?.subscription.isDisposed == true)
  }

  @Test("groups that follow a setting end in silence, and leave no subscription behind", arguments: 0..<2)
  func followingSetting(form: Int) {
    let (readings, limit) = (Subject<Int, Never>(), MutableProperty(1))
    let following = Recorder(
      readings.group(by: { $0 }, lifetime: .untilIdle(for: .seconds(60), on: scheduler)).flatMap { group in
        if form == 0 { return group.withLatest(from: limit.signal).map { $0 + $1 } }
        let limits = limit.signal.take(until: group.ignoreValues())
        return group.combineLatest(with: limits).map { $0 + $1 }
      })
    for number in 0..<3 { readings.send(number) }
    #expect(limit.subscriberCount == 3)
    scheduler.advance(by: .seconds(60))
    #expect(limit.subscriberCount == 0 && following.values == [1, 2, 3])
    readings.complete()
    #expect(following.completion != nil)
  }
}
