// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Runs the signal that `handler` returns in place of a failure.
  ///
  /// The failed source is disposed first. If its clean-up ends the run, `handler` is not called, and the
  /// error goes to ``UnhandledErrors``. The new signal is subscribed where the source failed, shares the
  /// subscription, and ends it in its own way: it may fail too, with another type of error, or with `Never`.
  /// (So a `handler` returns ``fail(_:)`` where others throw.) Values and completion pass through.
  /// Buffers nothing.
  ///
  /// ```swift
  /// prices.catch { $0.isOutage ? .just(0) : .fail(Rejected()) }
  /// ```
  ///
  /// ReactiveObjC: `-catch:`.
  @inlinable
  public func `catch`<NewFailure>(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> {
    replacingFailure(by: handler)
  }

  /// Runs the signal that `handler` returns in place of a failure, and which never fails. The rest is as with
  /// ``catch(_:)->Signal<Self.Value,NewFailure>``.
  ///
  /// ```swift
  /// prices.catch { _ in .just(0) }
  /// ```
  ///
  /// It stands here because the compiler does not guess that a signal never fails.
  ///
  /// ReactiveObjC: `-catch:`.
  @inlinable
  public func `catch`(
    _ handler: @escaping @Sendable (Failure) -> Signal<Value, Never>
  ) -> Signal<Value, Never> {
    replacingFailure(by: handler)
  }

  @inlinable @inline(__always)
  func replacingFailure<NewFailure>(
    by handler: @escaping @Sendable (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> {
    Signal<Value, NewFailure>(
      .sequence,
      connecting: { [connect = signal.connect] sink in
        let sequence = sink.sequence
        // Not owned: it owns the signal until that runs, and is owned by its sink from then on.
        let guarded = Signal<Value, NewFailure>(connecting: { [unowned sequence] sink in
          connect(
            sink.stage { (completion: Completion<Failure>) in
              switch completion {
              case .finished: sink.terminate(.finished)
              case .failed(let error):
                let replacement = handler(error)
                if !sink.isEnded { sink.goOn(as: replacement, in: sequence) }
              }
            })
        })
        if let sequence { sequence.waiting.append(guarded) } else { guarded.attach(sink) }
      })
  }

  /// Runs `replacement` in place of a failure, whatever the error. The rest is as with
  /// ``catch(_:)->Signal<Self.Value,NewFailure>``.
  ///
  /// ```swift
  /// prices.catchTo(Signal<Int, Never>.empty())
  /// ```
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
