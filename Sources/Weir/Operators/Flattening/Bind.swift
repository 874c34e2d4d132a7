// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What ``SignalConvertible/bind(_:)`` does with a value.
///
/// ReactiveObjC: what a `RACStreamBindBlock` returns, and its `stop`.
@frozen
public enum Binding<Output, Failure: Error>: Sendable {
  /// Run this signal along with the others, and go on.
  case next(Signal<Output, Failure>)
  /// Run this signal along with the others, and stop the source.
  case last(Signal<Output, Failure>)
  /// Stop the source; the signals that are running go on.
  case stop
}

extension SignalConvertible {
  /// Turns each value into a signal and forwards the values of all of these, or stops early: the operator of
  /// which most others can be made.
  ///
  /// `start` runs once per subscription, so that the closure it returns captures fresh state for each; if it
  /// ends the run, the source is not run. The closure runs on the sending thread; the signals it returns are
  /// subscribed there, each at once, and their values are forwarded serially, in the order in which they
  /// arrive, on the thread that sends a value or on one that is already delivering. What is buffered, and
  /// what a signal that starts inside a delivery must not do, is as with ``flatMap(_:)``. Completes when the
  /// source has completed or was stopped, and all signals have completed. The first failure, of the source, a
  /// signal, or the closure itself, disposes all the others and is forwarded.
  ///
  /// ReactiveObjC: `-bind:`. There a synchronous source may call the closure again after it was stopped, and
  /// completion may then come early; here a stopped source does not call it again.
  @inlinable
  public func bind<Output>(
    _ start: @escaping @Sendable () -> @Sendable (Value) throws(Failure) -> Binding<Output, Failure>
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(attaching: { [signal] sink, _ in
      let run = SourceMerger(to: consume sink)
      let bind = start()
      // `start` may have ended the run.
      if run.source.isDisposed { return }
      signal.attach(
        run.sinkOfSource { value, frame in
          let run: SourceMerger<Output, Failure> = frame.own()
          if run.source.isDisposed { return }
          do throws(Failure) {
            switch try bind(value) {
            case .next(let signal): run.run(signal)
            case .last(let signal):
              run.run(signal)
              run.finishSource()
            case .stop: run.finishSource()
            }
          } catch {
            run.failClosure(error)
          }
        })
    })
  }
}
