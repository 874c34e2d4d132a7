// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Signals made from sequences and ranges.
struct SequenceTests {
  @Test("a sequence sends its elements in order, and then completes")
  func elements() {
    #expect(Recorder(Signal<String, Never>(["a", "b"])).events == [.next("a"), .next("b"), .completed])
    #expect(Recorder(Signal<Int, Never>([Int]())).events == [.completed])
  }

  @Test("a range sends its elements, and may be empty")
  func range() {
    #expect(Recorder(Signal<Int, Never>.range(3..<6)).events == [.next(3), .next(4), .next(5), .completed])
    #expect(Recorder(Signal<UInt8, Never>.range(254..<255)).values == [254])
    #expect(Recorder(Signal<Int, Never>.range(3..<3)).events == [.completed])
  }

  @Test("a closed range sends its last element, too, also the largest number there is")
  func closedRange() {
    #expect(Recorder(Signal<Int, Never>.range(1...3)).events == [.next(1), .next(2), .next(3), .completed])
    #expect(Recorder(Signal<UInt8, Never>.range(0...255)).values == Array(0...255))
    #expect(Recorder(Signal<Int8, Never>.range(-128 ... -128)).events == [.next(-128), .completed])
    #expect(Recorder(Signal<Int, Never>.range((.max - 1)...(.max))).values == [.max - 1, .max])
    #expect(Recorder(Signal<Int, Never>.range(.min ... .max).take(first: 2)).values == [.min, .min + 1])
  }

  @Test("range and repeatElement follow a dot where an argument is a signal, with its type of failure")
  func asArguments() {
    let numbers = Signal<Int, Oops>([1])
    #expect(Recorder(numbers.concat(.range(0..<2), .range(4...5))).values == [1, 0, 1, 4, 5])
    #expect(Recorder(numbers.concat(.repeatElement(7)).take(first: 3)).values == [1, 7, 7])
    #expect(Recorder(Signal<Int, Never>([1]).prepend(.range(0...1)).map { $0 + 1 }).values == [1, 2, 2])
  }

  @Test("each subscription starts with the first element")
  func again() {
    let signal = Signal<Int, Never>.range(0..<2)
    #expect(Recorder(signal).values == [0, 1])
    #expect(Recorder(signal).values == [0, 1])
  }

  @Test("an infinite sequence stops when the subscription ends, and its iterator is released")
  func infinite() {
    struct Endless: Sequence, IteratorProtocol, Sendable {
      let token: Resources.Resource
      let asked: Counter
      mutating func next() -> Int? { asked.add() }
    }
    let resources = Resources()
    let asked = Counter()
    do {
      let signal = Signal<Int, Never>(Endless(token: resources.make(), asked: asked))
      #expect(Recorder(signal.take(first: 3)).events == [.next(0), .next(1), .next(2), .completed])
      #expect(asked.value == 3)
    }
    #expect(resources.alive == 0)
  }

  @Test("disposing the subscription inside a value stops the sequence")
  func disposedInside() {
    let asked = Counter()
    let subscription = Box<Subscription?>(nil)
    let start = Subject<Int, Never>()
    let endless = Signal<Int, Never>(0...).map { value in
      asked.add()
      return value
    }
    let values = Box<[Int]>([])
    subscription.value = start.flatMap { _ in endless }.subscribe(
      next: { value in
        values.value.append(value)
        if value == 2 { subscription.value?.dispose() }
      })
    start.send(0)
    #expect(values.value == [0, 1, 2])
    #expect(asked.value == 3)
  }

  @Test("an observer that completes stops the sequence forwarded to it")
  func endedByObserver() {
    let observer = Box<Observer<Int, Never>?>(nil)
    let values = Box<[Int]>([])
    observer.value = Observer(next: { value in
      values.value.append(value)
      if value == 2 { observer.value?.complete() }
    })
    if let receiver = observer.value { Signal<Int, Never>(0...).forward(to: receiver) }
    #expect(values.value == [0, 1, 2])
  }
}
