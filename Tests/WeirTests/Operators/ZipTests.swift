// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

struct ZipTests {
  private let left = Subject<Int, Oops>()
  private let right = Subject<Int, Oops>()
  private let recorder: Recorder<[Int], Oops>

  init() { recorder = Recorder(left.zip(with: right).map { [$0.0, $0.1] }) }

  @Test("zip pairs the i-th values of both sides, whichever side is ahead")
  func pairs() {
    left.send(1)
    left.send(2)
    right.send(10)
    right.send(20)
    right.send(30)
    #expect(recorder.values == [[1, 10], [2, 20]])
    left.send(3)
    #expect(recorder.values == [[1, 10], [2, 20], [3, 30]])
  }

  @Test("C1 AC20: zip completes as soon as one side has completed and none of its values is buffered")
  func completion() {
    left.send(1)
    right.send(1)
    left.send(2)
    left.complete()
    #expect(recorder.completion == nil)
    right.send(2)
    #expect(recorder.events == [.next([1, 1]), .next([2, 2]), .completed])
  }

  @Test("C1: zip completes when a side without buffered values completes")
  func completionWithNothingWaiting() {
    right.send(1)
    left.complete()
    #expect(recorder.events == [.completed])
    #expect(recorder.subscription.isDisposed)
  }

  @Test(
    "C2: zip forwards a failure immediately, before pairs that could still form", arguments: [false, true])
  func failure(isLeft: Bool) {
    left.send(1)
    left.send(2)
    if isLeft { left.fail(Oops()) } else { right.fail(Oops()) }
    right.send(1)
    #expect(recorder.events == [.failed(Oops())])
  }

  @Test(
    "C2 AC21: zip ignores a failure after its completion, but not one before it",
    arguments: ["before", "after"])
  func failureAndCompletion(order: String) {
    for value in 1...2 { right.send(value) }
    right.complete()
    for value in 1...(order == "after" ? 2 : 1) { left.send(value) }
    left.fail(Oops())
    let pairs: [Event<[Int], Oops>] = order == "after" ? [.next([1, 1]), .next([2, 2])] : [.next([1, 1])]
    #expect(recorder.events == pairs + [order == "after" ? .completed : .failed(Oops())])
  }

  @Test("C3 AC22: zip keeps three signals of different speeds in step, and fails when one of them does")
  func three() {
    let third = Subject<Int, Oops>()
    let all = Recorder(left.zip(with: right, third).map { [$0.0, $0.1, $0.2] })
    for value in 1...4 { left.send(value) }
    for value in 1...3 { right.send(value) }
    right.complete()
    for value in 1...2 { third.send(value) }
    third.fail(Oops())
    third.send(3)
    #expect(all.events == [.next([1, 1, 1]), .next([2, 2, 2]), .failed(Oops())])
  }

  @Test("zip with an infinite synchronous signal on the right completes with the left one")
  func infinite() {
    let zipped = Signal<String, Never>(["a", "b"]).zip(with: Signal(0...)).map { "\($0.0)\($0.1)" }
    #expect(Recorder(zipped).events == [.next("a0"), .next("b1"), .completed])
  }

  @Test("zip releases buffered values when it fails or is disposed", arguments: [false, true])
  func waitingValues(fails: Bool) {
    let resources = Resources()
    let waiting = Subject<Resources.Resource, Oops>()
    let subscription = waiting.zip(with: left).subscribe(failed: { _ in })
    for _ in 0..<10 { waiting.send(resources.make()) }
    left.send(1)
    #expect(resources.alive == 9)
    if fails { left.fail(Oops()) } else { subscription.dispose() }
    #expect(resources.alive == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test("zip keeps buffered values in order while the buffer grows and empties")
  func longQueue() {
    var sent = 0
    var paired = 0
    for burst in [1, 3, 2, 7, 1, 20, 4] {
      for _ in 0..<burst {
        left.send(sent)
        sent += 1
      }
      for _ in 0..<(burst / 2) {
        right.send(paired)
        paired += 1
      }
    }
    while paired < sent {
      right.send(paired)
      paired += 1
    }
    #expect(recorder.values == (0..<sent).map { [$0, $0] })
  }

  @Test("zip pairs values sent by two threads in order, and delivers one pair at a time")
  func concurrent() {
    let pairs = Box<[[Int]]>([])
    let grammar = Grammar<[Int], Oops>(next: { pairs.value.append($0) })
    let subscription = grammar.subscribe(to: left.zip(with: right).map { [$0.0, $0.1] })
    withThreads(2) { [left, right] index in
      let side = index == 0 ? left : right
      for value in 0..<1_000 { side.send(value) }
      side.complete()
    }
    #expect(pairs.value == (0..<1_000).map { [$0, $0] })
    #expect(grammar.violations == 0)
    #expect(subscription.isDisposed)
  }

  @Test("zip of an array of signals emits arrays, and completes with the shortest signal")
  func array() {
    let signals = [Signal<String, Never>(["a", "b"]), Signal(["c", "d", "e"]), Signal(["f", "g"])]
    #expect(
      Recorder(Signal.zip(signals)).events == [.next(["a", "c", "f"]), .next(["b", "d", "g"]), .completed])
  }

  @Test("the time to zip many signals does not grow with the square of their number")
  func manySignals() {
    // Each completes before there is a row. Checking all signals at each completion would take a hundred
    // times as long for ten times as many.
    let (few, many) = (timeToZip(manyRounds / 50), timeToZip(manyRounds / 5))
    #expect(many < few * 40)
  }

  private func timeToZip(_ count: Int) -> Duration {
    let signals = [Signal<Int, Never>](repeating: Signal([1, 2]), count: count)
    return processorTime {
      let counts = Recorder(Signal.zip(signals).map(\.count))
      #expect(counts.events == [.next(count), .next(count), .completed])
    }
  }

  @Test("C1: zip completes after the last row of the shortest side, in whatever order the sides complete")
  func endsInAnyOrder() {
    // The sides send these numbers of values and complete, in each order; the fewest values decide.
    for counts in [[1, 2, 3], [3, 2, 1], [2, 1, 3], [2, 2, 2], [0, 2, 1], [3, 1, 1]] {
      for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let sides = counts.map { _ in Subject<Int, Never>() }
        let zipped = Recorder(Signal.zip(sides.map(\.signal)))
        for side in order {
          for value in 0..<counts[side] { sides[side].send(value) }
          sides[side].complete()
        }
        let rows = (0..<(counts.min() ?? 0)).map { [$0, $0, $0] }
        #expect(zipped.events == rows.map { .next($0) } + [.completed], "\(counts) in the order \(order)")
      }
    }
  }

  @Test("zip completes with the last buffered value of a completed side whose backlog overflowed")
  func overflowAndEnd() {
    for (overflow, last) in [(Overflow<Oops>.dropNewest, 2), (.dropOldest, 5)] {
      let (quick, slow) = (Subject<Int, Oops>(), Subject<Int, Oops>())
      let kept = Recorder(
        quick.zip(with: slow, waiting: .bounded(2, onOverflow: overflow)).map { [$0.0, $0.1] })
      for value in 1...5 { quick.send(value) }
      quick.complete()
      slow.send(1)
      #expect(kept.events == [.next([last - 1, 1])])
      slow.send(2)
      #expect(kept.events == [.next([last - 1, 1]), .next([last, 2]), .completed])
    }
  }

  @Test("a full backlog fails with the given error and releases the buffered values")
  func overflowFails() {
    let resources = Resources()
    let quick = Subject<Resources.Resource, Oops>()
    let failures = Box<[Oops]>([])
    let pairs = Counter()
    quick.zip(with: left, waiting: .bounded(3, onOverflow: .fail(Oops(code: 7)))).subscribe(
      next: { _ in pairs.add() }, failed: { failures.value.append($0) })
    for _ in 0..<3 { quick.send(resources.make()) }
    left.send(0)
    quick.send(resources.make())
    #expect((pairs.value, resources.alive, failures.value) == (1, 3, []))
    quick.send(resources.make())
    #expect((pairs.value, resources.alive, failures.value) == (1, 0, [Oops(code: 7)]))
  }

  @Test("a full backlog with .dropNewest drops the newest value")
  func overflowDrops() {
    let kept = Recorder(
      left.zip(with: right, waiting: .bounded(2, onOverflow: .dropNewest)).map { [$0.0, $0.1] })
    for value in 1...5 { left.send(value) }
    for value in 1...3 { right.send(value) }
    left.send(6)
    #expect(kept.values == [[1, 1], [2, 2], [6, 3]])
  }

  @Test(
    "a full backlog with .dropOldest drops and counts the oldest value, whose partner gets the next one",
    arguments: [1, 2, 3])
  func overflowDropsOldest(bound: Int) {
    let resources = Resources()
    let drops = DropCounter()
    let counted = left.map { (number: $0, token: resources.make()) }
    let kept = Recorder(
      counted.zip(with: right, waiting: .bounded(bound, onOverflow: .dropOldest, countingIn: drops))
        .map { [$0.0.number, $0.1] })
    for value in 1...10 { left.send(value) }
    #expect(resources.alive == bound)
    for value in 1...3 { right.send(value) }
    left.send(11)
    left.send(12)
    left.send(13)
    let expected = [
      1: [[10, 1], [11, 3]], 2: [[9, 1], [10, 2], [11, 3]], 3: [[8, 1], [9, 2], [10, 3]],
    ]
    #expect(kept.values == expected[bound])
    #expect(drops.count == [1: 11, 2: 8, 3: 7][bound])
  }

  @Test("a full backlog stops the process by default", .millionsOfValues)
  func overflowTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (quick, slow) = (Subject<Int, Never>(), Subject<Int, Never>())
      quick.zip(with: slow).subscribe(next: { _ in })
      for value in 0...1_048_576 { quick.send(value) }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("weir: zip: 1048576 values are buffered"))
  }

  @Test("the default backlog holds 1,048,576 values, in order; unbounded holds more", .millionsOfValues)
  func defaultBacklog() {
    let partners = 1_000
    for (count, backlog) in [(1_048_576, Backlog<Oops>.standard), (1_100_000, .unbounded)] {
      let (quick, slow) = (Subject<Int, Oops>(), Subject<Int, Oops>())
      let sum = Box(0)
      let inOrder = Box(true)
      quick.zip(with: slow, waiting: backlog).subscribe(
        next: { pair in
          inOrder.value = inOrder.value && pair.0 == pair.1
          sum.value += 1
        }, failed: { _ in })
      for value in 0..<count { quick.send(value) }
      for value in 0..<partners { slow.send(value) }
      #expect((sum.value, inOrder.value) == (partners, true))
    }
  }
}
