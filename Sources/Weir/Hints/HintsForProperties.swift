// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Properties where a signal is expected, and operators of signals called on a property, for the compiler's
// message: see `NamesElsewhere.swift`. In ReactiveSwift a property can be used like a signal.
//
// There is none for `combineLatest(with:)`, `zip(with:)` and `withLatest(from:)`. Their result depends on the
// type of the argument, so the compiler would take the hint for the best match where the argument is a signal
// and a closure that follows has an error, and say that a subject is no property.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension SignalConvertible {
  @available(*, unavailable, message: "pass the property's signal: `merge(with: property.signal)`")
  @_documentation(visibility: internal)
  public func merge(with property: some PropertyProtocol<Value>) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "pass the property's signal: `concat(property.signal)`")
  @_documentation(visibility: internal)
  public func concat(_ property: some PropertyProtocol<Value>) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "pass the property's signal: `sample(on: property.signal)`")
  @_documentation(visibility: internal)
  public func sample(on property: some PropertyProtocol) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "pass the property's signal: `take(until: property.signal)`")
  @_documentation(visibility: internal)
  public func take(
    until property: any PropertyProtocol, unused: (() -> Never)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "pass the property's signal: `skip(until: property.signal)`")
  @_documentation(visibility: internal)
  public func skip(
    until property: any PropertyProtocol, unused: (() -> Never)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "pass the property's signal: `and(property.signal)`")
  @_documentation(visibility: internal)
  public func and(_ property: some PropertyProtocol<Bool>) -> Signal<Bool, Failure> where Value == Bool {
    fatalError()
  }
  @available(*, unavailable, message: "pass the property's signal: `or(property.signal)`")
  @_documentation(visibility: internal)
  public func or(_ property: some PropertyProtocol<Bool>) -> Signal<Bool, Failure> where Value == Bool {
    fatalError()
  }
}

@available(*, unavailable, message: "bind the property's signal: `target <~ property.signal`")
@discardableResult
@_documentation(visibility: internal)
public func <~ (target: some BindingTargetConvertible, property: some PropertyProtocol) -> Subscription {
  fatalError()
}

extension PropertyProtocol {
  @available(*, unavailable, message: "subscribe to its signal: `property.signal.subscribe { … }`")
  @discardableResult
  public func observe(_ action: (Value) -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "subscribe to its signal: `property.signal.subscribe { … }`")
  @discardableResult
  public func observeValues(_ action: (Value) -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "subscribe to its signal: `property.signal.subscribe { … }`")
  @discardableResult
  public func startWithValues(_ action: (Value) -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.bind(to:_:)`")
  @discardableResult
  public func bind<Object: AnyObject>(to object: Object, _ keyPath: PartialKeyPath<Object>) -> Subscription {
    fatalError()
  }

  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.compactMap { … }`")
  public func compactMap<Output>(_ transform: (Value) -> Output?) -> Signal<Output, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.scan(_:_:)`")
  public func scan<Output>(
    _ initial: Output, _ combine: (Output, Value) -> Output
  ) -> Signal<Output, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.scan(into:_:)`")
  public func scan<Output>(
    into initial: Output, _ combine: (inout Output, Value) -> Void
  ) -> Signal<Output, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.doNext { … }`")
  public func doNext(_ action: (Value) -> Void) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.pairwise()`")
  public func pairwise() -> Signal<(Value, Value), Never> { fatalError() }
  @available(
    *, unavailable, message: "it is an operator of its signal: `property.signal.combinePrevious(_:)`"
  )
  public func combinePrevious(_ initial: Value) -> Signal<(Value, Value), Never> { fatalError() }

  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.debounce(_:on:)`")
  public func debounce(_ quiet: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Never> {
    fatalError()
  }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.delay(_:on:)`")
  public func delay(_ delay: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Never> {
    fatalError()
  }
  @available(
    *, unavailable, message: "it is an operator of its signal: `property.signal.rateLimit(to:on:edge:)`"
  )
  public func rateLimit(
    to interval: Duration, on scheduler: some TimedScheduler, edge: RateLimitEdge
  ) -> Signal<Value, Never> { fatalError() }
  @available(
    *, unavailable, message: "it is an operator of its signal: `property.signal.rateLimit(to:on:edge:)`"
  )
  public func throttle(_ interval: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Never> {
    fatalError()
  }

  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.skip(first:)`")
  public func skip(first count: Int) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.take(first:)`")
  public func take(first count: Int) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.take(until:)`")
  public func take(until trigger: some SignalConvertible) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.take(while:)`")
  public func take(while predicate: (Value) -> Bool) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.values()`")
  public func values() -> AsyncValues<Value, Never> { fatalError() }
  @available(*, unavailable, message: "it is a function of its signal: `property.signal.firstValue()`")
  public func firstValue() async -> Value? { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.share()`")
  public func share() -> Signal<Value, Never> { fatalError() }

  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.merge(with:)`")
  public func merge(with other: Any) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "zip their signals: `property.signal.zip(with: other.signal)`")
  public func zip<Other>(with other: some PropertyProtocol<Other>) -> Property<(Value, Other)> {
    fatalError()
  }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.zip(with:)`")
  public func zip<Other>(with other: some SignalConvertible<Other, Never>) -> Signal<(Value, Other), Never> {
    fatalError()
  }
  @available(
    *, unavailable, message: "it is an operator of its signal: `property.signal.combineLatest(with:)`"
  )
  public func combineLatest<Other>(
    with other: some SignalConvertible<Other, Never>
  ) -> Signal<(Value, Other), Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.withLatest(from:)`")
  public func withLatest<Other>(
    from other: some PropertyProtocol<Other>
  ) -> Signal<(Value, Other), Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.withLatest(from:)`")
  public func withLatest<Other>(
    from other: some SignalConvertible<Other, Never>
  ) -> Signal<(Value, Other), Never> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `combined(with:)` and `map { a, b in a && b }`")
  public func and(_ other: some PropertyProtocol<Bool>) -> Property<Bool> where Value == Bool { fatalError() }
  @available(*, unavailable, message: "in Weir it is `combined(with:)` and `map { a, b in a || b }`")
  public func or(_ other: some PropertyProtocol<Bool>) -> Property<Bool> where Value == Bool { fatalError() }
  @available(*, unavailable, message: "in Weir it is `map { !$0 }`")
  public func negate() -> Property<Bool> where Value == Bool { fatalError() }
  @available(*, unavailable, message: "in Weir it is `map { !$0 }`")
  public func not() -> Property<Bool> where Value == Bool { fatalError() }
}
