// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A stream of values over time that ends at most once, with success or with a failure.
///
/// A signal is a description: nothing happens until somebody subscribes, and each subscription is a run of its own for a
/// cold signal, or a place in the audience for a hot one (see ``Subject``). A signal is three words, more if its values are large: that of
/// ``just(_:)`` is in the signal itself, which is why it takes no memory.
///
/// Every subscriber is called serially, never nested, on the thread on which the source sends; subscribing itself never
/// changes threads. Nothing comes after a terminal event, nor after the subscription was disposed on that thread.
///
/// ReactiveObjC: `RACSignal`.
@frozen
public struct Signal<Value, Failure: Error>: Sendable {
  @usableFromInline let origin: Origin

  /// Where the events come from. One value, and then the end, is a case of its own: whoever runs many such signals need make nothing
  /// for each.
  @frozen @usableFromInline
  enum Origin: @unchecked Sendable {
    // Unchecked: a value comes here through `just`, which takes none that is not.
    case connecting(@Sendable (Sink<Value, Failure>) -> Void, SignalTiming)
    case value(Value)
  }

  @inlinable var ownTiming: SignalTiming {
    @inline(__always) get {
      switch origin {
      case .connecting(_, let timing): timing
      case .value: .immediate
      }
    }
  }

  /// What has a sink receive the events, for whoever keeps that and not the signal.
  @inlinable var connect: @Sendable (Sink<Value, Failure>) -> Void {
    @inline(__always) get {
      switch origin {
      case .connecting(let connect, _): connect
      case .value: connectToValue
      }
    }
  }

  // Inlined, it would make the compiler crash (6.3) where values are tuples with generic parts.
  @inlinable var connectToValue: @Sendable (Sink<Value, Failure>) -> Void {
    @inline(never) get { { attach($0) } }
  }

  /// The timing of a signal that an operator makes of this one, whatever it does.
  @inlinable var timing: SignalTiming {
    @inline(__always) get { ownTiming == .any ? .any : .synchronous }
  }

  /// A signal that runs `connect` with the sink of each new subscription. For authors of operators and sources that keep
  /// the rules of ``Sink``; everybody else uses ``create(_:)``.
  @inlinable @inline(__always)
  public init(connecting connect: @escaping @Sendable (Sink<Value, Failure>) -> Void) {
    self.init(.any, connecting: connect)
  }

  @inlinable @inline(__always)
  init(_ timing: SignalTiming, connecting connect: @escaping @Sendable (Sink<Value, Failure>) -> Void) {
    origin = .connecting(connect, timing)
  }

  @inlinable @inline(__always)
  init(_ value: Value) where Value: Sendable { origin = .value(value) }

  /// Has the sink receive the events of this signal.
  @inlinable @inline(__always)
  public func attach(_ sink: Sink<Value, Failure>) {
    switch origin {
    case .connecting(let connect, _): connect(sink)
    case .value(let value): sink.sendOnly(value)
    }
  }
}

/// When the events of a signal come.
@frozen @usableFromInline
enum SignalTiming: Sendable {
  /// All before `connect` returns, on the calling thread, from a chain that only looks at the sink's subscription and neither ends
  /// it nor adds to it, so that many such signals can run under one.
  case immediate
  /// All before `connect` returns, on the calling thread, and the sink is forgotten then; that lets a chain be compiled to a
  /// loop.
  case synchronous
  case any
}

/// What can be used as a signal: a signal, or a hot source such as a subject. All operators are here.
public protocol SignalConvertible<Value, Failure>: Sendable {
  /// What is sent.
  associatedtype Value
  /// How it can fail; `Never` if it cannot.
  associatedtype Failure: Error
  /// The events of this source.
  var signal: Signal<Value, Failure> { get }
}

extension SignalConvertible {
  /// A signal made by an operator with this one as its only upstream: what it does with a sink, it does at once.
  @inlinable @inline(__always)
  func lift<Output>(
    _ wrap: @escaping @Sendable (Sink<Output, Failure>) -> Sink<Value, Failure>
  ) -> Signal<Output, Failure> {
    let signal = self.signal
    return signal.lifted(signal.timing, wrap)
  }

  /// The same for an operator that neither ends the sink's subscription nor adds to it: it ends with its upstream, or by a
  /// failure. So it leaves an immediate signal immediate.
  @inlinable @inline(__always)
  func liftInPlace<Output>(
    _ wrap: @escaping @Sendable (Sink<Output, Failure>) -> Sink<Value, Failure>
  ) -> Signal<Output, Failure> {
    let signal = self.signal
    return signal.lifted(signal.ownTiming, wrap)
  }
}

extension Signal {
  @inlinable @inline(__always)
  func lifted<Output>(
    _ timing: SignalTiming, _ wrap: @escaping @Sendable (Sink<Output, Failure>) -> Sink<Value, Failure>
  ) -> Signal<Output, Failure> {
    switch origin {
    case .connecting(let connect, _): Signal<Output, Failure>(timing) { connect(wrap($0)) }
    case .value(let value): liftedValue(value, timing, wrap)
    }
  }

  @inlinable
  func liftedValue<Output>(
    _ value: Value, _ timing: SignalTiming,
    _ wrap: @escaping @Sendable (Sink<Output, Failure>) -> Sink<Value, Failure>
  ) -> Signal<Output, Failure> {
    nonisolated(unsafe) let value = value
    return Signal<Output, Failure>(timing) { wrap($0).sendOnly(value) }
  }
}

extension Signal: SignalConvertible {
  /// The signal itself.
  @inlinable @inline(__always)
  public var signal: Signal<Value, Failure> { self }
}
