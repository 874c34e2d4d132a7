// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators that keep the newest value of one signal for another.
struct LatestTests {
  private let left = Subject<Int, Oops>()
  private let right = Subject<String, Oops>()

  @Test(
    "withLatest pairs each value with the newest of the other, drops those before it, and ends with the source"
  )
  func withLatest() {
    let recorder = Recorder(left.withLatest(from: right).map { "\($0.0)\($0.1)" })
    left.send(1)
    right.send("a")
    left.send(2)
    left.send(3)
    right.send("b")
    right.complete()
    left.send(4)
    #expect(recorder.events == [.next("2a"), .next("3a"), .next("4b")])
    left.complete()
    #expect(recorder.events.last == .completed)
  }

  @Test("withLatest fails with either, and lets go of both")
  func withLatestFails() {
    let recorder = Recorder(left.withLatest(from: right).map { "\($0.0)\($0.1)" })
    right.fail(Oops(code: 2))
    left.send(1)
    #expect(recorder.events == [.failed(Oops(code: 2))])
    let other = Recorder(left.withLatest(from: Signal<String, Oops>.just("x")).map { "\($0.0)\($0.1)" })
    left.send(1)
    left.fail(Oops(code: 3))
    #expect(other.events == [.next("1x"), .failed(Oops(code: 3))])
  }

  @Test("C14 AC30: sample sends nothing before the first value, repeats, and ends with either")
  func sample() {
    let recorder = Recorder(left.sample(on: right))
    right.send("tick")
    left.send(1)
    left.send(2)
    right.send("tick")
    right.send("tick")
    left.send(3)
    #expect(recorder.events == [.next(2), .next(2)])
    right.complete()
    #expect(recorder.events == [.next(2), .next(2), .completed])
    #expect(recorder.subscription?.isDisposed == true)

    let other = Subject<String, Oops>()
    let second = Recorder(left.sample(on: other))
    left.send(9)
    other.send("tick")
    left.complete()
    #expect(second.events == [.next(9), .completed])
  }
}
