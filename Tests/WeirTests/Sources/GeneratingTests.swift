// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Sources made of closures: generate, repeatElement, a throwing closure, a result.
struct GeneratingTests {
  @Test("generate sends the result for each state while the condition holds, anew for each subscription")
  func generate() {
    let powers = Signal<String, Never>.generate(1, while: { $0 < 20 }, next: { $0 * 3 }, result: { "\($0)" })
    for _ in 0..<2 {
      #expect(Recorder(powers).events == [.next("1"), .next("3"), .next("9"), .completed])
    }
    let none = Signal<Int, Never>.generate(1, while: { _ in false }, next: { $0 }, result: { $0 })
    #expect(Recorder(none).events == [.completed])
  }

  @Test("an infinite generate computes nothing ahead, and stops when the subscription ends")
  func lazily() {
    let calls = Box<[String]>([])
    let endless = Signal<Int, Never>.generate(
      0,
      while: { state in
        calls.value.append("while \(state)")
        return true
      },
      next: { state in
        calls.value.append("next \(state)")
        return state + 1
      },
      result: { state in
        calls.value.append("result \(state)")
        return state
      })
    #expect(Recorder(endless.take(first: 2)).events == [.next(0), .next(1), .completed])
    #expect(calls.value == ["while 0", "result 0", "next 0", "while 1", "result 1"])
  }

  @Test("generate fails with the error that any of its closures throws", arguments: [0, 1, 2])
  func throwing(place: Int) {
    @Sendable func check(_ state: Int, _ index: Int) throws(Oops) -> Int {
      if state == 2, index == place { throw Oops(code: index) }
      return state
    }
    let signal = Signal<Int, Oops>.generate(
      0,
      while: { (state) throws(Oops) in try check(state, 0) < 9 },
      next: { (state) throws(Oops) in try check(state, 1) + 1 },
      result: { (state) throws(Oops) in try check(state, 2) })
    let sent: [Event<Int, Oops>] = (0..<(place == 1 ? 3 : 2)).map { .next($0) }
    #expect(Recorder(signal).events == sent + [.failed(Oops(code: place))])
  }

  /// The values that a subscriber receives of a signal that a `catch` connects to it directly. The signal may
  /// dispose the subscription.
  private func values(of signal: @escaping @Sendable (SerialDisposable) -> Signal<Int, Never>) -> [Int] {
    let slot = SerialDisposable()
    let values = Box<[Int]>([])
    let start = Subject<Int, Oops>()
    slot.swap(start.catch { _ in signal(slot) }.subscribe { values.value.append($0) })
    start.fail(Oops())
    return values.value
  }

  @Test("a value is not delivered if the closure that makes it disposes the subscription")
  func disposedInside() {
    let endless = values { slot in
      .generate(
        0, while: { _ in true }, next: { $0 + 1 },
        result: { state in
          if state == 2 { slot.dispose() }
          return state
        })
    }
    #expect(endless == [0, 1])
    let single = values { slot in
      Signal(catching: {
        slot.dispose()
        return 1
      })
    }
    #expect(single == [])
  }

  @Test("the closures of a source are not called for a subscription that has already ended")
  func endedBefore() {
    let calls = Counter()
    let generated = values { slot in
      .deferred {
        slot.dispose()
        return .generate(0, while: { _ in calls.add() < 9 }, next: { $0 }, result: { $0 })
      }
    }
    let single = values { slot in
      .deferred {
        slot.dispose()
        return Signal(catching: { calls.add() })
      }
    }
    #expect((generated + single, calls.value) == ([], 0))
  }

  @Test("repeatElement sends its value until the subscription ends")
  func repeatElement() {
    #expect(
      Recorder(Signal<String, Never>.repeatElement("x").take(first: 3)).events == [
        .next("x"), .next("x"), .next("x"), .completed,
      ])
    let zipped = Signal<Int, Never>.repeatElement(1).map { $0 + 1 }.take(first: manyRounds).count()
    #expect(Recorder(zipped).values == [manyRounds])
  }

  @Test("Signal(catching:) runs its closure once per subscription, and sends its value or its error")
  func catching() {
    let runs = Counter()
    let signal = Signal<Int, Oops>(catching: { () throws(Oops) in
      let run = runs.add()
      if run == 1 { throw Oops(code: run) }
      return run
    })
    #expect(runs.value == 0)
    #expect(Recorder(signal).events == [.next(0), .completed])
    #expect(Recorder(signal).events == [.failed(Oops(code: 1))])
    #expect(Recorder(signal).events == [.next(2), .completed])
    #expect(Recorder(Signal<Int, Never>(catching: { 5 })).events == [.next(5), .completed])
    let untyped = Signal<Int, any Error>(catching: { throw Oops(code: 3) })
    #expect(Recorder(untyped.mapError { $0 as? Oops ?? Oops() }).events == [.failed(Oops(code: 3))])
  }

  @Test(
    "D12: Signal(catching:) succeeds if its closure returns a value, whatever error that has handled itself")
  func caughtInside() {
    let signal = Signal<Int, Oops>(catching: {
      let inner = Result<Int, Oops> { () throws(Oops) in throw Oops() }
      return (try? inner.get()) ?? 8
    })
    #expect(Recorder(signal).events == [.next(8), .completed])
  }

  @Test("Signal(result:) sends the value of the result, or fails with its error")
  func results() {
    #expect(Recorder(Signal<Int, Oops>(result: .success(2))).events == [.next(2), .completed])
    #expect(Recorder(Signal<Int, Oops>(result: .failure(Oops(code: 2)))).events == [.failed(Oops(code: 2))])
  }
}
