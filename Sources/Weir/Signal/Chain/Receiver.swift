// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics

/// What a source, or a run of an operator, stores of the receiver of its events, in its own memory: three
/// words for values, a ``StoredRoute``, and two for the closure that takes the terminal event. These are
/// behind the others, or elsewhere.
@frozen @usableFromInline
struct Receiver<Value, Failure: Error>: @unchecked Sendable {
  // Unchecked: the owner decides which thread may use it, and when.
  @usableFromInline let any: AnyReceiver

  @inlinable @inline(__always)
  init(_ any: AnyReceiver) { self.any = any }

  @inlinable @inline(__always)
  func initialize(
    to route: consuming Sink<Value, Failure>.Route,
    terminate: @escaping @Sendable (Completion<Failure>) -> Void
  ) {
    self.route.initialize(to: route)
    ending.initialize(to: EndingRoute(terminate))
  }

  @inlinable @inline(__always)
  func next(_ value: Value) { route.next(value) }

  @inlinable @inline(__always)
  func terminate(_ completion: Completion<Failure>) { ending.pointee.terminate(completion) }

  @inlinable @inline(__always) var route: StoredRoute<Value, Failure> { StoredRoute(any.route) }
  @inlinable @inline(__always) var ending: UnsafeMutablePointer<EndingRoute<Failure>> {
    any.rear.assumingMemoryBound(to: EndingRoute<Failure>.self)
  }
}

/// A receiver without its types.
@frozen @usableFromInline
struct AnyReceiver {
  static var wordCount: Int { AnyStoredRoute.wordCount + 2 }
  /// ``wordCount`` words, for an object that stores a receiver.
  @usableFromInline typealias Words = InlineArray<5, UInt64>

  @usableFromInline let route: AnyStoredRoute
  @usableFromInline let rear: UnsafeMutableRawPointer

  /// - Parameter rear: for the words that are not those of the route.
  @inlinable @inline(__always)
  init(_ route: AnyStoredRoute, rear: UnsafeMutableRawPointer) {
    self.route = route
    self.rear = rear
  }

  /// One in ``wordCount`` words at one place.
  @inlinable @inline(__always)
  init(at place: UnsafeMutableRawPointer) {
    self.init(AnyStoredRoute(at: place), rear: place + 8 * AnyStoredRoute.wordCount)
  }

  /// What the closure for the terminal event keeps.
  var endingContext: UnsafeMutableRawPointer? {
    (rear + AnyStoredRoute.contextOffset).load(as: UnsafeMutableRawPointer?.self)
  }

  /// Releases everything in it, which may run user code.
  @usableFromInline
  func destroy() {
    route.destroy()
    weir_release_context(endingContext)
  }
}

/// Where the terminal event goes: noncopyable, as the parts of a ``StoredRoute`` are, and for that reason.
@frozen @usableFromInline
struct EndingRoute<Failure: Error>: ~Copyable {
  @usableFromInline let closure: @Sendable (Completion<Failure>) -> Void

  @inlinable @inline(__always)
  init(_ closure: @escaping @Sendable (Completion<Failure>) -> Void) { self.closure = closure }

  @inlinable @inline(__always)
  borrowing func terminate(_ completion: Completion<Failure>) { closure(completion) }
}
