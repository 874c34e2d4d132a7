// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Lists that are sent as signals.
struct LazyListSignalTests {
  @Test("N2: a signal of a list evaluates no element once its subscription has ended")
  func signal() {
    let watched = Watched()
    #expect(
      Recorder(Signal<Int, Never>(watched.numbers).take(first: 3)).events
        == [.next(0), .next(1), .next(2), .completed])
    #expect(watched.heads.value == 3)
    #expect(watched.places.value == 3)
  }

  @Test("N1: a second subscription receives the elements that the first one has evaluated")
  func again() {
    let watched = Watched()
    let signal = Signal<Int, Never>(watched.numbers.take(first: 3))
    for _ in 0..<2 { #expect(Recorder(signal).values == [0, 1, 2]) }
    #expect(watched.heads.value == 3)
  }

  @Test(
    "N7 AC72: on a scheduler a list is evaluated and sent one element per piece of work, with other work between"
  )
  func scheduled() {
    let (watched, scheduler, log) = (Watched(), VirtualScheduler(), Box<[String]>([]))
    for (name, list) in [("a", watched.numbers.take(first: 2)), ("b", LazyList([7, 8]))] {
      Signal<Int, Never>(list, on: scheduler).subscribe { log.value.append("\(name)\($0)") }
    }
    #expect(watched.places.value == 0)
    scheduler.step()
    #expect(log.value == ["a0"])
    #expect(watched.heads.value == 1)
    #expect(watched.places.value == 1)
    scheduler.run()
    #expect(log.value == ["a0", "b7", "a1", "b8"])
    #expect(watched.places.value == 2)
  }

  @Test("N7: on a scheduler a subscription that ends after some elements does not evaluate the next one")
  func stopped() {
    let (watched, scheduler) = (Watched(), VirtualScheduler())
    let recorder = Recorder(Signal<Int, Never>(watched.numbers, on: scheduler).take(first: 2))
    scheduler.run()
    #expect(recorder.events == [.next(0), .next(1), .completed])
    #expect(watched.places.value == 2)
  }
}
