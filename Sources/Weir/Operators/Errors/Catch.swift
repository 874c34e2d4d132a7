// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs the signal that `handler` returns in place of a failure.
  ///
  /// The failed source is disposed first (but see ``Signal/create(_:)`` for one that fails while it is being
  /// subscribed). If its clean-up ends the run, `handler` is not called, and the error goes to
  /// ``UnhandledErrors``. The new signal is subscribed on the thread on which the source failed, shares the
  /// subscription, and ends it: it may fail, too, with another type of error, or with `Never`. (So a
  /// `handler` returns ``fail(_:)`` where other closures throw.) Values and completion pass through. If the
  /// source lets go without a terminal event, the run ends without one, and `handler` is not called. Buffers
  /// nothing.
  ///
  /// ```swift
  /// prices.catch { $0.isOutage ? .just(0) : .fail(Rejected()) }
  /// ```
  ///
  /// If a closure follows in the same expression, as in `.catch { … }.map { … }`, the compiler assumes that
  /// the new signal never fails: if it may, name its type of failure, with ``catch(to:_:)``.
  ///
  /// ReactiveObjC: `-catch:`.
  @inlinable
  public func `catch`<NewFailure>(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> {
    replacingFailure(by: handler)
  }

  /// Runs the signal that `handler` returns in place of a failure, where that signal cannot fail. The rest is
  /// as with ``catch(_:)->Signal<Self.Value,NewFailure>``.
  ///
  /// ```swift
  /// prices.catch { _ in .just(0) }
  /// ```
  ///
  /// This overload exists because the compiler does not infer that a signal cannot fail.
  ///
  /// ReactiveObjC: `-catch:`.
  @inlinable
  public func `catch`(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, Never>
  ) -> Signal<Value, Never> {
    replacingFailure(by: handler)
  }

  /// Runs the signal that `handler` returns in place of a failure, and names the type of its failure, so that
  /// operators with closures can follow in the same expression. The rest is as with
  /// ``catch(_:)->Signal<Self.Value,NewFailure>``.
  ///
  /// ```swift
  /// prices.catch(to: Rejected.self) { $0.isOutage ? .just(0) : .fail(Rejected()) }.map { $0 * 2 }
  /// ```
  ///
  /// It ends as the new signal does, delivers where the source and then the new signal send, and buffers
  /// nothing.
  ///
  /// - Parameters:
  ///   - type: the type of failure of the new signal.
  ///   - handler: returns the signal to go on with.
  ///
  /// ReactiveObjC: `-catch:`, which has no types of failures.
  @inlinable
  public func `catch`<NewFailure>(
    to type: NewFailure.Type, _ handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> {
    replacingFailure(by: handler)
  }

  @inlinable @inline(__always)
  func replacingFailure<NewFailure>(
    by handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(
      .sequence,
      attaching: { [signal] sink, _ in
        let sequence = sink.sequence
        // Not owned: the sequence owns the signal until the signal runs, and is owned by its sink from then
        // on.
        let guarded = Signal<Value, NewFailure>(attaching: { [unowned sequence] sink, _ in
          signal.attach(
            sink.stage { (completion: Completion<Failure>) in
              switch completion {
              case .completed: sink.terminate(.completed)
              case .failed(let error):
                let replacement = handler(error)
                if !sink.isEnded { sink.goOn(as: replacement, in: sequence) }
              }
            })
        })
        if let sequence { sequence.put(guarded) } else { guarded.attach(sink) }
      })
  }

  /// Runs `replacement` in place of a failure, whatever the error. The rest is as with
  /// ``catch(_:)->Signal<Self.Value,NewFailure>``.
  ///
  /// ```swift
  /// prices.catchTo(Signal<Int, Never>.empty())
  /// ```
  ///
  /// If a closure follows in the same expression and the replacement may fail, write
  /// `catch(to: Rejected.self) { _ in replacement }`: see ``catch(to:_:)``.
  ///
  /// ReactiveObjC: `-catchTo:`.
  @inlinable
  public func catchTo<NewFailure>(
    _ replacement: some SignalConvertible<Value, NewFailure>
  ) -> Signal<Value, NewFailure> {
    let replacement = replacement.signal
    return replacingFailure { _ in replacement }
  }
}
