// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators that send one value, computed from all values.
struct FoldingTests {
  private let numbers = Signal<Int, Oops>(1...4)

  @Test(
    "reduce, collect and count send one value at completion, also of an empty signal, for each subscription"
  )
  func folds() {
    let none = Signal<Int, Oops>.empty()
    for (source, sum, text, all) in [(numbers, 20, "=1234", [1, 2, 3, 4]), (none, 10, "=", [])] {
      let (sums, texts) = (source.reduce(10) { $0 + $1 }, source.reduce(into: "=") { $0 += String($1) })
      let (lists, counts) = (source.collect(), source.count())
      for _ in 0..<2 {
        #expect(Recorder(sums).events == [.next(sum), .completed])
        #expect(Recorder(texts).events == [.next(text), .completed])
        #expect(Recorder(lists).events == [.next(all), .completed])
        #expect(Recorder(counts).events == [.next(all.count), .completed])
      }
    }
  }

  @Test("a failure of the source or of the closure is passed on, and nothing else is sent")
  func failures() {
    #expect(Recorder(numbers.concat(Signal.fail(Oops())).collect()).events == [.failed(Oops())])
    let thrown = numbers.reduce(0) { (sum, value) throws(Oops) in
      if value == 3 { throw Oops(code: sum) }
      return sum + value
    }
    #expect(Recorder(thrown).events == [.failed(Oops(code: 3))])
  }

  @Test("any, all and contains send their result at the first deciding value, and stop the source")
  func predicates() {
    let asked = Counter()
    let endless = Signal<Int, Oops>(sequence(first: 0) { $0 + 1 }).doNext { _ in asked.add() }
    #expect(Recorder(endless.any(where: { $0 == 3 })).events == [.next(true), .completed])
    #expect(asked.value == 4)
    #expect(Recorder(endless.all(where: { $0 < 3 })).events == [.next(false), .completed])
    #expect(Recorder(numbers.any(where: { $0 > 9 })).events == [.next(false), .completed])
    #expect(Recorder(numbers.all(where: { $0 < 9 })).events == [.next(true), .completed])
    #expect(Recorder(numbers.contains(4)).events == [.next(true), .completed])
  }

  @Test("any sends a single result when the source calls its sink within a delivery")
  func careless() {
    let sink = Box<Sink<Int, Oops>?>(nil)
    let source = Signal<Int, Oops>.attaching { sink.value = $0 }
    let seen = Box<[Event<Bool, Oops>]>([])
    source.any(where: { $0 > 1 }).subscribe(
      next: { value in
        seen.value.append(.next(value))
        if seen.value.count < 5 { sink.value?.next(2) }
        if seen.value.count < 5 { sink.value?.terminate(.completed) }
      }, failed: { seen.value.append(.failed($0)) }, completed: { seen.value.append(.completed) })
    sink.value?.next(1)
    sink.value?.next(2)
    #expect(seen.value == [.next(true), .completed])
  }

  @Test("D10: any, all and contains pass on a failure instead of sending a result")
  func predicatesFail() {
    let failing = numbers.concat(Signal.fail(Oops(code: 3)))
    #expect(Recorder(failing.any(where: { $0 > 9 })).events == [.failed(Oops(code: 3))])
    #expect(Recorder(failing.all(where: { $0 < 9 })).events == [.failed(Oops(code: 3))])
    #expect(Recorder(failing.contains(9)).events == [.failed(Oops(code: 3))])
    #expect(Recorder(failing.contains(2)).events == [.next(true), .completed])
  }

  @Test("reduce(making:) calls its closure once per subscription, before the source runs")
  func making() {
    let made = Counter()
    let source = Signal<Int, Oops>.deferred { made.value == 0 ? .fail(Oops()) : .init(1...4) }
    // A class that is not Sendable: no two subscriptions may share one.
    let gathered = source.reduce(making: {
      made.add()
      return Box<[Int]>([])
    }) { $0.value.append($1) }.map { $0.value }
    #expect(made.value == 0)
    for count in 1...2 {
      #expect(Recorder(gathered).events == [.next([1, 2, 3, 4]), .completed])
      #expect(made.value == count)
    }
  }

  @Test("min and max send the first of the smallest or largest values, and none for an empty signal")
  func extremes() {
    let values = Signal<Int, Oops>([3, 1, 4, 1, 5, 5])
    for _ in 0..<2 {
      #expect(Recorder(values.min()).events == [.next(1), .completed])
      #expect(Recorder(values.max()).events == [.next(5), .completed])
    }
    #expect(Recorder(Signal<Int, Oops>.empty().min()).events == [.completed])
    #expect(Recorder(numbers.concat(Signal.fail(Oops())).max()).events == [.failed(Oops())])
    let words = Signal<String, Oops>(["bb", "a", "c", "dd"])
    #expect(Recorder(words.min(by: { $0.count < $1.count })).values == ["a"])
    #expect(Recorder(words.max(by: { $0.count < $1.count })).values == ["bb"])
    let thrown = numbers.min(by: { (_, second) throws(Oops) in throw Oops(code: second) })
    #expect(Recorder(thrown).events == [.failed(Oops(code: 1))])
  }
}
