// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Sink {
  /// The receiver of values, as a step and its frame. Makes a frame, if this is the sink of a closure.
  @inlinable @inline(__always)
  var entry: (step: Step<Value, Failure>, frame: Frame<Failure>) {
    switch route {
    case .step(let step, let frame): return (step, frame)
    case .closure(let next):
      let last = ClosureFrame(next: next, subscription: subscription, gate: gate, fail: fail)
      return (
        { value, frame in
          let last: ClosureFrame<Value, Failure> = frame.own()
          if last.isGated, last.subscription.isDisposed { return }
          last.next(value)
        }, last
      )
    }
  }

  /// ``terminate``, as a frame stores it.
  @inlinable
  var fail: @Sendable (Completion<Failure>) -> Void {
    @inline(__always) get { Frame.keeping(terminate) }
  }
}
