// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension AsyncValues {
  /// The same values in arrays: all that wait, up to 1,024, with those that come while they are taken.
  ///
  /// ```swift
  /// for await lines in log.values().chunks { index.insert(contentsOf: lines) }
  /// ```
  ///
  /// For a task that keeps up with millions of values per second: it is suspended, and asks whether it was
  /// cancelled, once for an array. No array is empty, and none waits to become full: for that there is
  /// ``SignalConvertible/collect(count:)``. An array is one allocation; the rest is as for the values one by
  /// one.
  ///
  /// ReactiveObjC has none.
  @inlinable public var chunks: Chunks { Chunks(self) }

  /// The values of a signal for tasks, many at a time: see ``AsyncValues/chunks``.
  @frozen
  public struct Chunks: AsyncSequence, Sendable {
    /// What it is a sequence of.
    public typealias Element = [Value]

    @usableFromInline let values: AsyncValues
    @inlinable init(_ values: AsyncValues) { self.values = values }

    /// Subscribes, as ``AsyncValues/makeAsyncIterator()`` does.
    @inlinable
    public func makeAsyncIterator() -> Iterator { Iterator(values.makeAsyncIterator()) }

    /// A subscription whose values are asked for, many at a time; see ``AsyncValues/Iterator``.
    @frozen
    public struct Iterator: AsyncIteratorProtocol {
      @usableFromInline let reader: AwaitedReader<Value, Failure>
      @inlinable init(_ values: AsyncValues.Iterator) { reader = values.reader }

      @inlinable static var largest: Int { 1_024 }

      /// What waits, but not nothing; nil when the signal has completed, or the task was cancelled. Suspends
      /// only if nothing waits.
      ///
      /// - Parameter actor: where the task goes on.
      /// - Throws: what the signal has failed with, once.
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
