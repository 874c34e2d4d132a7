// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension SignalConvertible where Failure == Never {
  /// Sets `target` to each value of the signal.
  ///
  /// The binding ends when the signal does, when the returned subscription is disposed, or when the target is
  /// deallocated (for a property of an object without a ``Lifetime``, only at the next value after that); the
  /// target then keeps its last value, and can be bound again. If the target has been deallocated already,
  /// the signal is not subscribed. Two bindings to one property at the same time would overwrite each other's
  /// values: where the target is a ``MutableProperty``, or a property of an object and the key paths are
  /// equal, they stop the process in debug builds. Two properties that are bound to each other by two
  /// bindings, more properties in a circle, or one that is bound to its own signal, would forward a value for
  /// ever: use ``MutableProperty/bindBothWays(with:)``, or `distinctUntilChanged` in one of the bindings.
  ///
  /// The target is set on the threads on which the signal sends, one value after the other; nothing is
  /// buffered. The binding retains neither the signal nor the target, and it does not end when the returned
  /// subscription is discarded.
  ///
  /// Only a signal that cannot fail can be bound: handle failures first, with
  /// ``catch(_:)->Signal<Self.Value,NewFailure>`` or ``assertNoFailure(fileID:line:)``.
  ///
  /// ReactiveObjC: `RAC(…) = signal`.
  @inlinable
  @discardableResult
  public func bind(to target: some BindingTargetConvertible<Value>) -> Subscription {
    let target = target.bindingTarget
    let binding = Subscription()
    target.attach(binding)
    set(target, in: binding)
    return binding
  }

  /// Sets `target` to each value of the signal, which runs in `binding`. The caller must make `binding` end
  /// when the target is deallocated; otherwise it ends at the first value after that.
  @inlinable
  func set(_ target: BindingTarget<Value>, in binding: Subscription) {
    if binding.isDisposed { return }
    signal.attach(
      Sink(
        next: { value in if !target.set(value) { binding.dispose() } },
        terminate: { _ in binding.dispose() },
        subscription: binding))
  }

  /// Sets a property of `object` to each value of the signal, for as long as the object lives. See
  /// ``bind(to:)``, and ``BindingTarget/init(_:_:)`` for how the object is held. Where values come often,
  /// write `bind(to: BindingTarget(object, \.name))`: Swift does not resolve the literal key path here, and
  /// takes five times as long.
  ///
  /// - Parameters:
  ///   - object: the owner of the property; held weakly.
  ///   - keyPath: the property.
  ///
  /// ReactiveObjC: `-setKeyPath:onObject:`.
  @inlinable
  @discardableResult
  public func bind<Object: AnyObject & Sendable>(
    to object: Object, _ keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable
  ) -> Subscription {
    bind(to: BindingTarget(object, keyPath))
  }

  /// Sets a property of `object` to each value of the signal, which may be nil: see ``bind(to:_:)``.
  ///
  /// - Parameters:
  ///   - object: the owner of the property; held weakly.
  ///   - keyPath: the property.
  ///   - nilValue: what the property is set to instead of nil.
  ///
  /// ReactiveObjC: `-setKeyPath:onObject:nilValue:`.
  @inlinable
  @discardableResult
  public func bind<Object: AnyObject & Sendable, Wrapped: Sendable>(
    to object: Object, _ keyPath: any ReferenceWritableKeyPath<Object, Wrapped> & Sendable, nilValue: Wrapped
  ) -> Subscription where Value == Wrapped? {
    bind(to: BindingTarget(object, keyPath, nilValue: nilValue))
  }
}

/// The precedence of binding operators: lower than that of all others but assignment.
precedencegroup BindingPrecedence {
  associativity: right
  higherThan: AssignmentPrecedence
}

infix operator <~ : BindingPrecedence

/// Sets the target on the left to each value of the signal on the right: ``SignalConvertible/bind(to:)``.
///
/// ReactiveObjC: `RAC(…) = signal`.
@inlinable @discardableResult
public func <~ <Target: BindingTargetConvertible>(
  target: Target, signal: some SignalConvertible<Target.Value, Never>
) -> Subscription {
  signal.bind(to: target)
}
