// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Operators that send more values than they receive: elements of sequences, values before and after.
struct JoinedTests {
  private let numbers = Signal<Int, Oops>(1...3)

  @Test("joined sends the elements of each sequence in order")
  func elements() {
    #expect(Recorder(Signal<[Int], Oops>([[1, 2], [], [3]]).joined()).events.count == 4)
    #expect(Recorder(numbers.map { 0..<$0 }.joined()).values == [0, 0, 1, 0, 1, 2])
    #expect(Recorder(Signal<String, Oops>(["ab", "c"]).joined()).values == ["a", "b", "c"])
    let failing = Signal<[Int], Oops>([[1]]).concat(Signal<[Int], Oops>.fail(Oops()))
    #expect(Recorder(failing.joined()).events == [.next(1), .failed(Oops())])
  }

  /// An endless sequence that counts the elements taken from it.
  private struct Endless: Sequence, IteratorProtocol, Sendable {
    let taken: Counter
    mutating func next() -> Int? { taken.add() }
  }

  @Test("joined takes no more elements of an endless sequence than it sends, with a cold and a hot source")
  func endless() {
    let taken = Counter()
    let cold = Signal<Endless, Oops>.just(Endless(taken: taken)).joined().take(first: 3)
    #expect(Recorder(cold).events == [.next(0), .next(1), .next(2), .completed])
    #expect(taken.value == 3)

    let subject = Subject<Endless, Oops>()
    let subscription = Box<Subscription?>(nil)
    let seen = Box<[Int]>([])
    subscription.value = subject.joined().subscribe(
      next: { value in
        seen.value.append(value)
        if value == 5 { subscription.value?.dispose() }
      }, failed: { _ in })
    subject.send(Endless(taken: taken))
    #expect(seen.value == [3, 4, 5])
    #expect(taken.value == 6)
  }

  @Test("joined takes no element when an upstream closure disposes the run")
  func endedBefore() {
    let taken = Counter()
    let subject = Subject<Endless, Oops>()
    let subscription = Box<Subscription?>(nil)
    subscription.value = subject.map { endless in
      subscription.value?.dispose()
      return endless
    }.joined().subscribe(failed: { _ in })
    subject.send(Endless(taken: taken))
    #expect(taken.value == 0)
  }

  @Test("joined takes no further element once another thread has disposed the subscription during a delivery")
  func disposedByAnotherThread() {
    let (subject, taken) = (Subject<PrefixSequence<Endless>, Oops>(), Counter())
    let (entered, leave) = (Door(), Door())
    let subscription = subject.joined().subscribe(
      next: { value in
        guard value == 100 else { return }
        entered.open()
        leave.pass()
      }, failed: { _ in })
    withThreads(2) { index in
      if index == 0 { return subject.send(Endless(taken: taken).prefix(1_000)) }
      entered.pass()
      subscription.dispose()
      leave.open()
    }
    #expect(taken.value == 101)
  }

  @Test("append sends its values after completion, not after a failure, for each subscription")
  func append() {
    let more = numbers.append(4, 5)
    for _ in 0..<2 {
      #expect(Recorder(more).events == [.next(1), .next(2), .next(3), .next(4), .next(5), .completed])
    }
    #expect(Recorder(numbers.concat(Signal<Int, Oops>.fail(Oops())).append(4)).values == [1, 2, 3])
    #expect(Recorder(more.take(first: 4)).events.suffix(2) == [.next(4), .completed])
    let subject = Subject<Int, Oops>()
    let subscription = Box<Subscription?>(nil)
    let sent = Counter()
    subscription.value = subject.append(1, 2, 3).doNext { _ in sent.add() }.subscribe(
      next: { if $0 == 2 { subscription.value?.dispose() } }, failed: { _ in })
    subject.complete()
    #expect(sent.value == 2)
  }

  @Test("prepend runs another signal first, and the source when that has completed")
  func prepend() {
    #expect(Recorder(numbers.prepend(Signal<Int, Oops>([8, 9]))).values == [8, 9, 1, 2, 3])
    let runs = Counter()
    let second = Signal<Int, Oops>.deferred {
      runs.add()
      return .just(1)
    }
    #expect(Recorder(second.prepend(Signal<Int, Oops>.fail(Oops()))).events == [.failed(Oops())])
    let first = Subject<Int, Oops>()
    let recorder = Recorder(second.prepend(first))
    first.send(7)
    #expect(runs.value == 0)
    first.complete()
    #expect(recorder.events == [.next(7), .next(1), .completed])
  }

  @Test("many runs with prepend and append use constant stack")
  func deep() {
    withSmallStack {
      let once = Signal<Int, Never>.just(1).prepend(Signal<Int, Never>.just(1)).append(1)
      let count = Counter()
      once.repeat().take(first: 3 * roundsOfEach).subscribe { _ in count.add() }
      #expect(count.value == 3 * roundsOfEach)
    }
  }
}
