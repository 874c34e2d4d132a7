// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A stream of values over time that ends at most once, with success or with a failure.
///
/// A signal is a description: nothing happens until it is subscribed to. Each subscription to a cold signal
/// is a run of its own; one to a hot signal (see ``Subject``) adds a subscriber. A signal is four words; a
/// plain value (one without references) of up to eight bytes that ``SignalConvertible/just(_:)-m9b7`` sends
/// is stored in one of them, and takes no memory.
///
/// Every subscriber is called serially, never nested, on the thread on which the source sends; subscribing
/// itself never changes threads. Nothing is delivered after a terminal event, nor on a thread that has
/// disposed the subscription. A source *lets go* of a run when it releases what it was to send to without a
/// terminal event: the run then ends without one. "Words" in ``Weir`` has this and other terms.
///
/// ReactiveObjC: `RACSignal`.
@frozen
public struct Signal<Value, Failure: Error>: Sendable {
  /// Connects a sink. The second argument is ``word``, for the closure of a signal that holds its value: so
  /// that closure captures nothing, and a signal is run without a look at what kind it is. It consumes the
  /// sink, as do all that pass one on: a sink is three references, or four with a step, which are moved and
  /// not copied on its way.
  @usableFromInline let stored: @Sendable (consuming Sink<Value, Failure>, UInt64) -> Void
  @usableFromInline let ownTiming: SignalTiming
  /// The bits of a held value, not the value: so the layout of a signal does not depend on the type of its
  /// values, and unspecialised code need not look it up.
  @usableFromInline let word: UInt64

  /// The value of a signal whose timing is `held`.
  @inlinable @inline(__always) var held: Value { ValueCell<Value>.value(of: word) }

  /// The timing of the signal that an operator makes from this one, if it leaves an immediate signal
  /// immediate.
  @inlinable @inline(__always) var timingInPlace: SignalTiming { ownTiming.intersection(.immediate) }

  /// The timing of the signal that an operator makes from this one, whatever the operator does.
  @inlinable @inline(__always) var timing: SignalTiming { ownTiming.intersection(.synchronous) }

  /// The timing of the signal that an operator makes from this one, if it does something first and then runs
  /// this one with the sink that it was given: then what is made of a sequence is one, too.
  @inlinable @inline(__always) var timingOfPart: SignalTiming {
    ownTiming.intersection(.synchronousOrSequence)
  }

  /// A signal that runs `attach` with the sink of each new subscription, on the subscribing thread. For
  /// authors of operators and sources that follow the rules of ``Sink``; everybody else uses ``create(_:)``.
  ///
  /// As long as the source may send something, it retains the sink or its ``Sink/terminate``: when nothing
  /// retains that any more, the run may end. Retaining ``Sink/next`` alone is not enough.
  ///
  /// Nothing checks these rules: values of two threads that overlap are a data race. So it is `@unsafe`, and
  /// with `-strict-memory-safety` the compiler asks for `unsafe` where it is called.
  @unsafe @inlinable @inline(__always)
  public static func attaching(
    _ attach: @escaping @Sendable (consuming Sink<Value, Failure>) -> Void
  ) -> Signal {
    Signal(attaching: { sink, _ in attach(consume sink) })
  }

  @inlinable @inline(__always)
  init(
    _ timing: SignalTiming = .any,
    attaching attach: @escaping @Sendable (consuming Sink<Value, Failure>, UInt64) -> Void
  ) {
    ownTiming = timing
    stored = attach
    word = 0
  }

  /// A signal of one value, which must fit into a word.
  @inlinable @inline(__always)
  init(holding value: Value) where Value: Sendable {
    ownTiming = .held
    stored = { sink, word in sink.sendOnly(ValueCell.value(of: word)) }
    word = ValueCell.bits(of: value)
  }

  /// Runs this signal on the calling thread; `sink` receives its events. For authors of operators, as
  /// ``attaching(_:)`` is.
  @inlinable @inline(__always)
  public func attach(_ sink: consuming Sink<Value, Failure>) {
    stored(sink, word)
  }
}

/// When a signal sends its events.
///
/// Bits and not cases: then the timing of an operator's signal is computed without a branch. Where the timing
/// of the source is not known at compile time, a branch there would keep the optimiser from making one
/// function of the chain.
@frozen @usableFromInline
struct SignalTiming: Equatable, Sendable {
  @usableFromInline let bits: UInt8

  @inlinable @inline(__always)
  init(bits: UInt8) { self.bits = bits }

  /// Sends at any time.
  @inlinable @inline(__always) static var any: SignalTiming { SignalTiming(bits: 0) }
  /// Sends all events before `attach` returns, on the calling thread, and does not retain the sink any
  /// longer; that lets a chain be compiled to a loop.
  @inlinable @inline(__always) static var synchronous: SignalTiming { SignalTiming(bits: 0b0001) }
  /// As `synchronous`; and the chain only checks the sink's subscription, and neither ends it nor adds to it,
  /// so that many such signals can share one.
  @inlinable @inline(__always) static var immediate: SignalTiming { SignalTiming(bits: 0b0011) }
  /// As `immediate`: sends one value, which is stored in the signal, and completes. Code that runs many such
  /// signals need not create anything for each.
  @inlinable @inline(__always) static var held: SignalTiming { SignalTiming(bits: 0b0111) }
  /// Sends at any time, from signals that run one after the other: a ``SequentialRun`` does not subscribe to
  /// it, but asks it what to run.
  @inlinable @inline(__always) static var sequence: SignalTiming { SignalTiming(bits: 0b1000) }

  @inlinable @inline(__always) static var synchronousOrSequence: SignalTiming {
    SignalTiming(bits: synchronous.bits | sequence.bits)
  }

  @inlinable @inline(__always)
  func intersection(_ other: SignalTiming) -> SignalTiming { SignalTiming(bits: bits & other.bits) }
}

/// A type that can be used as a signal: ``Signal``, or a hot source such as a subject. All operators are
/// here.
///
/// ReactiveObjC has none: there a subject is a `RACSignal`.
public protocol SignalConvertible<Value, Failure>: Sendable {
  /// The type of its values.
  associatedtype Value
  /// The type of its error; `Never` if it cannot fail.
  associatedtype Failure: Error
  /// The events of this source. Returns the same signal each time: it may be read more than once for one
  /// subscription.
  var signal: Signal<Value, Failure> { get }
  /// Runs this source; `sink` receives its events. By default ``signal`` does it; a source may implement this
  /// to avoid making a signal for each subscriber.
  func attach(_ sink: consuming Sink<Value, Failure>)
}

extension SignalConvertible {
  /// Runs ``signal``; `sink` receives its events.
  @inlinable @inline(__always)
  public func attach(_ sink: consuming Sink<Value, Failure>) { signal.attach(sink) }
}

extension SignalConvertible {
  /// This signal, followed by those of an argument list. The second one has a generic type: an existential is
  /// slower to subscribe to, and usually there are two signals.
  @inlinable
  func beside(
    _ second: some SignalConvertible<Value, Failure>, _ others: [any SignalConvertible<Value, Failure>]
  ) -> [Signal<Value, Failure>] {
    var signals = [signal, second.signal]
    for other in others { signals.append(other.signal) }
    return signals
  }

  /// The signal of an operator whose only upstream is this one, and which connects to it at once.
  @inlinable @inline(__always)
  func lift<Output, OutputFailure>(
    _ wrap: @escaping @Sendable (consuming Sink<Output, OutputFailure>) -> Sink<Value, Failure>
  ) -> Signal<Output, OutputFailure> {
    let signal = self.signal
    return signal.lifted(signal.timing, wrap)
  }

  /// The same for an operator that neither ends the sink's subscription nor adds to it: it ends with its
  /// upstream, or by a failure. So it leaves an immediate signal immediate.
  @inlinable @inline(__always)
  func liftInPlace<Output>(
    _ wrap: @escaping @Sendable (consuming Sink<Output, Failure>) -> Sink<Value, Failure>
  ) -> Signal<Output, Failure> {
    let signal = self.signal
    return signal.lifted(signal.timingInPlace, wrap)
  }
}

extension Signal {
  @inlinable @inline(__always)
  func lifted<Output, OutputFailure>(
    _ timing: SignalTiming,
    _ wrap: @escaping @Sendable (consuming Sink<Output, OutputFailure>) -> Sink<Value, Failure>
  ) -> Signal<Output, OutputFailure> {
    Signal<Output, OutputFailure>(timing) { [stored, word] sink, _ in stored(wrap(consume sink), word) }
  }
}

extension Signal: SignalConvertible {
  /// The signal itself.
  @inlinable @inline(__always)
  public var signal: Signal<Value, Failure> { self }
}
