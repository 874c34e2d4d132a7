// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// The values as an asynchronous sequence.
  ///
  /// ```swift
  /// for try await order in orders.values() { try await store(order) }
  /// ```
  ///
  /// Each iteration is a subscription of its own, which has begun when `makeAsyncIterator()` returns, before
  /// the first value is asked for: what is sent from then on is not missed. The source runs where it runs;
  /// the values come where the task runs that asks for them, in order, each once. What waits is delivered
  /// before the end, and before a failure, which is thrown with its type; with a failure of `Never` there is
  /// nothing to `try`. After that the next value is nil for ever. A source that is released without a
  /// terminal event has ended; but this sequence keeps it, so do not keep that beside the loop.
  ///
  /// When the task is cancelled, the next value is nil, and the subscription is disposed and what waits
  /// released: at once where the task is waiting, or else when it asks for the next value. Leaving the loop
  /// does the same, when the iterator is released. If the task is waiting, dispose actions and the `deinit`s
  /// of what waits run inside `cancel()`, where Swift holds a lock of the task: they must not wait for
  /// anything that needs this task.
  ///
  /// Values wait in a ring, as with ``observe(on:_:waiting:failures:)``, which tells its memory; it stays
  /// until the iterator is released. What the task has claimed, up to 256 values and a quarter of the bound,
  /// does not count as waiting. A source that sends all it has at once does so while the iterator is made, so
  /// the bound must hold that; iterate a sequence itself rather than a signal of it. If a value waits, taking
  /// it does not suspend; that costs 30 to 50 ns, half of it for asking whether the task was cancelled, and
  /// allocates nothing. If none waits, the task is suspended, and whoever sends the next one has it enqueued:
  /// a microsecond or two for both. For millions of values per second take ``AsyncValues/chunks``. A task
  /// that finds a value each time does not yield: call `Task.yield()` in a long loop.
  ///
  /// - Parameter backlog: how many values may wait, at least one, and what becomes of one too many.
  ///   ``Overflow/fail(_:)`` throws, without what waits. Unless given, one more than 1,048,576 stops the
  ///   process (``Overflow/trap``). With ``Backlog/unbounded``: 2³⁰.
  /// - Precondition: the bound is positive.
  ///
  /// ReactiveObjC: `-sequence`, `-toArray`, which block a thread.
  @inlinable
  public func values(waiting backlog: Backlog<Failure> = .standard) -> AsyncValues<Value, Failure> {
    AsyncValues(of: signal, waiting: backlog)
  }
}

/// The values of a signal for tasks: see ``SignalConvertible/values(waiting:)``, also for where they come,
/// what waits, and how it ends.
///
/// May be iterated any number of times, also at the same time: each iteration is a subscription of its own.
///
/// ReactiveObjC: `-sequence`, which blocks the thread that reads it.
@frozen
public struct AsyncValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// What it is a sequence of.
  public typealias Element = Value

  @usableFromInline let source: Signal<Value, Failure>
  @usableFromInline let backlog: Backlog<Failure>

  @inlinable
  init(of source: Signal<Value, Failure>, waiting backlog: Backlog<Failure>) {
    self.source = source
    self.backlog = backlog
  }

  /// Subscribes, on the calling thread: what a source sends at once, it sends in here. What comes from then
  /// on waits for the iterator. The subscription ends with the signal, when the task is cancelled, or when
  /// the iterator is released.
  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(AwaitedReader(of: source, waiting: backlog)) }

  /// A subscription whose values are asked for. Disposed when it is released, with what waits; deep inside of
  /// other releases, when the innermost of them is over.
  ///
  /// For one task at a time: a copy is the same subscription, and two tasks that wait in ``next(isolation:)``
  /// of one stop the process.
  @frozen
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let reader: AwaitedReader<Value, Failure>
    @inlinable init(_ reader: AwaitedReader<Value, Failure>) { self.reader = reader }

    /// The next value; nil when the signal has completed, or the task was cancelled. Suspends only if none
    /// waits.
    ///
    /// - Parameter actor: where the task goes on.
    /// - Throws: what the signal has failed with, once.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Value? {
      let inbox = reader.inbox
      if Task.isCancelled {
        inbox.finishForTask()
        return nil
      }
      if !inbox.hasInHand, try await !inbox.refill(isolation: actor) { return nil }
      return inbox.take()
    }
  }
}

@available(*, unavailable)
extension AsyncValues.Iterator: Sendable {}

/// What an iterator keeps of its inbox. When it is released, nobody asks for values any more.
@usableFromInline
final class AwaitedReader<Value: Sendable, Failure: Error> {
  @usableFromInline let inbox: AwaitedInbox<Value, Failure, TaskSleeper>

  @inlinable
  init(of source: Signal<Value, Failure>, waiting backlog: Backlog<Failure>) {
    inbox = AwaitedInbox(waiting: backlog)
    inbox.listen(to: source)
  }

  /// What waits may keep another iterator, and so may a clean-up of the source, and so on.
  deinit { ReleaseQueue().end(inbox) { $0.finish() } }
}
