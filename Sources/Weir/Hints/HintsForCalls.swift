// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Calls as in other libraries of names that Weir has, for the compiler's message: see `NamesElsewhere.swift`.
// First those with a closure that combines the values: no call of these names takes a closure in Weir.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension SignalConvertible {
  @available(
    *, unavailable, message: "the closure belongs into a `map`: `combineLatest(with: b).map { a, b in … }`"
  )
  @_documentation(visibility: internal)
  public func combineLatest<Other, OtherFailure, Output>(
    with other: some SignalConvertible<Other, OtherFailure>, _ combine: (Value, Other) throws -> Output
  ) -> Signal<Output, Failure> { fatalError() }
  @available(
    *, unavailable, message: "the closure belongs into a `map`: `combineLatest(with: b).map { a, b in … }`"
  )
  @_documentation(visibility: internal)
  public func combineLatest<Other, OtherFailure, Output>(
    _ other: some SignalConvertible<Other, OtherFailure>, _ combine: (Value, Other) throws -> Output
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "the closure belongs into a `map`: `zip(with: b).map { a, b in … }`")
  @_documentation(visibility: internal)
  public func zip<Other, OtherFailure, Output>(
    with other: some SignalConvertible<Other, OtherFailure>, _ combine: (Value, Other) throws -> Output
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "the closure belongs into a `map`: `zip(with: b).map { a, b in … }`")
  @_documentation(visibility: internal)
  public func zip<Other, OtherFailure, Output>(
    _ other: some SignalConvertible<Other, OtherFailure>, _ combine: (Value, Other) throws -> Output
  ) -> Signal<Output, Failure> { fatalError() }
  @available(
    *, unavailable, message: "the closure belongs into a `map`: `withLatest(from: b).map { a, b in … }`"
  )
  @_documentation(visibility: internal)
  public func withLatest<Other, OtherFailure, Output>(
    from other: some SignalConvertible<Other, OtherFailure>, _ combine: (Value, Other) throws -> Output
  ) -> Signal<Output, Failure> { fatalError() }
}

extension Signal {
  @available(
    *, unavailable, message: "the closure belongs into a `map`: `a.combineLatest(with: b).map { a, b in … }`"
  )
  @_documentation(visibility: internal)
  public static func combineLatest<First, Second>(
    _ first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    resultSelector: (First, Second) throws -> Value
  ) -> Signal { fatalError() }
  @available(
    *, unavailable, message: "the closure belongs into a `map`: `a.zip(with: b).map { a, b in … }`"
  )
  @_documentation(visibility: internal)
  public static func zip<First, Second>(
    _ first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    resultSelector: (First, Second) throws -> Value
  ) -> Signal { fatalError() }
}

// Without these the compiler would miss the label of another library's debounce, delay and timeout.
extension SignalConvertible {
  @available(*, unavailable, message: "name the scheduler of the timer: `debounce(_:on:)`, as in `on: .pool`")
  @_documentation(visibility: internal)
  public func debounce(
    _ quiet: Duration, unused: (() -> Never)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "name the scheduler of the timer: `delay(_:on:)`, as in `on: .pool`")
  @_documentation(visibility: internal)
  public func delay(_ interval: Duration) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message: "say what is timed, and on what: `timeout(.idle(time), on: .pool, failing: error)`"
  )
  @_documentation(visibility: internal)
  public func timeout(_ time: Duration) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable, message: "name the scheduler of the timer: `timeout(_:on:failing:)`, as in `on: .pool`"
  )
  @_documentation(visibility: internal)
  public func timeout(_ policy: TimeoutPolicy) -> Signal<Value, Failure> { fatalError() }
}

// In RxSwift and Combine a timeout takes a duration. What the result fails with is not in the types of these:
// where it depends on an argument, Swift 6.3 rejects the closure that follows.
extension SignalConvertible {
  @available(
    *, unavailable,
    message: "a signal whose failure type is not `any Error` takes an error: `timeout(_:on:failing:)`"
  )
  @_documentation(visibility: internal)
  public func timeout(
    _ policy: TimeoutPolicy, on scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> { fatalError() }
}

extension SignalConvertible where Failure == Never {
  @available(
    *, unavailable,
    message:
      "this signal cannot fail: `setFailureType(to: (any Error).self)` first, or `timeout(_:on:switchingTo:)`"
  )
  @_documentation(visibility: internal)
  public func timeout(
    _ policy: TimeoutPolicy, on scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message: "it is `.idle(time)`, and this signal cannot fail: `setFailureType(to: (any Error).self)` first"
  )
  @_documentation(visibility: internal)
  public func timeout(
    _ time: Duration, on scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message: "this signal cannot fail: `setFailureType(to:)` first, or `timeout(_:on:switchingTo:)`"
  )
  @_documentation(visibility: internal)
  public func timeout(
    _ policy: TimeoutPolicy, on scheduler: some TimedScheduler, failing error: any Error
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message: "it is `.idle(time)`, and this signal cannot fail: `setFailureType(to:)` first"
  )
  @_documentation(visibility: internal)
  public func timeout(
    _ time: Duration, on scheduler: some TimedScheduler, failing error: any Error
  ) -> Signal<Value, Failure> { fatalError() }
}

// Names that Weir does not have, or not with these arguments.
extension SignalConvertible {
  @available(*, unavailable, message: "in Weir it is `forward(to:)`")
  @discardableResult
  @_documentation(visibility: internal)
  public func bind(
    to observer: any ObserverProtocol, unused: (() -> Never)? = nil
  ) -> Subscription { fatalError() }
  // Without this one, the compiler would take the hint about observers for the best match. It is disfavoured,
  // so that the compiler does not take it for as good as the function that there is.
  @available(
    *, unavailable,
    message: "only a signal that cannot fail can be bound: `catchAndReturn(_:)` or `catch(_:)` first"
  )
  @_disfavoredOverload @discardableResult
  @_documentation(visibility: internal)
  public func bind(to target: some BindingTargetConvertible<Value>) -> Subscription { fatalError() }

  @available(
    *, unavailable,
    message:
      "each closure has its own operator: `initially(_:)`, `doNext(_:)`, `doFailed(_:)`, `doCompleted(_:)`"
  )
  @_documentation(visibility: internal)
  public func on(
    unused: (() -> Never)? = nil,
    starting: () -> Void = {}, started: () -> Void = {}, failed: (Failure) -> Void = { _ in },
    completed: () -> Void = {}, interrupted: () -> Void = {}, disposed: () -> Void = {},
    value: (Value) -> Void = { _ in }
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message:
      "`terminated` is `on(disposed:)`, since `finally(_:)` is not called at disposal; `started` is `initially(_:)`"
  )
  @_documentation(visibility: internal)
  public func on(
    unused: (() -> Never)? = nil,
    starting: () -> Void = {}, started: () -> Void = {}, failed: (Failure) -> Void = { _ in },
    completed: () -> Void = {}, interrupted: () -> Void = {}, terminated: () -> Void,
    disposed: () -> Void = {}, value: (Value) -> Void = { _ in }
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `retry(.upTo(count).delayed(by:on:))`")
  @_documentation(visibility: internal)
  public func retry(upTo count: Int, interval: Duration, on scheduler: some TimedScheduler) -> Signal<
    Value, Failure
  > {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `timeout(_:on:failing:)` with `.deadline(time)`")
  @_documentation(visibility: internal)
  public func timeout(
    after time: Duration, raising error: any Error, on scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message: "in Weir it is `share(replay:lifetime:)`"
  )
  @_documentation(visibility: internal)
  public func share(replay: Int = 0, scope: ShareLifetime) -> Signal<Value, Failure> { fatalError() }
}

extension FlattenStrategy {
  @available(*, unavailable, message: "in Weir it is `.merge(limit:)`")
  public static func concurrent(limit: Int) -> FlattenStrategy { fatalError() }
  @available(*, unavailable, message: "in Weir it is `.first`")
  public static var throttle: FlattenStrategy { fatalError() }
}

extension Lifetime {
  @available(*, unavailable, message: "in Weir it is `lifetime.add(disposable)`")
  public static func += (lifetime: Lifetime, disposable: any Disposable) {}
}

@available(*, unavailable, message: "in Weir it is `signal.forward(to: observer)`")
@discardableResult
@_documentation(visibility: internal)
public func <~ (observer: some ObserverProtocol, signal: some SignalConvertible) -> Subscription {
  fatalError()
}

// What the compiler would propose, `serial:`, is for schedulers that are serial.
extension SchedulerSerialExecutor {
  @available(
    *, unavailable,
    message:
      "an actor needs a serial scheduler: `SerialScheduler(on: scheduler)`, or `init(serial:)` for one that is"
  )
  public convenience init(_ scheduler: some Scheduler) { fatalError() }
}
