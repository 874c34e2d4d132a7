// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Names and labels of RxSwift that are others here, for the compiler's message: see `NamesElsewhere.swift`.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension SignalConvertible {
  @available(*, unavailable, message: "in Weir it is `distinctUntilKeyChanged(_:)`")
  @_documentation(visibility: internal)
  public func distinctUntilChanged<Key: Equatable>(
    _ key: KeyPath<Value, Key>, unused: (() -> Never)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `distinctUntilKeyChanged(_:)`")
  @_documentation(visibility: internal)
  public func distinctUntilChanged<Key: Equatable>(
    at key: KeyPath<Value, Key>, unused: (() -> Never)? = nil
  ) -> Signal<Value, Failure> { fatalError() }

  @available(
    *, unavailable,
    message: "in Weir: `catchAndReturn(_:)` or another `catch`, `observe(on: .main)`, `share(replay: 1)`"
  )
  public func asDriver(onErrorJustReturn value: Value) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `observe(on: .main)` and `share(replay: 1)`")
  public func asDriver() -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(next:failed:completed:)`") @discardableResult
  public func drive(
    onNext: (Value) -> Void, onCompleted: () -> Void = {}, onDisposed: () -> Void = {}
  ) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `bind(to:)`, or `forward(to:)` a subject")
  @discardableResult
  public func drive(_ target: Any) -> Subscription { fatalError() }
}

extension Signal {
  @available(*, unavailable, message: "in Weir it is `Signal(values)`, of an array")
  public static func of(_ values: Value...) -> Signal { fatalError() }
  @available(*, unavailable, message: "in Weir it is `Signal(values)`")
  public static func from(_ values: some Sequence<Value>) -> Signal { fatalError() }
}

// `interval` sends the time, so this one fits only where its ticks are to be numbers, as in RxSwift.
extension Signal where Value == Int, Failure == Never {
  @available(
    *, unavailable,
    message: "`interval` sends the time; numbers are `Signal.ticks(every:on:).enumerated().map(\\.offset)`"
  )
  @_documentation(visibility: internal)
  public static func interval(
    _ period: Duration, on scheduler: some TimedScheduler
  ) -> Signal { fatalError() }
}

extension ObserverProtocol {
  @available(*, unavailable, message: "in Weir it is `send(_:)`, which takes an event, too, or `fail(_:)`")
  @_documentation(visibility: internal)
  public func on(_ event: EventInRxSwift<Value, Failure>) {}
  @available(*, unavailable, message: "in Weir it is `send(_:)`")
  public func accept(_ value: Value) {}
}

// What the argument of that call is in RxSwift, so that it is no error of its own.
@_documentation(visibility: internal)
public enum EventInRxSwift<Value, Failure: Error> {
  case next(Value)
  case error(Failure)
  case completed
}

extension MutableProperty {
  @available(*, unavailable, message: "assign to `value`")
  public func accept(_ value: Value) {}
}

extension PropertyProtocol {
  @available(*, unavailable, message: "in Weir it is `signal`")
  public func asObservable() -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `signal.observe(on: .main)`")
  public func asDriver() -> Signal<Value, Never> { fatalError() }
}

extension Subject {
  @available(*, unavailable, message: "in Weir it is `subscriberCount > 0`")
  public var hasObservers: Bool { fatalError() }
}

extension ReplaySubject {
  @available(*, unavailable, message: "in Weir it is `ReplaySubject(capacity: .last(size))`")
  @_documentation(visibility: internal)
  public static func create(bufferSize size: Int) -> ReplaySubject { fatalError() }
  @available(*, unavailable, message: "in Weir it is `ReplaySubject(capacity: .unbounded)`")
  public static func createUnbounded() -> ReplaySubject { fatalError() }
}

extension Lifetime {
  @available(*, unavailable, message: "in Weir it is `adopt(_:)`, or `add(_:)` for another disposable")
  public func insert(_ disposable: any Disposable) {}
}

extension Command {
  @available(*, unavailable, message: "in Weir it is `executions.flatten()`")
  public var elements: Signal<Output, Never> { fatalError() }
}
