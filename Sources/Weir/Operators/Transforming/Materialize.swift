// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Sends the events of the signal as values, including the terminal one, and completes. It cannot fail.
  ///
  /// Runs on the sending thread; buffers nothing.
  ///
  /// ReactiveObjC: `-materialize`.
  @inlinable @inline(__always)
  public func materialize() -> Signal<Event<Value, Failure>, Never> {
    lift { sink in
      let (step, frame) = sink.entry
      let terminate: @Sendable (Completion<Failure>) -> Void = { sink.sendOnly(Event($0)) }
      return sink.upstream(
        FailureFrame<Never, Failure>(before: frame, fail: Frame.keeping(terminate)), ending: .early,
        step: { value, frame in
          let own: FailureFrame<Never, Failure> = frame.own()
          step(.next(value), own.following)
        },
        terminate: terminate)
    }
  }

  /// The inverse of ``materialize()``: turns values that are events back into events. The first terminal one
  /// stops the source; a source that completes without one completes this signal. Runs on the sending thread;
  /// buffers nothing.
  ///
  /// ReactiveObjC: `-dematerialize`.
  @inlinable @inline(__always)
  public func dematerialize<Inner, InnerFailure>() -> Signal<Inner, InnerFailure>
  where Value == Event<Inner, InnerFailure>, Failure == Never {
    lift { sink in
      let (step, frame) = sink.entry
      let early = EarlyEndFrame(before: frame, in: sink)
      return sink.upstream(
        FailureFrame<InnerFailure, Never>(before: early, fail: { _ in }), ending: .early,
        step: { event, frame in
          let own: FailureFrame<InnerFailure, Never> = frame.own()
          let early: EarlyEndFrame<InnerFailure> = own.following.own()
          if early.left == 0 { return }
          switch event {
          case .next(let value): step(value, early.following)
          // A closure upstream, which got the event as a value, may have ended the run: then the error is
          // reported.
          case .failed(let error): early.fail(error)
          case .completed: early.end(with: .completed)
          }
        },
        terminate: { _ in early.end(with: .completed) })
    }
  }
}
