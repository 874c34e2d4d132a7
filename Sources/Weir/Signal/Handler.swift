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

  /// Calls ``destroy()``; before, disposes a chain of upstreams and ends the run, if there is a chain.
  func destroy(endingRunAfter chain: UInt64?) {
    if let chain {
      DisposalList.dispose(chain)
      dispose()
    }
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

/// A handler whose place is gone, and which is yet to be destroyed.
final class LeftHandler: Leftover {
  private let handler: AnyHandler
  private let chain: UInt64?

  /// - Parameters:
  ///   - handler: is moved.
  ///   - chain: of the upstreams, if they and the run are to end first.
  init(moving handler: AnyHandler, endingRunAfter chain: UInt64?) {
    self.handler = handler.moved()
    self.chain = chain
  }

  deinit {
    handler.destroy(endingRunAfter: chain)
    handler.place.deallocate()
  }
}

@frozen @usableFromInline
struct HandlerRun: ~Copyable {
  @usableFromInline let subscription: Subscription

  @inlinable @inline(__always)
  init(_ subscription: Subscription) { self.subscription = subscription }
}
