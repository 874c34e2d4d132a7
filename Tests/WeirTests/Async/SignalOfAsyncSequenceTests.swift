// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Signals of asynchronous sequences.
struct SignalOfAsyncSequenceTests {
  private let stage = TaskStage()

  /// Counts up to a limit, and also counts the requests. Its iterator is not `Sendable`.
  private struct Numbers: AsyncSequence, Sendable {
    let limit: Int
    var failure: Oops?
    let asked = Counter()
    let iterators = Counter()

    struct Iterator: AsyncIteratorProtocol {
      let numbers: Numbers
      let position = Box(0)
      mutating func next(isolation actor: isolated (any Actor)?) async throws(Oops) -> Int? {
        numbers.asked.add()
        if position.value == numbers.limit {
          if let failure = numbers.failure { throw failure }
          return nil
        }
        position.value += 1
        return position.value
      }
    }
    func makeAsyncIterator() -> Iterator {
      iterators.add()
      return Iterator(numbers: self)
    }
  }

  @Test("each subscription starts an iteration of its own, and receives all elements and a completion")
  func elements() {
    let numbers = Numbers(limit: 3)
    let signal = Signal(numbers, executorPreference: stage.executor)
    stage.run()
    #expect(numbers.iterators.value == 0)
    let recorders = (0..<2).map { _ in Recorder(signal) }
    stage.run()
    for recorder in recorders { #expect(recorder.events == [.next(1), .next(2), .next(3), .completed]) }
    #expect(numbers.iterators.value == 2)
  }

  @Test("an error thrown by the iterator becomes the signal's failure, with its type")
  func failure() {
    let signal = Signal(Numbers(limit: 1, failure: Oops(code: 9)), executorPreference: stage.executor)
    let recorder = Recorder(signal)
    stage.run()
    #expect(recorder.events == [.next(1), .failed(Oops(code: 9))])
  }

  @Test("an element is requested only after the previous one is delivered, and none after disposal")
  func backPressure() {
    let numbers = Numbers(limit: .max)
    let asked = Box<[Int]>([])
    let signal = Signal(numbers, executorPreference: stage.executor)
    let recorder = Recorder(signal.doNext { _ in asked.value.append(numbers.asked.value) }.take(first: 3))
    stage.run()
    #expect(asked.value == [1, 2, 3] && numbers.asked.value == 3)
    #expect(recorder.events.count == 4)
  }

  @Test("an iteration that never suspends yields to other tasks after 256 elements")
  func yielding() {
    let signal = Signal(Numbers(limit: 600), executorPreference: stage.executor)
    let (first, meanwhile) = (Recorder(signal), Box<Int?>(nil))
    let second = Recorder(
      signal.doNext { _ in if meanwhile.value == nil { meanwhile.value = first.values.count } })
    stage.run()
    #expect(meanwhile.value == 256)
    for recorder in [first, second] { #expect(recorder.values == Array(1...600)) }
  }

  @Test("disposal cancels a suspended iteration and releases downstream at once")
  func disposed() {
    let (resources, source) = (Resources(), Subject<Int, Never>())
    let ends = Counter()
    let values = source.signal.on(disposed: { ends.add() }).values()
    let recorder = Recorder(
      Signal(values, executorPreference: stage.executor).doNext { [token = resources.make()] _ in _ = token })
    stage.run()
    source.send(1)
    stage.run()
    #expect(recorder.values == [1] && resources.alive == 1)
    recorder.dispose()
    #expect(resources.alive == 0 && source.subscriberCount == 0)
    stage.run()
    source.send(2)
    #expect(recorder.events == [.next(1)] && ends.value == 1)
  }

  @Test("a hundred thousand values make the round trip through values() completely and in order")
  func roundTrip() async {
    let signal = Signal(Signal<Int, Never>.range(0..<manyRounds).values())
    let all = await signal.allValues()
    let isComplete = all.elementsEqual(0..<manyRounds)
    #expect(isComplete)
  }

  @Test("a signal of an AsyncStream or AsyncThrowingStream delivers its elements or its error")
  func stream() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    continuation.yield(1)
    continuation.yield(2)
    continuation.finish()
    #expect(await Signal(stream).allValues() == [1, 2])
    let throwing = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Oops(code: 4)) }
    await #expect(throws: Oops(code: 4)) { try await Signal(throwing).completion() }
  }

  @Test("a signal of a synchronous sequence still sends its elements inside `subscribe`")
  func plain() {
    #expect(Recorder(Signal<Int, Never>([1, 2])).values == [1, 2])
    #expect(Recorder(Signal<Int, Never>(1...2)).values == [1, 2])
  }
}
