// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of a signal that sends no more than so many values within an interval.
struct PaceRecipeTests {
  private let scheduler = VirtualScheduler()
  private let bookings = Subject<Recipes.Booking, Never>()

  private func paced(atMost limit: Int, within seconds: Int) -> TimedRecorder<Int, Never> {
    TimedRecorder(
      Recipes().paced(bookings.signal, atMost: limit, within: .seconds(seconds), on: scheduler).map(\.number),
      on: scheduler)
  }

  private func send(_ numbers: ClosedRange<Int>) {
    for number in numbers { bookings.send(Recipes.Booking(account: "a", number: number)) }
  }

  @Test("receipts are sent in the order of their numbers, each when all before it have been")
  func receipts() {
    let receipts = Subject<(number: Int, receipt: String), Never>()
    let recorder = Recorder(Recipes().inOrder(receipts.signal))
    for number in [2, 0] { receipts.send((number, "\(number)")) }
    #expect(recorder.values == ["0"])
    receipts.send((3, "3"))
    receipts.send((1, "1"))
    #expect(recorder.values == ["0", "1", "2", "3"])
  }

  @Test("one for each interval: the first at once, each further one an interval later; the completion, too")
  func even() {
    let recorder = paced(atMost: 1, within: 2)
    send(1...3)
    scheduler.advance(by: .seconds(9))
    send(4...5)
    bookings.complete()
    scheduler.run()
    #expect(recorder.difference(from: "1-2-3----4-5-|") == nil)
  }

  @Test("several for each interval: as many as are free at once, in order, and never more within an interval")
  func burst() {
    let recorder = paced(atMost: 3, within: 4)
    send(1...2)
    scheduler.advance(by: .seconds(3))
    send(3...9)
    scheduler.run()
    #expect(recorder.difference(from: "(12)--3(45)--6(78)--9") == nil)
  }

  @Test("the interval counts from the delivery, however long that takes")
  func slowDelivery() {
    let times = Box<[Duration]>([])
    let (start, clock) = (scheduler.clock.now, scheduler.clock)
    Recipes().paced(bookings.signal, atMost: 1, within: .seconds(2), on: scheduler)
      .subscribe { [scheduler] booking in
        times.value.append(start.duration(to: clock.now))
        if booking.number == 1 { scheduler.advance(by: .seconds(5)) }
      }
    send(1...3)
    scheduler.run()
    #expect(times.value == [.zero, .seconds(7), .seconds(9)])
  }

  @Test("a failure drops what waits; between materialize and dematerialize it waits its turn")
  func failure() throws {
    let orders = Subject<Int, TestFailure>()
    let scheduler = self.scheduler
    let hasty = TimedRecorder(
      orders.flatMap(.concat) { Signal.never().take(for: .seconds(2), on: scheduler).startWith($0) },
      on: scheduler)
    let patient = TimedRecorder(
      orders.materialize()
        .flatMap(.concat) { Signal.never().take(for: .seconds(2), on: scheduler).startWith($0) }
        .dematerialize(), on: scheduler)
    for number in 1...3 { orders.send(number) }
    orders.fail(TestFailure())
    scheduler.run()
    #expect(hasty.difference(from: "(1#)") == nil)
    #expect(patient.difference(from: "1-2-3-#") == nil)
  }
}
