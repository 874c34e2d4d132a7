// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What a source, or a run of an operator, stores of the receiver of its events: ``wordCount`` words in its
/// own memory.
///
/// They are [closure or step: 2 | frame, or 0: 1 | `terminate`: 2]. With a frame, values go to a step: so the
/// first step of a chain is called from here, without a closure that captures step and frame. The words are
/// used in place, as a noncopyable type: so a call retains nothing. They are one type, because unspecialised
/// code looks up each type.
@frozen @usableFromInline
struct Receiver<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: the owner decides which thread may use it, and when.
  @usableFromInline static var wordCount: Int { AnyReceiver.wordCount }

  @usableFromInline let place: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(at place: UnsafeMutableRawPointer) { self.place = place }

  @inlinable @inline(__always)
  func initialize(
    to route: consuming Sink<Value, Failure>.Route,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) {
    switch route {
    case .closure(let next): ofClosure.initialize(to: ClosureReceiver(next, terminate: terminate))
    case .step(let step, let frame):
      ofStep.initialize(to: StepReceiver(step, frame, terminate: terminate))
    }
  }

  @inlinable @inline(__always)
  func next(_ value: Value) {
    if any.hasFrame { ofStep.pointee.next(value) } else { ofClosure.pointee.next(value) }
  }

  @inlinable @inline(__always)
  func terminate(_ completion: Completion<Failure>) {
    if any.hasFrame { ofStep.pointee.terminate(completion) } else { ofClosure.pointee.terminate(completion) }
  }

  /// Makes it drop values once `run` has ended.
  @inlinable
  func gate(by run: Subscription) {
    if any.hasFrame {
      let ungated = ofStep.move()
      let (step, frame) = (ungated.step, ungated.frame)
      ofStep.initialize(
        to: StepReceiver(
          { value, frame in if !run.isDisposed { step(value, frame) } }, frame, terminate: ungated.terminate))
    } else {
      let ungated = ofClosure.move()
      let next = ungated.closure
      ofClosure.initialize(
        to: ClosureReceiver(
          { value in if !run.isDisposed { next(value) } }, terminate: ungated.terminate))
    }
  }

  @inlinable @inline(__always) var any: AnyReceiver { AnyReceiver(at: place) }
  @inlinable @inline(__always) var ofClosure: UnsafeMutablePointer<ClosureReceiver<Value, Failure>> {
    place.assumingMemoryBound(to: ClosureReceiver<Value, Failure>.self)
  }
  @inlinable @inline(__always) var ofStep: UnsafeMutablePointer<StepReceiver<Value, Failure>> {
    place.assumingMemoryBound(to: StepReceiver<Value, Failure>.self)
  }
}

/// A receiver without its types.
@frozen @usableFromInline
struct AnyReceiver {
  @usableFromInline static var wordCount: Int { 5 }
  @usableFromInline static var frameOffset: Int { 16 }

  @usableFromInline let place: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(at place: UnsafeMutableRawPointer) { self.place = place }

  @inlinable @inline(__always) var hasFrame: Bool {
    (place + Self.frameOffset).load(as: UInt.self) != 0
  }

  /// Releases everything in it, which may run user code.
  @usableFromInline
  func destroy() {
    // A closure is a function and a context whatever its parameters, and destroying it releases the context.
    if hasFrame {
      place.assumingMemoryBound(to: ErasedStepReceiver.self).deinitialize(count: 1)
    } else {
      place.assumingMemoryBound(to: ErasedClosureReceiver.self).deinitialize(count: 1)
    }
  }
}

// MARK: - Contents

@frozen @usableFromInline
struct ClosureReceiver<Value, Failure: Error>: ~Copyable {
  @usableFromInline let closure: @Sendable (Value) -> Void
  @usableFromInline let noFrame: UInt = 0
  @usableFromInline let terminate: @Sendable (Completion<Failure>) -> Void

  @inlinable @inline(__always)
  init(
    _ closure: @escaping @Sendable (Value) -> Void,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) {
    self.closure = closure
    self.terminate = terminate
  }

  @inlinable @inline(__always)
  borrowing func next(_ value: Value) { closure(value) }
}

@frozen @usableFromInline
struct StepReceiver<Value, Failure: Error>: ~Copyable {
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

private struct ErasedClosureReceiver: ~Copyable {
  let call: @Sendable () -> Void
  let noFrame: UInt
  let terminate: @Sendable () -> Void
}

private struct ErasedStepReceiver: ~Copyable {
  let call: @Sendable () -> Void
  let frame: AnyObject
  let terminate: @Sendable () -> Void
}
