// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A place that the values of a signal can be bound to: see ``SignalConvertible/bind(to:)``.
///
/// It does not keep the object it belongs to. ReactiveObjC: what stands on the left of `RAC(…) = signal`.
public struct BindingTarget<Value>: Sendable {
  /// Takes a value; false if there is nobody left to take it.
  let set: @Sendable (Value) -> Bool
  /// Told of a binding before it begins: has it end with the target, and in debug builds looks for a second
  /// one.
  let attach: @Sendable (Subscription) -> Void

  init(attach: @escaping @Sendable (Subscription) -> Void, set: @escaping @Sendable (Value) -> Bool) {
    self.set = set
    self.attach = attach
  }

  /// A target that hands each value to a closure, on the thread on which it comes.
  ///
  /// - Parameters:
  ///   - lifetime: bindings end with it. It is not kept.
  ///   - set: takes the values. Kept as long as the target and its bindings; it should not hold the owner of
  ///     the lifetime.
  ///
  /// ReactiveObjC has none.
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
  /// The object is held weakly, and is kept alive while the property is being set. A binding ends with it: at
  /// once if the object is one that ``HasLifetime``, else when the next value finds it gone. In debug builds,
  /// two bindings to one property of one object at the same time stop the process. Setting through a key path
  /// costs some tens of nanoseconds.
  ///
  /// - Parameters:
  ///   - object: the owner of the property. It is written to on the threads on which values come, and must
  ///     bear that.
  ///   - keyPath: the property.
  ///
  /// ReactiveObjC: `RAC(object, keyPath)`.
  public init<Object: AnyObject & Sendable>(
    _ object: Object, _ keyPath: any ReferenceWritableKeyPath<Object, Value> & Sendable
  ) {
    self.init(object, keyPath) { $0[keyPath: keyPath] = $1 }
  }

  /// A property of an object, for values that may be nil. The rest is as with ``init(_:_:)``.
  ///
  /// - Parameters:
  ///   - object: the owner of the property.
  ///   - keyPath: the property.
  ///   - nilValue: what the property is set to instead of nil.
  ///
  /// ReactiveObjC: the third argument of `RAC(…)`.
  public init<Object: AnyObject & Sendable, Wrapped: Sendable>(
    _ object: Object, _ keyPath: any ReferenceWritableKeyPath<Object, Wrapped> & Sendable, nilValue: Wrapped
  ) where Value == Wrapped? {
    self.init(object, keyPath) { $0[keyPath: keyPath] = $1 ?? nilValue }
  }

  /// Something of an object that `key` is the name of.
  init<Object: AnyObject & Sendable>(
    _ object: Object, _ key: any AnyKeyPath & Sendable, set: @escaping @Sendable (Object, Value) -> Void
  ) {
    let ending = (object as? any HasLifetime)?.lifetime.ending
    self.init(
      attach: { [weak object] binding in
        guard let object else { return binding.dispose() }
        ending?.adopt(binding)
        ActiveBindings.enter(binding, of: object, at: key)
      },
      set: { [weak object] value in
        // Kept until it has been set.
        guard let object else { return false }
        set(object, value)
        return true
      })
  }
}

/// What can be bound to: a ``BindingTarget``, or something that has one. ReactiveObjC has none.
public protocol BindingTargetConvertible<Value>: Sendable {
  /// What it takes.
  associatedtype Value
  /// Where the values of a signal go.
  var bindingTarget: BindingTarget<Value> { get }
}

extension BindingTarget: BindingTargetConvertible {
  /// The target itself.
  public var bindingTarget: BindingTarget<Value> { self }
}

extension MutableProperty: BindingTargetConvertible {
  /// The value of the property. It does not keep the property; bindings end with that, at once. In debug
  /// builds, two bindings at the same time stop the process: two of this target, that is, for one that was
  /// made with the key path of ``value`` counts as one to another place. Setting costs what setting ``value``
  /// does.
  public var bindingTarget: BindingTarget<Value> {
    BindingTarget(
      attach: { [core] binding in
        core.broadcast.list.adopt(binding)
        ActiveBindings.enter(binding, of: core, at: \MutableProperty.value)
      },
      set: { [core] value in
        if core.hasEnded.isClaimed || core.cell.exchangeUnlessCleared(value) == nil { return false }
        core.announce()
        return true
      })
  }
}
