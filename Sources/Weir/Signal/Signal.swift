// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A stream of values over time that ends at most once, with success or with a failure.
///
/// A signal is a description: nothing happens until somebody subscribes, and each subscription is a run of
/// its own for a cold signal, or a place in the audience for a hot one (see ``Subject``). A signal is four
/// words; a plain value of up to eight bytes that is sent by ``SignalConvertible/just(_:)-m9b7`` is one of
/// them, and takes no memory.
///
/// Every subscriber is called serially, never nested, on the thread on which the source sends; subscribing
/// itself never changes threads. Nothing comes after a terminal event, nor after the subscription was
/// disposed on that thread.
///
/// ReactiveObjC: `RACSignal`.
@frozen
public struct Signal<Value, Failure: Error>: Sendable {
  /// Nothing for a signal that holds its value.
  @usableFromInline let stored: @Sendable (Sink<Value, Failure>) -> Void
  @usableFromInline let ownTiming: SignalTiming
  /// The bits of a value that is held. Not the value: so a signal looks the same whatever its values are, and
  /// code that is not specialised for them need not find out.
  @usableFromInline let word: UInt64

  /// What has a sink receive the events, for whoever keeps that and not the signal.
  @inlinable var connect: @Sendable (Sink<Value, Failure>) -> Void {
    @inline(__always) get {
      if ownTiming != .held { return stored }
      return { [word] sink in sink.sendOnly(ValueCell<Value>.value(of: word)) }
    }
  }

  /// The value of a signal that holds it.
  @inlinable var held: Value { @inline(__always) get { ValueCell<Value>.value(of: word) } }

  /// The timing of a signal that an operator makes of this one which leaves an immediate signal immediate.
  @inlinable var timingInPlace: SignalTiming {
    @inline(__always) get {
      switch ownTiming {
      case .held: .immediate
      case .sequence: .any
      default: ownTiming
      }
    }
  }

  /// The timing of a signal that an operator makes of this one, whatever it does.
  @inlinable var timing: SignalTiming {
    @inline(__always) get {
      switch ownTiming {
      case .held, .immediate, .synchronous: .synchronous
      case .sequence, .any: .any
      }
    }
  }

  /// A signal that runs `connect` with the sink of each new subscription, on the subscribing thread. For
  /// authors of operators and sources that keep the rules of ``Sink``; everybody else uses ``create(_:)``.
  ///
  /// For as long as the source may send something, it keeps the sink, or its ``Sink/terminate``: where
  /// nothing keeps that any more, the run may end. To keep ``Sink/next`` alone is not enough.
  @inlinable @inline(__always)
  public init(connecting connect: @escaping @Sendable (Sink<Value, Failure>) -> Void) {
    self.init(.any, connecting: connect)
  }

  @inlinable @inline(__always)
  init(_ timing: SignalTiming, connecting connect: @escaping @Sendable (Sink<Value, Failure>) -> Void) {
    ownTiming = timing
    stored = connect
    word = 0
  }

  /// A signal of one value, which fits into a word.
  @inlinable @inline(__always)
  init(holding value: Value) where Value: Sendable {
    ownTiming = .held
    stored = { _ in }
    word = ValueCell.bits(of: value)
  }

  /// Has the sink receive the events of this signal: runs it, on the calling thread. For authors of
  /// operators, as ``init(connecting:)`` is.
  @inlinable @inline(__always)
  public func attach(_ sink: consuming Sink<Value, Failure>) {
    if ownTiming == .held { sink.sendOnly(held) } else { stored(sink) }
  }
}

/// When the events of a signal come.
@frozen @usableFromInline
enum SignalTiming: Sendable {
  /// As `immediate`: one value, which is in the signal, and then the end. Whoever runs many such signals need
  /// make nothing for each.
  case held
  /// All before `connect` returns, on the calling thread, from a chain that only looks at the sink's
  /// subscription and neither ends it nor adds to it, so that many such signals can run under one.
  case immediate
  /// All before `connect` returns, on the calling thread, and the sink is forgotten then; that lets a chain
  /// be compiled to a loop.
  case synchronous
  /// At any time, from signals that run one after the other: a ``SequentialRun`` does not subscribe to it,
  /// but has it say what to run.
  case sequence
  case any
}

/// What can be used as a signal: a signal, or a hot source such as a subject. All operators are here.
///
/// ReactiveObjC has none: there a subject is a `RACSignal`.
public protocol SignalConvertible<Value, Failure>: Sendable {
  /// What is sent.
  associatedtype Value
  /// How it can fail; `Never` if it cannot.
  associatedtype Failure: Error
  /// The events of this source. It returns the same signal each time: it is asked more than once for a
  /// subscription.
  var signal: Signal<Value, Failure> { get }
  /// Has the sink receive the events of this source, as ``signal`` does if nothing else is said. A source may
  /// say how, to save making a signal for each subscriber.
  func attach(_ sink: consuming Sink<Value, Failure>)
}

extension SignalConvertible {
  /// Has the sink receive the events of ``signal``.
  @inlinable @inline(__always)
  public func attach(_ sink: consuming Sink<Value, Failure>) { signal.attach(sink) }
}

extension SignalConvertible {
  /// This signal, and then those of a list of arguments. The second has a type, as code for any type is
  /// slower to subscribe, and mostly there are two.
  @inlinable
  func beside(
    _ second: some SignalConvertible<Value, Failure>, _ others: [any SignalConvertible<Value, Failure>]
  ) -> [Signal<Value, Failure>] {
    var signals = [signal, second.signal]
    for other in others { signals.append(other.signal) }
    return signals
  }

  /// A signal made by an operator with this one as its only upstream: what it does with a sink, it does at
  /// once.
  @inlinable @inline(__always)
  func lift<Output>(
    _ wrap: @escaping @Sendable (Sink<Output, Failure>) -> Sink<Value, Failure>
  ) -> Signal<Output, Failure> {
    let signal = self.signal
    return signal.lifted(signal.timing, wrap)
  }

  /// The same for an operator that neither ends the sink's subscription nor adds to it: it ends with its
  /// upstream, or by a failure. So it leaves an immediate signal immediate.
  @inlinable @inline(__always)
  func liftInPlace<Output>(
    _ wrap: @escaping @Sendable (Sink<Output, Failure>) -> Sink<Value, Failure>
  ) -> Signal<Output, Failure> {
    let signal = self.signal
    return signal.lifted(signal.timingInPlace, wrap)
  }

  /// The same for an operator that says itself what it does with a value that a signal holds, where there is
  /// no chain to put together: most signals that `flatMap` runs are such.
  @inlinable @inline(__always)
  func liftInPlace<Output>(
    _ wrap: @escaping @Sendable (Sink<Output, Failure>) -> Sink<Value, Failure>,
    held sendOnly: @escaping @Sendable (Value, Sink<Output, Failure>) -> Void
  ) -> Signal<Output, Failure> {
    let signal = self.signal
    switch signal.ownTiming {
    case .held:
      return Signal<Output, Failure>(.immediate) { [word = signal.word] sink in
        sendOnly(ValueCell.value(of: word), sink)
      }
    default:
      return Signal<Output, Failure>(signal.timingInPlace) { [stored = signal.stored] in stored(wrap($0)) }
    }
  }
}

extension Signal {
  @inlinable @inline(__always)
  func lifted<Output>(
    _ timing: SignalTiming, _ wrap: @escaping @Sendable (Sink<Output, Failure>) -> Sink<Value, Failure>
  ) -> Signal<Output, Failure> {
    switch ownTiming {
    case .held: Signal<Output, Failure>(timing) { [word] in wrap($0).sendOnly(ValueCell.value(of: word)) }
    default: Signal<Output, Failure>(timing) { [stored] in stored(wrap($0)) }
    }
  }
}

extension Signal: SignalConvertible {
  /// The signal itself.
  @inlinable @inline(__always)
  public var signal: Signal<Value, Failure> { self }
}
