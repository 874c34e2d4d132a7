// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The sinks that operators make for their upstreams.

extension Sink {
  /// The sink of an operator with one upstream, which shares the subscription.
  ///
  /// - Parameters:
  ///   - next: what to do with a value of the upstream.
  ///   - terminate: what to do with its terminal event; often just ``terminate``.
  @inlinable @inline(__always)
  public consuming func upstream<Input>(
    next: @escaping @Sendable (Input) -> Void, terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) -> Sink<Input, Failure> {
    Sink<Input, Failure>(
      next: next, gate: .ahead, ending: upstreamEnding, terminate: terminate, subscription: subscription)
  }

  /// The same for an operator that handles values in a step.
  ///
  /// - Parameters:
  ///   - frame: the operator's own, or that of ``entry``.
  ///   - step: what to do with a value of the upstream. It captures nothing but the step of ``entry``, and
  ///     users' closures with a ``FoldingHint``.
  @inlinable @inline(__always)
  consuming func upstream<Input>(
    _ frame: Frame<Failure>, step: @escaping Step<Input, Failure>
  ) -> Sink<Input, Failure> {
    upstream(frame, ending: upstreamEnding, step: step, terminate: terminate)
  }

  /// The same for an operator that has something to do at the end, or may end the run before its source does
  /// (`ending: .early`).
  @inlinable @inline(__always)
  consuming func upstream<Input, UpstreamFailure>(
    _ frame: Frame<UpstreamFailure>, ending: SinkEnding,
    step: @escaping Step<Input, UpstreamFailure>,
    terminate: @escaping @Sendable (Completion<UpstreamFailure>) -> Void
  ) -> Sink<Input, UpstreamFailure> {
    Sink<Input, UpstreamFailure>(
      route: .step(step, frame), gate: .ahead, ending: ending, terminate: terminate,
      subscription: subscription)
  }

  /// Whether the upstream must expect the run to end early: an operator that can fail can end it.
  @inlinable @inline(__always)
  var upstreamEnding: SinkEnding { Failure.isImpossible ? ending : .early }

  /// The sink of an operator that forwards values unchanged, and so takes no part in their delivery: only in
  /// how the run ends.
  @inlinable @inline(__always)
  consuming func upstream<UpstreamFailure>(
    terminate: @escaping @Sendable (Completion<UpstreamFailure>) -> Void
  ) -> Sink<Value, UpstreamFailure> {
    switch route {
    case .closure(let next):
      Sink<Value, UpstreamFailure>(
        next: next, gate: gate, ending: ending,
        terminate: terminate, subscription: subscription)
    case .step where UpstreamFailure.isImpossible:
      // An upstream that cannot fail does not call the frame's `terminate`, and that is all that depends on
      // the type of failure: so the frame is used as it is.
      Sink<Value, UpstreamFailure>(
        route: unsafeBitCast(route, to: Sink<Value, UpstreamFailure>.Route.self), gate: .ahead,
        ending: ending, terminate: terminate, subscription: subscription)
    case .step(let step, let following):
      // A failure upstream has to reach `terminate`.
      upstream(
        FailureFrame<Failure, UpstreamFailure>(before: following, fail: Frame.keeping(terminate)),
        ending: ending,
        step: { value, frame in
          let own: FailureFrame<Failure, UpstreamFailure> = frame.own()
          step(value, own.following)
        },
        terminate: terminate)
    }
  }

  /// The sink of an upstream that may end before this run does. It has a subscription of its own, which has
  /// ended when `terminated` is called. `terminated` is not called if this run has ended, which a clean-up of
  /// the upstream may have done. If the upstream lets go without a terminal event, this run ends too.
  @inlinable
  func stage<UpstreamFailure>(
    terminated: @escaping @Sendable (Completion<UpstreamFailure>) -> Void
  ) -> Sink<Value, UpstreamFailure> {
    let upstream = Subscription()
    let lifeline = Lifeline(of: subscription)
    subscription.adopt(upstream)
    return Sink<Value, UpstreamFailure>(
      next: gatedNext,
      terminate: { completion in
        guard upstream.end(), let run = lifeline.cut() else { return }
        run.pass(completion, to: terminated)
      },
      subscription: upstream)
  }
}
