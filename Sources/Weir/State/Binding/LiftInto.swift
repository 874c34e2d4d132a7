// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Calls a method of `object` with each value of the signal, and sends what it returns. A tuple is handed
  /// over as several arguments.
  ///
  /// ```swift
  /// let areas = widths.combineLatest(with: heights).lift(into: view) { view, width, height in
  ///   view.resize(width, height)
  /// }
  /// ```
  ///
  /// This signal is subscribed at once, whether anybody subscribes to the answer or not; the answer replays
  /// the last result. A method without a result sends `()`. The calls are made one after the other, on the
  /// threads on which values come. So with ``combineLatest(with:_:_:)`` there is a first call when each
  /// signal has sent a value, and then one for each new value.
  ///
  /// The answer completes with this signal, or when the lifetime of the object ends; a lifetime that has
  /// ended already does not run the signal. It fails with this signal, and if `call` throws; a failure that
  /// nobody has received when the answer goes, as it does if that is not kept, is reported
  /// (``UnhandledErrors``).
  ///
  /// The object is not kept; it is alive during a call. The last result is kept by this signal while it runs,
  /// and by who has the answer or is subscribed to it: they hear of the end of the object also if this signal
  /// has let go without an event before, as a subject does that is released. If nobody is left of these, all
  /// goes. A result that refers to the object keeps that meanwhile, and so puts off its end. Buffers nothing
  /// unless threads meet.
  ///
  /// - Parameters:
  ///   - object: the receiver of the calls; held weakly.
  ///   - fileID: the place that an unhandled error is reported with.
  ///   - line: the line in `fileID`.
  ///   - call: calls the method; it is handed the object, and the elements of a value.
  ///
  /// ReactiveObjC: `-rac_liftSelector:withSignalOfArguments:`, and with `combineLatest`
  /// `-rac_liftSelector:withSignals:`.
  @discardableResult
  public func lift<Object: HasLifetime & Sendable, each Argument, Result: Sendable>(
    into object: Object, fileID: StaticString = #fileID, line: UInt = #line,
    _ call: @escaping @Sendable (Object, repeat each Argument) throws(Failure) -> Result
  ) -> Signal<Result, Failure> where Value == (repeat each Argument) {
    weak let receiver = object
    // Answers nil when the object is about to go, and its lifetime to end.
    @Sendable func callWeakly(_ arguments: (repeat each Argument)) throws(Failure) -> Result? {
      guard let receiver else { return nil }
      return try call(receiver, repeat each arguments)
    }
    let site = SourceSite(fileID: fileID, line: line)
    let results = ReplaySubject<Result, Undelivered<Failure>>(capacity: 1)
    // The lifetime of the object is no reason to keep results that nobody can get any more.
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
            // Of the end of the signal and that of the object, one counts. An error that does not is reported
            // as it goes; so there is no mapError here, which might report it, too.
            let end = completion.undelivered(at: site)
            if run.end(), waiting.end() { results.terminate(end) }
          },
          subscription: run))
    }
    // Each subscriber keeps the results until it leaves, as it is to be told of the end of the object.
    return results.mapError { error in withExtendedLifetime(results) { error.failure.receive() } }
  }
}
