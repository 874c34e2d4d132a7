// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Where a source keeps what it needs of a sink: ``wordCount`` words of the source's own.
///
/// They are [receiver: 5 | subscription: 1], and are used where they lie.
@frozen @usableFromInline
struct Handler<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: who may use it, and when, is the source's to say.
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

  /// Has it ask with each value whether the run has ended.
  @inlinable
  func gate() { receiver.gate(by: any.run.pointee.subscription) }

  @inlinable @inline(__always) var any: AnyHandler { AnyHandler(at: place) }
  @inlinable @inline(__always) var receiver: Receiver<Value, Failure> { Receiver(at: place) }
}

/// A handler of whatever types.
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

  /// The same, when what feeds it has been cleaned up, and then ``destroy()``.
  func disposeAndDestroy(after upstreams: Subscription) {
    upstreams.dispose()
    dispose()
    destroy()
  }

  /// Releases all that it keeps. It may run user code.
  @usableFromInline
  func destroy() {
    AnyReceiver(at: place).destroy()
    run.deinitialize(count: 1)
  }

  /// Moves it to memory of its own, which is up to the caller then.
  fileprivate func moved() -> AnyHandler {
    let size = 8 * Self.wordCount
    let handler = AnyHandler(at: .allocate(byteCount: size, alignment: 8))
    handler.place.copyMemory(from: place, byteCount: size)
    return handler
  }
}

/// A handler with which the last is yet to be done, when its place has gone.
final class LeftHandler: Leftover {
  private let handler: AnyHandler
  private let upstreams: Subscription
  private let doLast: (AnyHandler, Subscription) -> Void

  /// - Parameters:
  ///   - handler: is moved.
  ///   - upstreams: what feeds it.
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
