// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a hot source keeps of a sink. It cannot be copied, so calling it through a pointer retains nothing.
@frozen @usableFromInline
struct Handler<Value, Failure: Error>: ~Copyable {
  @usableFromInline let direct: @Sendable (Value) -> Void
  @usableFromInline let terminate: @Sendable (Completion<Failure>) -> Void
  @usableFromInline let subscription: Subscription

  @inlinable
  init(_ sink: Sink<Value, Failure>) {
    direct = sink.direct
    terminate = sink.terminate
    subscription = sink.subscription
  }

  @inlinable @inline(__always)
  borrowing func next(_ value: Value) { direct(value) }
}
