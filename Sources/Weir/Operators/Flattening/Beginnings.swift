// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Begins signals that have come inside of a delivery of what they are to feed, when that is over.
///
/// A signal that is begun in there and never stops sending keeps that delivery for ever: all that it sends
/// waits for its turn, and so nothing downstream hears of it, or can end it. So:
///
///  1. Who is inside of a delivery (see ``SerialDelivery/isHere``) begins nothing, but keeps it. It has the
///     turn, so what notes the signals belongs to the holder of that, and so does this.
///  2. What is kept is begun outside of the turn, by the thread that leaves it: the one that was inside, or
///     one that has entered before that could look at what waits.
///  3. One after the other, in a turn of their own. A signal that is kept while another one is being begun is
///     begun after that, by the same thread: the stack does not grow if each has the subscriber cause the
///     next.
///  4. Whether there is still a reason to begin it is asked then. What is kept when the run ends is dropped.
@frozen @usableFromInline
struct Beginnings: Sendable {
  @usableFromInline typealias Turn = SerialDelivery<@Sendable () -> Void, Never>
  /// Made when the first signal is kept.
  @usableFromInline var turn: Turn?

  @inlinable init() {}

  /// What hands a kept signal over: see ``SerialDelivery/handOver(_:)``.
  ///
  /// - Parameter take: called in the turn of the delivery; returns what begins the signal.
  @usableFromInline
  mutating func step(
    taking take: @escaping () -> (@Sendable () -> Void)?
  ) -> () -> DeliveryCore {
    let turn = self.turn ?? Turn(to: Sink(next: { $0() }, terminate: { _ in }, subscription: Subscription()))
    self.turn = turn
    return {
      if let begin = take() { turn.turn.post(.item(begin)) }
      return turn.core
    }
  }
}
