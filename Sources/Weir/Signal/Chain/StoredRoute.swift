// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// Where values go, as a source or a run of an operator stores it: three words in its own memory.
///
/// They are [closure or step: 2 | frame, or 0: 1]. With a frame, values go to a step: so the first step of a
/// chain is called from here, without a closure that captures step and frame. The words are used in place, as
/// noncopyable types: so a call retains nothing. They are one type, because unspecialised code looks up each
/// type.
@frozen @usableFromInline
struct StoredRoute<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: the owner decides which thread may use it, and when.
  @usableFromInline let any: AnyStoredRoute

  @inlinable @inline(__always)
  init(_ any: AnyStoredRoute) { self.any = any }

  @inlinable @inline(__always)
  func initialize(to route: consuming Sink<Value, Failure>.Route) {
    switch route {
    case .closure(let next): toClosure.initialize(to: ClosureRoute(next))
    case .step(let step, let frame): toStep.initialize(to: StepRoute(step, frame))
    }
  }

  @inlinable @inline(__always)
  func next(_ value: Value) {
    if any.hasFrame { toStep.pointee.next(value) } else { toClosure.pointee.next(value) }
  }

  /// Makes it drop values once `run` has ended.
  @inlinable
  func gate(by run: Subscription) {
    if any.hasFrame {
      let ungated = toStep.move()
      let (step, frame) = (ungated.step, ungated.frame)
      toStep.initialize(to: StepRoute({ value, frame in if !run.isDisposed { step(value, frame) } }, frame))
    } else {
      let next = toClosure.move().closure
      toClosure.initialize(to: ClosureRoute({ value in if !run.isDisposed { next(value) } }))
    }
  }

  @inlinable @inline(__always) var toClosure: UnsafeMutablePointer<ClosureRoute<Value>> {
    any.place.assumingMemoryBound(to: ClosureRoute<Value>.self)
  }
  @inlinable @inline(__always) var toStep: UnsafeMutablePointer<StepRoute<Value, Failure>> {
    any.place.assumingMemoryBound(to: StepRoute<Value, Failure>.self)
  }
}

/// A stored route without its types.
@frozen @usableFromInline
struct AnyStoredRoute {
  @usableFromInline static var wordCount: Int { 3 }
  /// Of what a closure keeps, in two words for one.
  static var contextOffset: Int { 8 }
  @usableFromInline static var frameOffset: Int { 16 }

  @usableFromInline let place: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(at place: UnsafeMutableRawPointer) { self.place = place }

  @inlinable @inline(__always) var hasFrame: Bool {
    (place + Self.frameOffset).load(as: UInt.self) != 0
  }

  /// Releases everything in it, which may run user code.
  func destroy() {
    weir_release_context((place + Self.contextOffset).load(as: UnsafeMutableRawPointer?.self))
    weir_release_context((place + Self.frameOffset).load(as: UnsafeMutableRawPointer?.self))
  }
}

@frozen @usableFromInline
struct ClosureRoute<Value>: ~Copyable {
  @usableFromInline let closure: @Sendable (Value) -> Void
  @usableFromInline let noFrame: UInt = 0

  @inlinable @inline(__always)
  init(_ closure: @escaping @Sendable (Value) -> Void) { self.closure = closure }

  @inlinable @inline(__always)
  borrowing func next(_ value: Value) { closure(value) }
}

@frozen @usableFromInline
struct StepRoute<Value, Failure: Error>: ~Copyable {
  @usableFromInline let step: Step<Value, Failure>
  @usableFromInline let frame: Frame<Failure>

  @inlinable @inline(__always)
  init(_ step: @escaping Step<Value, Failure>, _ frame: Frame<Failure>) {
    self.step = step
    self.frame = frame
  }

  @inlinable @inline(__always)
  borrowing func next(_ value: Value) { step(value, frame) }
}
