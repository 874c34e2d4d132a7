// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A value that can be read and observed at any time: a ``MutableProperty``, or a ``Property``.
///
/// ReactiveObjC: an object and a key path.
public protocol PropertyProtocol<Value>: Sendable {
  /// The type of its value.
  associatedtype Value: Sendable
  /// The value now. May be read from any thread, without waiting.
  var value: Value { get }
  /// The value now, at once, and then each change; see ``MutableProperty/signal``. It does not retain the
  /// property.
  var signal: Signal<Value, Never> { get }
}

extension MutableProperty: PropertyProtocol {}

/// A value that can be read and observed, but not set.
///
/// A derived property stores no value: reading it reads its sources and computes, so that it always agrees
/// with them, and costs what its closures cost. Its signal runs the closures for each observer and change.
/// Where that is too expensive, let a separate property follow the signal: ``init(initial:then:)``.
///
/// A property retains what it was derived from. Its signal does not: it completes when the
/// ``MutableProperty`` behind it is released, or, if there are several, when all of them are; with
/// ``init(constant:)``, at once.
///
/// ReactiveObjC has no such type.
public struct Property<Value: Sendable>: PropertyProtocol {
  @usableFromInline let read: @Sendable () -> Value
  /// The value now, on the subscribing thread, and then each change. On which thread a change is delivered,
  /// and when the signal completes, is said by the initialiser or operator that made the property.
  public let signal: Signal<Value, Never>

  /// The value now, computed from the sources. May be read from any thread, without waiting.
  @inlinable public var value: Value { read() }

  /// - Parameters:
  ///   - read: returns the value, and retains the sources.
  ///   - signal: sends the same values, and retains no source.
  @inlinable
  init(reading read: @escaping @Sendable () -> Value, observing signal: Signal<Value, Never>) {
    self.read = read
    self.signal = signal
  }

  /// A read-only view of another property: its signal is that of the other one.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public init(_ property: some PropertyProtocol<Value>) {
    self.init(reading: { property.value }, observing: property.signal)
  }

  /// A property that never changes. Its signal sends the value and completes.
  ///
  /// ReactiveObjC has none: `+return:` for its signal.
  @inlinable
  public init(constant value: Value) {
    self.init(reading: { value }, observing: .just(value))
  }

  /// A property that follows a signal, from now on.
  ///
  /// The signal is subscribed at once, on this thread; observers get its values where it sends them. When it
  /// has completed, the last value stays. The subscription ends, and observers get the completion, when the
  /// last copy of the property, and of all that was derived from it, has been released.
  ///
  /// - Parameters:
  ///   - initial: the value until the signal sends one.
  ///   - signal: delivers the later values.
  ///
  /// ReactiveObjC: `RAC(…) = signal`, with a property that nobody else sets.
  @inlinable
  public init(initial: Value, then signal: some SignalConvertible<Value, Never>) {
    let (property, binding) = (MutableProperty(initial), Subscription())
    // The target does not retain the property, not even during a delivery: so the property is deallocated
    // with its last copy at once. Without `bind`, which looks for other bindings in debug builds: nothing
    // else can bind this one.
    property.core.broadcast.list.adopt(binding)
    signal.set(property.bindingTarget, in: binding)
    self.init(property)
  }
}
