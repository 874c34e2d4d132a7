// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// A signal that makes its values from a state, one after the other, as a loop does.
  ///
  /// ```swift
  /// Signal<Int, Never>.generate(1, while: { $0 < 100 }, next: { $0 * 2 }, result: { $0 })
  /// ```
  ///
  /// Each subscription starts with `initial`. While `condition` is true, the `result` of the state is sent,
  /// and then `next` makes the next state; the signal completes when `condition` is false. It may always be
  /// true. A closure that throws fails the signal. Everything runs on the subscribing thread. Nothing is
  /// computed ahead: no closure is called once the subscription has ended. ReactiveObjC has no such source.
  ///
  /// - Parameters:
  ///   - initial: the first state.
  ///   - condition: whether there is a value for a state.
  ///   - next: the state that follows another.
  ///   - result: the value to send for a state.
  @inlinable @inline(__always)
  public static func generate<State: Sendable>(
    _ initial: State,
    while condition: @escaping @Sendable (State) throws(Failure) -> Bool,
    next: @escaping @Sendable (State) throws(Failure) -> State,
    result: @escaping @Sendable (State) throws(Failure) -> Value
  ) -> Signal {
    Signal(
      .immediate,
      attaching: { sink, _ in
        let send = sink.next
        var state = initial
        do throws(Failure) {
          if sink.isEnded { return }
          while try condition(state) {
            if sink.isEnded { return }
            send(try result(state))
            if sink.isEnded { return }
            state = try next(state)
            if sink.isEnded { return }
          }
          sink.terminate(.completed)
        } catch {
          sink.fail(thrown: error)
        }
      })
  }
}

// Of the protocol for the reason that JustEmptyNeverFail.swift names.
extension SignalConvertible {
  /// A signal that sends one value over and over, on the subscribing thread, until the subscription ends.
  /// Something downstream has to end it, as ``SignalConvertible/take(first:)`` does; until then, subscribing
  /// does not return.
  ///
  /// ReactiveObjC has no such source.
  @inlinable @inline(__always)
  public static func repeatElement<Output: Sendable, OutputFailure>(
    _ value: Output
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> {
    Signal(.immediate, attaching: { sink, _ in sink.sending { next in while !sink.isEnded { next(value) } } })
  }
}
