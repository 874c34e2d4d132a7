// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// What a source stores of a sink, in memory of the source: a receiver, and behind the receiver's rear the
/// subscription. They are used in place.
@frozen @usableFromInline
struct Handler<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: the source decides which thread may use it, and when.
  @usableFromInline let any: AnyHandler

  @inlinable @inline(__always)
  init(_ any: AnyHandler) { self.any = any }

  @inlinable @inline(__always)
  func initialize(to sink: consuming Sink<Value, Failure>) {
    receiver.initialize(to: sink.route, terminate: sink.terminate)
    any.run.initialize(to: HandlerRun(sink.subscription))
  }

  @inlinable @inline(__always)
  func next(_ value: Value) { receiver.next(value) }

  @inlinable @inline(__always)
  func terminate(_ completion: Completion<Failure>) { receiver.terminate(completion) }

  /// Copies of what a terminal event needs.
  @inlinable var ends: (terminate: @Sendable (Completion<Failure>) -> Void, subscription: Subscription) {
    (receiver.ending.pointee.closure, any.run.pointee.subscription)
  }

  /// Whether the run has ended.
  @inlinable @inline(__always) var isDisposed: Bool { any.run.pointee.subscription.isDisposed }

  /// Makes it check with each value whether the run has ended.
  @inlinable
  func gate() { receiver.route.gate(by: any.run.pointee.subscription) }

  @inlinable @inline(__always) var receiver: Receiver<Value, Failure> { Receiver(any.receiver) }
}

/// A handler without its types.
@frozen @usableFromInline
struct AnyHandler {
  @usableFromInline static var wordCount: Int { AnyReceiver.wordCount + 1 }
  static var rearSize: Int { 8 * (wordCount - AnyStoredRoute.wordCount) }

  @usableFromInline let receiver: AnyReceiver

  @inlinable @inline(__always)
  init(_ receiver: AnyReceiver) { self.receiver = receiver }

  /// One in ``wordCount`` words at one place.
  @inlinable @inline(__always)
  init(at place: UnsafeMutableRawPointer) { self.init(AnyReceiver(at: place)) }

  /// The one in an entry's payload.
  @inlinable @inline(__always)
  init(in entry: SnapshotEntry) {
    self.init(AnyReceiver(AnyStoredRoute(at: entry.payload), rear: entry.rear))
  }

  @inlinable @inline(__always) var run: UnsafeMutablePointer<HandlerRun> {
    (receiver.rear + 16).assumingMemoryBound(to: HandlerRun.self)
  }

  /// Has the run discard the entry that this is in when it ends, before what was added to it is disposed:
  /// first events stop, then everything is cleaned up. False if the run has a subscriber already, or
  /// has ended. Otherwise another thread may end it, and destroy this, at once.
  @usableFromInline
  func register(_ entry: SnapshotEntry) -> Bool { run.pointee.subscription.registration.begin(entry) }

  /// Ends the run.
  func dispose() { run.pointee.subscription.end() }

  /// Disposes the chain of upstreams and ends the run, if there is a chain; then calls ``destroy()``.
  func destroy(endingRunAfter chain: UInt64?) {
    if let chain {
      DisposalList.dispose(chain, for: .ending)
      dispose()
    }
    destroy()
  }

  /// Releases everything in it, which may run user code.
  @usableFromInline
  func destroy() {
    let subscription = UnsafeMutableRawPointer(run).load(as: UnsafeMutableRawPointer.self)
    // All that a subscriber without closures for the end needs for that is its subscription.
    if receiver.endingContext == subscription {
      receiver.route.destroy()
      weir_release(subscription, 2)
    } else {
      receiver.destroy()
      run.deinitialize(count: 1)
    }
  }

  /// Moves it to memory of its own, which the caller owns.
  fileprivate func moved() -> AnyHandler {
    let handler = AnyHandler(at: .allocate(byteCount: 8 * Self.wordCount, alignment: 8))
    handler.receiver.route.place.copyMemory(
      from: receiver.route.place, byteCount: 8 * AnyStoredRoute.wordCount)
    handler.receiver.rear.copyMemory(from: receiver.rear, byteCount: Self.rearSize)
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
    handler.receiver.route.place.deallocate()
  }
}

/// Where the subscription is stored: noncopyable, as the parts of a ``StoredRoute`` are, and for that reason.
@frozen @usableFromInline
struct HandlerRun: ~Copyable {
  @usableFromInline let subscription: Subscription

  @inlinable @inline(__always)
  init(_ subscription: Subscription) { self.subscription = subscription }
}
