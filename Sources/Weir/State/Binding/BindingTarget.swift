// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A place that the values of a signal can be bound to: see ``SignalConvertible/bind(to:)``.
///
/// It does not retain the object it belongs to. ReactiveObjC: the left side of `RAC(…) = signal`.
public struct BindingTarget<Value>: Sendable {
  /// Takes a value; returns false if the target has been deallocated.
  @usableFromInline let set: @Sendable (Value) -> Bool
  /// Called with a binding before it starts: makes it end with the target, and in debug builds looks for a
  /// second one.
  @usableFromInline let attach: @Sendable (Subscription) -> Void

  @inlinable
  init(attach: @escaping @Sendable (Subscription) -> Void, set: @escaping @Sendable (Value) -> Bool) {
    self.set = set
    self.attach = attach
  }

  /// A target that passes each value to a closure, on the thread that sends it.
  ///
  /// - Parameters:
  ///   - lifetime: bindings end with it, before anything else: what its end makes a signal send is not set.
  ///     It is not retained.
  ///   - set: takes the values. Retained by the target and its bindings; it should not retain the owner of
  ///     the lifetime.
  ///
  /// ReactiveObjC has none.
  @inlinable
  public init(during lifetime: Lifetime, _ set: @escaping @Sendable (Value) -> Void) {
    self.init(
      attach: { [ending = lifetime.ending] binding in ending.adopt(binding) },
      set: { value in
        set(value)
        return true
      })
  }

  /// A property of an object.
  ///
  /// The object is held weakly, and is retained while the property is being set. A binding ends with it: at
  /// once if the object conforms to ``HasLifetime``, else when the next value finds it deallocated. In debug
  /// builds, two bindings to one property of one object at the same time stop the process, if they were made
  /// with equal key paths. If the key path is a literal, as in `BindingTarget(person, \.name)`, the optimiser
  /// resolves it; otherwise Swift takes 2,300 instructions to set something through it, a few hundred
  /// nanoseconds, and an allocation.
  ///
  /// - Parameters:
  ///   - object: the owner of the property. It must allow the property to be set on the threads that send the
  ///     values.
  ///   - keyPath: the property.
  ///
  /// ReactiveObjC: `RAC(object, keyPath)`.
  @inlinable @inline(__always)
  public init<Object: AnyObject & Sendable>(
    _ object: Object, _ keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable
  ) {
    self.init(
      attach: Self.attachment(to: object, at: keyPath),
      set: { [weak object] value in
        guard let object else { return false }
        object[keyPath: keyPath] = value
        return true
      })
  }

  /// A property of an object, for values that may be nil. The rest is as with ``init(_:_:)``.
  ///
  /// - Parameters:
  ///   - object: the owner of the property.
  ///   - keyPath: the property.
  ///   - nilValue: what the property is set to instead of nil.
  ///
  /// ReactiveObjC: the third argument of `RAC(…)`.
  @inlinable @inline(__always)
  public init<Object: AnyObject & Sendable, Wrapped: Sendable>(
    _ object: Object, _ keyPath: any ReferenceWritableKeyPath<Object, Wrapped> & Sendable, nilValue: Wrapped
  ) where Value == Wrapped? {
    self.init(
      attach: Self.attachment(to: object, at: keyPath),
      set: { [weak object] value in
        guard let object else { return false }
        object[keyPath: keyPath] = value ?? nilValue
        return true
      })
  }

  /// How a binding to the part of an object that `key` identifies begins.
  @inlinable @inline(__always)
  static func attachment<Object: AnyObject & Sendable>(
    to object: Object, at key: any AnyKeyPath & Sendable
  ) -> @Sendable (Subscription) -> Void {
    let ending = (object as? any HasLifetime)?.lifetime.ending
    return { [weak object] binding in
      guard let object else { return binding.dispose() }
      ending?.adopt(binding)
      // In a release build this closure must not capture the key path: Swift folds a literal one into the
      // closure that sets the property only where nothing else uses it.
      #if DEBUG
      ActiveBindings.enter(binding, of: object, at: key)
      #endif
    }
  }
}

/// A place that signals can be bound to: a ``BindingTarget``, or something that has one. ReactiveObjC has
/// none.
public protocol BindingTargetConvertible<Value>: Sendable {
  /// The type of its values.
  associatedtype Value
  /// The target that takes the values of a signal.
  var bindingTarget: BindingTarget<Value> { get }
}

extension BindingTarget: BindingTargetConvertible {
  /// The target itself.
  @inlinable public var bindingTarget: BindingTarget<Value> { self }
}

extension MutableProperty: BindingTargetConvertible {
  /// A target that sets the value of the property. It does not retain the property; bindings end as soon as
  /// that is deallocated. In debug builds, two bindings to this target at the same time stop the process; a
  /// target made with the key path of ``value`` counts as another one. Setting it costs the same as setting
  /// ``value``.
  @inlinable
  public var bindingTarget: BindingTarget<Value> {
    BindingTarget(
      attach: { [core] binding in
        core.broadcast.list.adopt(binding)
        ActiveBindings.enter(binding, of: core, at: \MutableProperty.value)
      },
      set: { [core] value in
        if core.hasEnded.isClaimed || !core.cell.set(value) { return false }
        core.announce()
        return true
      })
  }
}
