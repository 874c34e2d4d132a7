// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a hot source keeps of a sink. It cannot be copied, so calling it through a pointer retains nothing.
@frozen @usableFromInline
struct Handler<Value, Failure: Error>: ~Copyable {
  @usableFromInline let direct: @Sendable (Value) -> Void
  @usableFromInline let terminate: @Sendable (Completion<Failure>) -> Void
  @usableFromInline let subscription: Subscription

  @inlinable
  init(_ sink: consuming Sink<Value, Failure>) {
    direct = sink.direct
    terminate = sink.terminate
    subscription = sink.subscription
  }

  @inlinable @inline(__always)
  borrowing func next(_ value: Value) { direct(value) }
}

/// Any handler, to use it without its types. A closure is a function and a context whatever it takes, and destroying it
/// releases the context.
private struct ErasedHandler: ~Copyable {
  let direct: @Sendable () -> Void
  let terminate: @Sendable () -> Void
  let subscription: Subscription
}

/// Destroys a handler at this address, of whatever types.
@usableFromInline
func destroyHandler(_ handler: UnsafeMutableRawPointer) {
  handler.assumingMemoryBound(to: ErasedHandler.self).deinitialize(count: 1)
}

/// What a handler at this address delivers to, of whatever types.
func subscription(ofHandler handler: UnsafeMutableRawPointer) -> Subscription {
  handler.assumingMemoryBound(to: ErasedHandler.self).pointee.subscription
}
