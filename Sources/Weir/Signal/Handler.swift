// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// Where a source keeps what it needs of a sink: ``wordCount`` words of the source's own.
///
/// They are [closure or step: 2 | frame, or 0: 1 | what takes the end: 2 | subscription: 1]. With a frame, values go to a step; so the source
/// calls the first step of a chain itself, and no closure that keeps both. Parts are used where they lie, as types that cannot be copied:
/// so a call retains nothing.
@frozen @usableFromInline
struct Handler<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: who may use it, and when, is the source's to say.
  @usableFromInline static var wordCount: Int { AnyHandler.wordCount }

  @usableFromInline let place: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(at place: UnsafeMutableRawPointer) { self.place = place }

  @inlinable @inline(__always)
  func initialize(to sink: consuming Sink<Value, Failure>) {
    switch sink.route {
    case .closure(let next): ofClosure.initialize(to: ClosureHandler(next, terminate: sink.terminate))
    case .step(let step, let frame):
      ofStep.initialize(to: StepHandler(step, frame, terminate: sink.terminate))
    }
    any.run.initialize(to: HandlerRun(sink.subscription))
  }

  @inlinable @inline(__always)
  func next(_ value: Value) {
    if any.hasFrame { ofStep.pointee.next(value) } else { ofClosure.pointee.next(value) }
  }

  @inlinable @inline(__always)
  func terminate(_ completion: Completion<Failure>) {
    if any.hasFrame { ofStep.pointee.terminate(completion) } else { ofClosure.pointee.terminate(completion) }
  }

  /// Whether the run has ended.
  @inlinable var isDisposed: Bool {
    @inline(__always) get { any.run.pointee.subscription.isDisposed }
  }

  @inlinable @inline(__always) var any: AnyHandler { AnyHandler(at: place) }
  @inlinable @inline(__always) var ofClosure: UnsafeMutablePointer<ClosureHandler<Value, Failure>> {
    place.assumingMemoryBound(to: ClosureHandler<Value, Failure>.self)
  }
  @inlinable @inline(__always) var ofStep: UnsafeMutablePointer<StepHandler<Value, Failure>> {
    place.assumingMemoryBound(to: StepHandler<Value, Failure>.self)
  }
}

/// A handler of whatever types.
@frozen @usableFromInline
struct AnyHandler {
  @usableFromInline static var wordCount: Int { 6 }
  @usableFromInline static var frameOffset: Int { 16 }
  @usableFromInline static var runOffset: Int { 40 }

  @usableFromInline let place: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(at place: UnsafeMutableRawPointer) { self.place = place }

  @inlinable @inline(__always) var hasFrame: Bool {
    (place + Self.frameOffset).load(as: UInt.self) != 0
  }

  @inlinable @inline(__always) var run: UnsafeMutablePointer<HandlerRun> {
    (place + Self.runOffset).assumingMemoryBound(to: HandlerRun.self)
  }

  /// Ends the run.
  @usableFromInline
  func dispose() { run.pointee.subscription.dispose() }

  /// Releases all that it keeps. It may run code of users.
  @usableFromInline
  func destroy() {
    // A closure is a function and a context whatever it takes, and destroying it releases the context.
    if hasFrame {
      place.assumingMemoryBound(to: ErasedStepHandler.self).deinitialize(count: 1)
    } else {
      place.assumingMemoryBound(to: ErasedClosureHandler.self).deinitialize(count: 1)
    }
    run.deinitialize(count: 1)
  }
}

// MARK: - Parts

@frozen @usableFromInline
struct ClosureHandler<Value, Failure: Error>: ~Copyable {
  @usableFromInline let direct: @Sendable (Value) -> Void
  @usableFromInline let noFrame: UInt = 0
  @usableFromInline let terminate: @Sendable (Completion<Failure>) -> Void

  @inlinable @inline(__always)
  init(
    _ direct: @escaping @Sendable (Value) -> Void,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) {
    self.direct = direct
    self.terminate = terminate
  }

  @inlinable @inline(__always)
  borrowing func next(_ value: Value) { direct(value) }
}

@frozen @usableFromInline
struct StepHandler<Value, Failure: Error>: ~Copyable {
  @usableFromInline let step: Step<Value, Failure>
  @usableFromInline let frame: Frame<Failure>
  @usableFromInline let terminate: @Sendable (Completion<Failure>) -> Void

  @inlinable @inline(__always)
  init(
    _ step: @escaping Step<Value, Failure>, _ frame: Frame<Failure>,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) {
    self.step = step
    self.frame = frame
    self.terminate = terminate
  }

  @inlinable @inline(__always)
  borrowing func next(_ value: Value) { step(value, frame) }
}

@frozen @usableFromInline
struct HandlerRun: ~Copyable {
  @usableFromInline let subscription: Subscription

  @inlinable @inline(__always)
  init(_ subscription: Subscription) { self.subscription = subscription }
}

private struct ErasedClosureHandler: ~Copyable {
  let call: @Sendable () -> Void
  let noFrame: UInt
  let terminate: @Sendable () -> Void
}

private struct ErasedStepHandler: ~Copyable {
  let call: @Sendable () -> Void
  let frame: AnyObject
  let terminate: @Sendable () -> Void
}
