// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of a signal that sends no more than so many values within an interval, and of quotas.
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

  /// Twenty bytes a second, with a burst of a hundred. Values are the numbers of rows.
  private func metered(_ rows: Signal<Recipes.Row, Never>) -> TimedRecorder<Int, Never> {
    TimedRecorder(
      Recipes().metered(rows, bytesPerSecond: 20, burst: 100, on: scheduler).map(\.number), on: scheduler)
  }

  @Test("a token bucket lets a burst through at once, and then as much as flows in; a pause fills it again")
  func bucket() {
    let rows = Subject<Recipes.Row, Never>()
    let recorder = metered(rows.signal)
    func send(_ numbers: ClosedRange<Int>, bytes: Int) {
      for number in numbers { rows.send(Recipes.Row(number: number, bytes: bytes)) }
    }
    send(1...6, bytes: 40)
    // Eight seconds after the last row the bucket is full, and holds no more than two rows and a half.
    scheduler.advance(by: .seconds(15))
    send(7...9, bytes: 40)
    rows.complete()
    scheduler.run()
    #expect(recorder.difference(from: "(12)3-4-5-6-------(78)(9|)") == nil)
  }

  @Test(
    "a row that is larger than the burst waits until it is paid for; one without bytes waits for its turn")
  func largeRow() {
    let bytes = [20, 160, 0, 20, 0]
    let recorder = metered(
      Signal(bytes.enumerated().map { Recipes.Row(number: $0.offset, bytes: $0.element) }))
    scheduler.run()
    #expect(recorder.difference(from: "0---(12)(34|)") == nil)
  }

  @Test("each subscription has a bucket of its own")
  func twoBuckets() {
    let rows = Signal<Recipes.Row, Never>((1...3).map { Recipes.Row(number: $0, bytes: 40) })
    let metered = Recipes().metered(rows, bytesPerSecond: 20, burst: 100, on: scheduler).map(\.number)
    let recorders = (0..<2).map { _ in TimedRecorder(metered, on: scheduler) }
    scheduler.run()
    for recorder in recorders { #expect(recorder.difference(from: "(12)(3|)") == nil) }
  }

  private func isRefused(_ recorder: Recorder<Int, any Error>) -> Bool {
    if case .failed(let error) = recorder.completion { error is Recipes.Quota.IsUsedUp } else { false }
  }

  @Test("a quota refuses what is too much; an admission counts for the interval, however its work ends")
  func quota() {
    let quota = Recipes.Quota(3, within: .seconds(60), on: scheduler)
    let started = Counter()
    func ask(_ work: Signal<Int, any Error>) -> Recorder<Int, any Error> {
      scheduler.advance(by: .seconds(1))
      return Recorder(quota.admit(work.initially { started.add() }))
    }
    let work = Subject<Int, any Error>()
    let hanging = ask(work.signal)
    #expect(ask(.just(1)).values == [1])
    #expect(!isRefused(ask(.fail(Oops()))))
    hanging.dispose()
    #expect(work.subscriberCount == 0)
    #expect(isRefused(ask(.just(2))) && started.value == 3 && scheduler.waitingCount == 3)
    scheduler.advance(by: .seconds(56))
    #expect(isRefused(ask(.just(3))) == false)
    #expect(isRefused(ask(.just(4))) == false)
    #expect(isRefused(ask(.just(5))) == false)
    #expect(isRefused(ask(.just(6))))
    scheduler.run()
    #expect(ask(.just(7)).values == [7])
  }

  @Test("three threads never get more than a quota, all of it, and all of it again after the interval")
  func quotaOfThreads() {
    let quota = Recipes.Quota(100, within: .seconds(60), on: scheduler)
    for _ in 0..<200 {
      let (admitted, refused) = (Counter(), Counter())
      withThreads(3) { _ in
        for _ in 0..<50 {
          quota.admit(Signal<Int, any Error>.just(1))
            .subscribe(next: { admitted.add($0) }, failed: { _ in refused.add() })
        }
      }
      #expect((admitted.value, refused.value) == (100, 50))
      scheduler.run()
    }
  }

  @Test("a quota whose scheduler has been shut down refuses everything, once it is used up")
  func quotaAfterShutdown() {
    let quota = Recipes.Quota(1, within: .seconds(60), on: ClosedScheduler())
    #expect(Recorder(quota.admit(.just(1))).values == [1])
    #expect(isRefused(Recorder(quota.admit(.just(2)))))
  }
}
