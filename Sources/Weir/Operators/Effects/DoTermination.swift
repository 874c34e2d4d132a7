// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible {
  /// Calls `action` with the error if the signal fails, before the failure is forwarded; disposal does not
  /// call it.
  ///
  /// If `action` ends the run, the failure is not forwarded, and the error goes to ``UnhandledErrors``. Runs
  /// on the thread on which the source fails. A value costs nothing; buffers nothing. What `action` sends
  /// elsewhere may overtake values of the source: see <doc:ThreadsAndTime#Events-that-take-different-paths>.
  ///
  /// ReactiveObjC: `-doError:`.
  @inlinable @inline(__always)
  public func doFailed(_ action: @escaping @Sendable (Failure) -> Void) -> Signal<Value, Failure> {
    onTermination { if case .failed(let error) = $0 { action(error) } }
  }

  /// Calls `action` if the signal completes, before the completion is forwarded; disposal does not call it.
  /// The rest is as with ``doFailed(_:)``.
  ///
  /// ReactiveObjC: `-doCompleted:`.
  @inlinable @inline(__always)
  public func doCompleted(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
    onTermination { if case .completed = $0 { action() } }
  }

  /// Calls `action` when the signal completes or fails, before the terminal event is forwarded; disposal does
  /// not call it: see ``on(subscribed:disposed:)``. The rest is as with ``doFailed(_:)``.
  ///
  /// ReactiveObjC: `-finally:`.
  @inlinable @inline(__always)
  public func finally(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
    onTermination { _ in action() }
  }

  @inlinable @inline(__always)
  func onTermination(
    _ action: @escaping @Sendable (Completion<Failure>) -> Void
  ) -> Signal<Value, Failure> {
    lift { sink in
      let (terminate, subscription) = (sink.terminate, sink.subscription)
      return sink.upstream(terminate: { completion in
        if subscription.isDisposed { return }
        action(completion)
        subscription.pass(completion, to: terminate)
      })
    }
  }
}
