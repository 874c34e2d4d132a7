// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Value: Sendable {
  /// The values as an asynchronous sequence.
  ///
  /// ```swift
  /// for try await order in orders.values() { try await store(order) }
  /// ```
  ///
  /// Each iteration is a subscription of its own, which has started when `makeAsyncIterator()` returns,
  /// before the first value is requested: values sent from then on are not missed. The source stays on its
  /// own threads; the iterating task receives the values in order, each once. Buffered values are delivered
  /// before the end, even before a failure, which is thrown with its type; with a failure of `Never` there is
  /// nothing to `try`. After the end every further value is nil. A source that is released without a terminal
  /// event has ended, too; but this sequence retains it, so do not retain the sequence during the loop.
  /// (Swift 6.3 crashes if `try?`, or a `do` with a plain `catch`, is put around a function such as
  /// `contains` or `reduce` of a sequence whose failure is a type of your own: call it in a function that
  /// throws, or in a `do throws(any Error)`.)
  ///
  /// When the task is cancelled, the next value is nil. A task that is suspended here stops the source at
  /// once, inside `cancel()`, and continues; another one does it when it requests the next value. Then, in
  /// the task, the dispose actions run, and buffered values are released, as is a failure that is still
  /// buffered, which is not reported. Leaving the loop does all of that when the iterator is released.
  ///
  /// Values are buffered in a ring, as with ``observe(on:_:waiting:failures:)``, which documents its memory;
  /// the ring stays until the iterator is released. Values that the task has claimed, up to 256 and a quarter
  /// of the bound, do not count as buffered. A source that sends all its values at once does so while the
  /// iterator is created, so the bound must hold them all; iterate a sequence itself rather than a signal of
  /// it. Taking a buffered value does not suspend; it costs 30 to 50 ns, half of it for the check for
  /// cancellation, and allocates nothing. If none is buffered, the task is suspended, and the thread that
  /// sends the next one enqueues the task: a microsecond or two for both. For millions of values per second
  /// use ``AsyncValues/chunks``. A task that always finds a value does not yield: call `Task.yield()` in a
  /// long loop.
  ///
  /// - Parameter backlog: how many values may be buffered, at least one, and what happens when one more
  ///   arrives. With ``Overflow/fail(_:)`` the next request throws: neither buffered nor claimed values are
  ///   delivered. By default, one more than 1,048,576 stops the process (``Overflow/trap``). With
  ///   ``Backlog/unbounded``: 2³⁰.
  /// - Precondition: the bound is positive; this is checked when the iterator is made.
  ///
  /// ReactiveObjC: `-sequence`, `-toArray`, which block a thread.
  @inlinable
  public func values(waiting backlog: Backlog<Failure> = .standard) -> AsyncValues<Value, Failure> {
    AsyncValues(of: signal, waiting: backlog)
  }
}

/// An asynchronous sequence of the values of a signal: see ``SignalConvertible/values(waiting:)``, also for
/// where they are delivered, what is buffered, and how it ends.
///
/// May be iterated any number of times, even concurrently: each iteration is a subscription of its own.
///
/// ReactiveObjC: `-sequence`, which blocks the thread that reads it.
@frozen
public struct AsyncValues<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = Value

  @usableFromInline let source: Signal<Value, Failure>
  @usableFromInline let backlog: Backlog<Failure>

  @inlinable
  init(of source: Signal<Value, Failure>, waiting backlog: Backlog<Failure>) {
    self.source = source
    self.backlog = backlog
  }

  /// Subscribes on the calling thread, even in a task that is cancelled already: a source that sends at once
  /// does so inside this call. Values that arrive from then on are buffered for the iterator. The
  /// subscription ends with the signal, when the task is cancelled, or when the iterator is released.
  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(AwaitedReader(of: source, waiting: backlog)) }

  /// A subscription whose values are requested. Disposed when it is released, with the buffered values; deep
  /// inside other releases, when the innermost of them is over.
  ///
  /// For one task at a time: a copy is the same subscription, and two tasks that wait in ``next(isolation:)``
  /// of one stop the process.
  @frozen
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let reader: AwaitedReader<Value, Failure>
    @inlinable init(_ reader: AwaitedReader<Value, Failure>) { self.reader = reader }

    /// The next value; nil when the signal has completed, or the task was cancelled. Suspends only if none is
    /// buffered.
    ///
    /// - Parameter actor: the actor on which the task continues.
    /// - Throws: the error with which the signal has failed, once.
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

/// What an iterator retains of its inbox. When it is released, no more values are requested.
@usableFromInline
final class AwaitedReader<Value: Sendable, Failure: Error> {
  @usableFromInline let inbox: AwaitedInbox<Value, Failure, TaskSleeper>

  @inlinable
  init(of source: Signal<Value, Failure>, waiting backlog: Backlog<Failure>) {
    inbox = AwaitedInbox(waiting: backlog)
    inbox.listen(to: source)
  }

  /// Buffered values may retain another iterator, and so may a clean-up of the source, and so on.
  deinit { ReleaseQueue().end(inbox) { $0.finish() } }
}
