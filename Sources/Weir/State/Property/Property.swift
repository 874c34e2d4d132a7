// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What always has a value that can be read and observed: a ``MutableProperty``, or a ``Property``.
///
/// ReactiveObjC: an object and a key path.
public protocol PropertyProtocol<Value>: Sendable {
  /// What it holds.
  associatedtype Value: Sendable
  /// The value now. From any thread, without waiting.
  var value: Value { get }
  /// The value now, at once, and then each change; see ``MutableProperty/signal``. It does not keep the
  /// property.
  var signal: Signal<Value, Never> { get }
}

extension MutableProperty: PropertyProtocol {}

/// A value that can be read and observed, but not set.
///
/// A derived property keeps no value: reading it reads its sources and computes, so that it always agrees
/// with them, and costs what its closures cost. Its signal runs the closures for each observer and change.
/// Where that is too dear, let a property of its own follow the signal: ``init(initial:then:)``.
///
/// A property keeps what it was derived from. Its signal does not: that completes when the
/// ``MutableProperty`` behind it is released, with several of them when all are.
///
/// ReactiveObjC has no such type.
public struct Property<Value: Sendable>: PropertyProtocol {
  private let read: @Sendable () -> Value
  /// The value now, on the subscribing thread, and then each change, on the thread that made it. Completes
  /// when the sources have gone.
  public let signal: Signal<Value, Never>

  /// The value now, computed from the sources. From any thread, without waiting.
  public var value: Value { read() }

  /// - Parameters:
  ///   - read: returns the value, and keeps the sources.
  ///   - signal: has the same values, and keeps no source.
  init(reading read: @escaping @Sendable () -> Value, observing signal: Signal<Value, Never>) {
    self.read = read
    self.signal = signal
  }

  /// A view of another property that does not let it be set.
  public init(_ property: some PropertyProtocol<Value>) {
    self.init(reading: { property.value }, observing: property.signal)
  }

  /// A property that never changes. Its signal sends the value and completes.
  public init(constant value: Value) {
    self.init(reading: { value }, observing: .just(value))
  }

  /// A property that follows a signal, from now on.
  ///
  /// The signal is subscribed at once, on this thread; observers get its values where it sends them. When it
  /// has completed, the last value stays. The subscription ends, and observers get the completion, when the
  /// last copy of the property has gone, with all that was derived from it.
  ///
  /// - Parameters:
  ///   - initial: the value until the signal sends one.
  ///   - signal: delivers the later values.
  public init(initial: Value, then signal: some SignalConvertible<Value, Never>) {
    let (property, binding) = (MutableProperty(initial), Subscription())
    // A target does not keep it, not even during a delivery: so it goes with the last copy at once. Without
    // `bind`, which looks for other bindings in debug builds: nobody else can bind this one.
    property.core.broadcast.list.adopt(binding)
    signal.set(property.bindingTarget, in: binding)
    self.init(property)
  }
}
