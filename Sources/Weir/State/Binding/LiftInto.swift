// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Calls a method of `object` with each value of the signal, and sends what the method returns. A tuple is
  /// passed as several arguments.
  ///
  /// ```swift
  /// let areas = widths.combineLatest(with: heights).lift(into: view) { view, width, height in
  ///   view.resize(width, height)
  /// }
  /// ```
  ///
  /// This signal is subscribed at once, whether or not anybody subscribes to the returned signal, which
  /// replays the last result. For a method without a result it sends `()`. The calls are made one after the
  /// other, on the threads that send the values. So with ``combineLatest(with:_:_:)`` there is a first call
  /// when each signal has sent a value, and then one for each new value.
  ///
  /// The returned signal completes with this signal, or when the lifetime of the object ends; if that has
  /// ended already, this signal is not subscribed. It fails with this signal, and if `call` throws; a failure
  /// is reported (``UnhandledErrors``) if nobody has received it when the returned signal is released, as it
  /// is when it is discarded.
  ///
  /// The object is not retained, except during a call. The last result is held by this signal while it runs,
  /// and by the returned signal and its subscribers: they get the end of the object even if this signal has
  /// let go before. If that result refers to the object, it keeps the object alive. Buffers nothing unless
  /// threads meet, and then in a queue that is bounded only by memory.
  ///
  /// - Parameters:
  ///   - object: the receiver of the calls; held weakly.
  ///   - fileID: the place that an unhandled error is reported with.
  ///   - line: the line in `fileID`.
  ///   - call: calls the method; its arguments are the object, and the elements of a value.
  ///
  /// ReactiveObjC: `-rac_liftSelector:withSignalOfArguments:`, and with `combineLatest`
  /// `-rac_liftSelector:withSignals:`.
  @inlinable @discardableResult
  public func lift<Object: HasLifetime & Sendable, each Argument, Result: Sendable>(
    into object: Object, fileID: StaticString = #fileID, line: UInt = #line,
    _ call: @escaping @Sendable (Object, repeat each Argument) throws(Failure) -> Result
  ) -> Signal<Result, Failure> where Value == (repeat each Argument) {
    weak let receiver = object
    // Returns nil when the object is being deallocated, and its lifetime is about to end.
    @Sendable func callWeakly(_ arguments: (repeat each Argument)) throws(Failure) -> Result? {
      guard let receiver else { return nil }
      return try call(receiver, repeat each arguments)
    }
    let site = SourceSite(fileID: fileID, line: line)
    let results = ReplaySubject<Result, Unreceived<Failure>>(capacity: 1)
    // The lifetime of the object is no reason to retain results that nobody can get any more.
    let waiting = object.lifetime.ended.subscribe(completed: { [weak results] in results?.complete() })
    if !waiting.isDisposed {
      let run = Subscription()
      results.adopt(waiting)
      results.adopt(run)
      compactMap(callWeakly).attach(
        Sink(
          next: { results.send($0) },
          terminate: { completion in
            if run.isDisposed { return }
            // Of the end of the signal and that of the object, the first one counts. An error that comes
            // second is reported when it is released; so there is no mapError here, which might report it,
            // too.
            let end = completion.unreceived(at: site)
            if run.end(), waiting.end() { results.terminate(end) }
          },
          subscription: run))
    }
    // Each subscriber retains the results until it leaves, so that it gets the end of the object.
    return results.mapError { error in withExtendedLifetime(results) { error.receive() } }
  }
}
