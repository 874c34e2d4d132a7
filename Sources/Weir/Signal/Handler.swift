// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a source stores of a sink: ``wordCount`` words in the source's memory.
///
/// They are [receiver: 5 | subscription: 1], and are used in place.
@frozen @usableFromInline
struct Handler<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: the source decides which thread may use it, and when.
  @usableFromInline static var wordCount: Int { AnyHandler.wordCount }

  @usableFromInline let place: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(at place: UnsafeMutableRawPointer) { self.place = place }

  @inlinable @inline(__always)
  func initialize(to sink: consuming Sink<Value, Failure>) {
    receiver.initialize(to: sink.route, terminate: sink.terminate)
    any.run.initialize(to: HandlerRun(sink.subscription))
  }

  @inlinable @inline(__always)
  func next(_ value: Value) { receiver.next(value) }

  @inlinable @inline(__always)
  func terminate(_ completion: Completion<Failure>) { receiver.terminate(completion) }

  /// Whether the run has ended.
  @inlinable var isDisposed: Bool {
    @inline(__always) get { any.run.pointee.subscription.isDisposed }
  }

  /// Makes it check with each value whether the run has ended.
  @inlinable
  func gate() { receiver.gate(by: any.run.pointee.subscription) }

  @inlinable @inline(__always) var any: AnyHandler { AnyHandler(at: place) }
  @inlinable @inline(__always) var receiver: Receiver<Value, Failure> { Receiver(at: place) }
}

/// A handler without its types.
@frozen @usableFromInline
struct AnyHandler {
  @usableFromInline static var wordCount: Int { AnyReceiver.wordCount + 1 }
  @usableFromInline static var runOffset: Int { 8 * AnyReceiver.wordCount }

  @usableFromInline let place: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(at place: UnsafeMutableRawPointer) { self.place = place }

  @inlinable @inline(__always) var run: UnsafeMutablePointer<HandlerRun> {
    (place + Self.runOffset).assumingMemoryBound(to: HandlerRun.self)
  }

  /// Ends the run.
  @usableFromInline
  func dispose() { run.pointee.subscription.dispose() }

  /// Disposes the upstreams, then ends the run and calls ``destroy()``.
  func disposeAndDestroy(after upstreams: Subscription) {
    upstreams.dispose()
    dispose()
    destroy()
  }

  /// Releases everything in it, which may run user code.
  @usableFromInline
  func destroy() {
    AnyReceiver(at: place).destroy()
    run.deinitialize(count: 1)
  }

  /// Moves it to new memory, which the caller then owns.
  fileprivate func moved() -> AnyHandler {
    let size = 8 * Self.wordCount
    let handler = AnyHandler(at: .allocate(byteCount: size, alignment: 8))
    handler.place.copyMemory(from: place, byteCount: size)
    return handler
  }
}

/// A handler whose place is gone, and for which `doLast` is yet to be called.
final class LeftHandler: Leftover {
  private let handler: AnyHandler
  private let upstreams: Subscription
  private let doLast: (AnyHandler, Subscription) -> Void

  /// - Parameters:
  ///   - handler: is moved.
  ///   - upstreams: the subscriptions that feed it.
  ///   - doLast: destroys the handler.
  init(
    moving handler: AnyHandler, fedBy upstreams: Subscription,
    _ doLast: @escaping (AnyHandler, Subscription) -> Void
  ) {
    self.handler = handler.moved()
    self.upstreams = upstreams
    self.doLast = doLast
  }

  deinit {
    doLast(handler, upstreams)
    handler.place.deallocate()
  }
}

@frozen @usableFromInline
struct HandlerRun: ~Copyable {
  @usableFromInline let subscription: Subscription

  @inlinable @inline(__always)
  init(_ subscription: Subscription) { self.subscription = subscription }
}
