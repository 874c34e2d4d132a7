// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// A signal that sends what `body` returns and completes, or fails with what it throws.
  ///
  /// `body` runs once per subscription, on the subscribing thread, unless the subscription has already ended.
  ///
  /// ReactiveObjC: `+try:`.
  @inlinable @inline(__always)
  public init(catching body: @escaping @Sendable () throws(Failure) -> Value) {
    self.init(
      .immediate,
      attaching: { sink, _ in
        if sink.isEnded { return }
        do throws(Failure) {
          sink.next(try body())
        } catch {
          return sink.fail(thrown: error)
        }
        if !sink.isEnded { sink.terminate(.completed) }
      })
  }

  /// A signal that sends the value of a result and completes, or fails with its error, on the subscribing
  /// thread.
  ///
  /// ReactiveObjC has no such source.
  @inlinable @inline(__always)
  public init(result: Result<Value, Failure>) where Value: Sendable {
    self.init(catching: { () throws(Failure) in try result.get() })
  }
}
