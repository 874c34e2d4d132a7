// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Observation
import Testing
import Weir
import WeirTesting

@MainActor
struct ObservingModelTests {
  @Observable final class Model {
    var count = 0
    var other = 0
  }

  /// The values of a signal, one by one.
  private func values<Value: Sendable>(
    of signal: Signal<Value, Never>
  ) -> (stream: AsyncStream<Value>, subscription: Subscription) {
    let (stream, continuation) = AsyncStream<Value>.makeStream()
    return (stream, signal.subscribe { continuation.yield($0) })
  }

  @Test("DD-15: observing sends the current value, and then the new value after each change")
  func afterTheChange() async {
    let model = Model()
    let (stream, subscription) = values(of: .observing { model.count })
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    for count in 1...200 {
      model.count = count
      #expect(await iterator.next() == count)
    }
    subscription.dispose()
  }

  @Test("DD-15: changes without a suspension point between them produce one value, the last")
  func coalescing() async {
    let model = Model()
    let (stream, subscription) = values(of: .observing { model.count })
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    model.count = 1
    model.count = 2
    #expect(await iterator.next() == 2)
    subscription.dispose()
  }

  @Test("DD-15: neither an equal value nor a change of another member produces a value")
  func unrelated() async {
    let model = Model()
    let (counts, others) = (values(of: .observing { model.count }), values(of: .observing { model.other }))
    var (count, other) = (counts.stream.makeAsyncIterator(), others.stream.makeAsyncIterator())
    #expect(await count.next() == 0)
    #expect(await other.next() == 0)
    // A value for each of these rounds would come before the last one.
    for round in 1...200 {
      model.count = 0
      model.other = round
      #expect(await other.next() == round)
    }
    model.count = 1
    #expect(await count.next() == 1)
    counts.subscription.dispose()
    others.subscription.dispose()
  }

  @Test(
    "two subscribers of one signal both get a change that is made while one of them receives a value"
  )
  func twoSubscribers() async {
    // It holds up one of the threads for tasks until the other one has delivered: so no other tests may be
    // waiting for those.
    await #expect(processExitsWith: .success) { await Self.changeWhileReceiving() }
  }

  private static func changeWhileReceiving() async {
    let model = Model()
    let signal = Signal<Int, Never>.observing { model.count }
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let (slowStream, slowContinuation) = AsyncStream<Int>.makeStream()
    let resumed = Door()
    signal.subscribe { continuation.yield($0) }
    signal.subscribe { value in
      slowContinuation.yield(value)
      if value == 0 { resumed.pass() }
    }
    var (values, slowValues) = (stream.makeAsyncIterator(), slowStream.makeAsyncIterator())
    #expect(await values.next() == 0)
    #expect(await slowValues.next() == 0)
    model.count = 1
    #expect(await values.next() == 1)
    resumed.open()
    #expect(await slowValues.next() == 1)
  }

  @Test("disposal releases the subscriber at once, and then the closure that reads the model")
  func disposing() async {
    let resources = Resources()
    let ended = AsyncStream<Void>.makeStream()
    do {
      let signal = Signal<Int, Never>.observing { [door = Closing(ended.continuation)] in
        _ = door
        return 1
      }
      let subscription = signal.subscribe { [token = resources.make()] _ in _ = token }
      subscription.dispose()
      #expect(resources.alive == 0)
    }
    for await _ in ended.stream {}
  }

  /// Ends a stream when it is released.
  private final class Closing: Sendable {
    private let continuation: AsyncStream<Void>.Continuation
    init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }
    deinit { continuation.finish() }
  }
}
