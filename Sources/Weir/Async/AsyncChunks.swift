// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension AsyncValues {
  /// The same values in arrays: each has all buffered values, up to 1,024, including those that arrive
  /// meanwhile.
  ///
  /// ```swift
  /// for await lines in log.values().chunks { index.insert(contentsOf: lines) }
  /// ```
  ///
  /// For a task that has to keep up with millions of values per second: it checks for cancellation once per
  /// array, and suspends at most once. No array is empty, and none is held back until it is full: for that
  /// there is ``SignalConvertible/collect(count:)``. An array is one allocation; the rest is as with single
  /// values.
  ///
  /// ReactiveObjC has none.
  @inlinable public var chunks: Chunks { Chunks(self) }

  /// An asynchronous sequence of the values of a signal, in arrays: see ``AsyncValues/chunks``.
  @frozen
  public struct Chunks: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = [Value]

    @usableFromInline let values: AsyncValues
    @inlinable init(_ values: AsyncValues) { self.values = values }

    /// Subscribes, as ``AsyncValues/makeAsyncIterator()`` does.
    @inlinable
    public func makeAsyncIterator() -> Iterator { Iterator(values.makeAsyncIterator()) }

    /// A subscription whose values are requested many at a time; see ``AsyncValues/Iterator``.
    @frozen
    public struct Iterator: AsyncIteratorProtocol {
      @usableFromInline let reader: AwaitedReader<Value, Failure>
      @inlinable init(_ values: AsyncValues.Iterator) { reader = values.reader }

      @inlinable static var largest: Int { 1_024 }

      /// The buffered values, at least one; nil when the signal has completed, or the task was cancelled.
      /// Suspends only if none is buffered.
      ///
      /// - Parameter actor: the actor on which the task continues.
      /// - Throws: the error with which the signal has failed, once.
      @inlinable
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> [Value]? {
        let inbox = reader.inbox
        if Task.isCancelled {
          inbox.finishForTask()
          return nil
        }
        if !inbox.hasInHand, try await !inbox.refill(isolation: actor) { return nil }
        return inbox.takeChunk(upTo: Self.largest)
      }
    }
  }
}

@available(*, unavailable)
extension AsyncValues.Chunks.Iterator: Sendable {}
