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
