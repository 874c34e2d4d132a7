// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What ``SignalConvertible/bind(_:)`` does with a value.
///
/// ReactiveObjC: what a `RACStreamBindBlock` returns, and its `stop`.
@frozen
public enum Binding<Output, Failure: Error>: Sendable {
  /// Run this signal beside the others, and go on.
  case next(Signal<Output, Failure>)
  /// Run this signal beside the others, and stop the source.
  case last(Signal<Output, Failure>)
  /// Stop the source; the signals that run go on.
  case stop
}

extension SignalConvertible {
  /// Turns each value into a signal and sends what all of those send, or stops early: the operator that most
  /// others can be made of.
  ///
  /// `start` runs once per subscription, so that what the closure it returns captures is fresh state for
  /// each; if it ends the run, the source is not run. That closure runs where the source sends; the signals
  /// it returns are subscribed there, all at once, and their values are sent on serially, in the order in
  /// which they come, on the thread that brings one or on one that is delivering already. What waits, and
  /// what a signal must not do that begins inside of a delivery, is as with ``flatMap(_:)``. Completes when
  /// the source has ended or was stopped, and all signals have completed. The first failure, of the source, a
  /// signal, or the closure itself, disposes all the others and is sent on.
  ///
  /// ReactiveObjC: `-bind:`. There a synchronous source may be bound again after it was stopped, and
  /// completion may then come early; here a stopped source is not bound again.
  @inlinable
  public func bind<Output>(
    _ start: @escaping @Sendable () -> @Sendable (Value) throws(Failure) -> Binding<Output, Failure>
  ) -> Signal<Output, Failure> {
    Signal<Output, Failure>(connecting: { [connect = signal.connect] sink in
      let merger = Merger(to: sink)
      let source = merger.adopt()
      let immediates = merger.sinkOfImmediates
      let bind = start()
      // It may have ended the run.
      if source.isDisposed { return }
      connect(
        Sink(
          next: { value in
            do throws(Failure) {
              switch try bind(value) {
              case .next(let signal): merger.run(signal, immediatelyIn: immediates)
              case .last(let signal):
                merger.run(signal, immediatelyIn: immediates)
                merger.finish(source)
              case .stop: merger.finish(source)
              }
            } catch {
              merger.delivery.terminate(.failed(error))
            }
          },
          terminate: { merger.end(source, with: $0) },
          subscription: source))
    })
  }
}
