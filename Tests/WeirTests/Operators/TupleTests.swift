// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators that count values, or take tuples apart.
struct TupleTests {
  private struct Point: Equatable {
    var x: Int
    var y: Int
  }
  private let letters = Signal<String, Oops>(["a", "b", "c"])

  @Test("enumerated counts from 0, anew for each subscription")
  func enumerated() {
    let lines = letters.enumerated().map { "\($0.offset)\($0.element)" }
    for _ in 0..<2 { #expect(Recorder(lines).values == ["0a", "1b", "2c"]) }
  }

  @Test("scanIndexed and reduceIndexed pass the index of each value to their closure")
  func indexed() {
    let joined = letters.scanIndexed("") { result, value, index in result + "\(index)" + value }
    for _ in 0..<2 { #expect(Recorder(joined).values == ["0a", "0a1b", "0a1b2c"]) }
    let last = letters.reduceIndexed("") { result, value, index in result + "\(index)" + value }
    for _ in 0..<2 { #expect(Recorder(last).events == [.next("0a1b2c"), .completed]) }
    let thrown = letters.reduceIndexed(0) { (_, _, index) throws(Oops) in
      if index == 1 { throw Oops(code: index) }
      return index
    }
    #expect(Recorder(thrown).events == [.failed(Oops(code: 1))])
    #expect(
      Recorder(letters.concat(Signal.fail(Oops())).reduceIndexed(0) { $0 + $2 }).events == [.failed(Oops())])
  }

  @Test(
    "scan(into:) updates its result in place, copies at most the initial one, and starts anew per subscription"
  )
  func scanInto() {
    let words = letters.scan(into: "") { $0 += $1 }
    for _ in 0..<2 { #expect(Recorder(words).values == ["a", "ab", "abc"]) }

    let subject = Subject<Int, Never>()
    let places = Box<Set<UnsafeRawPointer>>([])
    let start = [Int](unsafeUninitializedCapacity: 64) { _, _ in }
    let subscription = subject.scan(into: start) { result, value in
      result.append(value)
      result.withUnsafeBytes { if let base = $0.baseAddress { places.value.insert(base) } }
    }.subscribe()
    for value in 0..<8 { subject.send(value) }
    subscription.dispose()
    // At most one copy, which leaves the initial result unchanged.
    #expect(places.value.count <= 2)
  }

  @Test("reduceEach passes the elements of a tuple, of any number and type, to a closure or function")
  func reduceEach() {
    let pairs = Signal<(Int, Int), Oops>([(1, 2), (3, 4)])
    #expect(Recorder(pairs.reduceEach(+)).values == [3, 7])
    #expect(Recorder(pairs.reduceEach(Point.init)).values == [Point(x: 1, y: 2), Point(x: 3, y: 4)])
    let mixed = Signal<(String, Int, [Int], Int?, Point), Never>([("a", 1, [2], nil, Point(x: 3, y: 4))])
    #expect(
      Recorder(mixed.reduceEach { "\($0)\($1)\($2)\($3 ?? 0)\($4.x)\($4.y)" }).values == ["a1[2]034"])
    #expect(Recorder(Signal<Int, Never>([1, 2]).reduceEach { $0 + 1 }).values == [2, 3])
    let thrown = pairs.reduceEach { (first, second) throws(Oops) in
      if first == 3 { throw Oops(code: second) }
      return first
    }
    #expect(Recorder(thrown).events == [.next(1), .failed(Oops(code: 4))])
  }

  @Test("reduceEach does not retain the elements of tuples it has handled")
  func reduceEachReleases() {
    let resources = Resources()
    let subject = Subject<(Resources.Resource, Int), Never>()
    let kept = Box<Resources.Resource?>(nil)
    subject.reduceEach { resource, _ in resource }.subscribe { kept.value = $0 }
    for number in 0..<3 { subject.send((resources.make(), number)) }
    #expect(resources.alive == 1)
    kept.value = nil
    #expect(resources.alive == 0)
  }

  @Test("reduceApply calls the first element of a tuple with the rest")
  func reduceApply() {
    typealias Plain<each Argument> = @Sendable (repeat each Argument) -> Int
    let one = Signal<(Plain<Int>, Int), Never>.create { observer in
      observer.send(({ $0 + 1 }, 2))
      observer.send(({ $0 * 10 }, 3))
      observer.complete()
      return nil
    }
    #expect(Recorder(one.reduceApply()).events == [.next(3), .next(30), .completed])
    let two = Signal<Int, Never>([2, 3]).map { value -> (Plain<Int, Int>, Int, Int) in ({ $0 - $1 }, value, 1)
    }
    #expect(Recorder(two.reduceApply()).values == [1, 2])
    let three = two.map { (first, _, _) -> (Plain<String, Int, Int>, String, Int, Int) in
      ({ $0.count + $1 * $2 }, "abc", 5, 7)
    }
    #expect(Recorder(three.reduceApply()).values == [38, 38])
    let failing = Signal<Int, Oops>([1, 2]).map { value in
      (
        { @Sendable (number: Int) throws(Oops) in if number == 2 { throw Oops(code: number) } else { number }
        }, value
      )
    }
    #expect(Recorder(failing.reduceApply()).events == [.next(1), .failed(Oops(code: 2))])
  }
}
