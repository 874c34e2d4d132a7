// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Names of Reactor, Kotlin's flows, RxJS and Rx.NET, and guesses that lie near, for the compiler's message:
// see `NamesElsewhere.swift`. Only names with one counterpart in Weir are here; Migration has the others.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension SignalConvertible {
  @available(
    *, unavailable, message: "in Weir it is `pairwise()`, or `combinePrevious(_:)` with a first value"
  )
  @_documentation(visibility: internal)
  public func combinePrevious() -> Signal<(Value, Value), Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `flatMap(_:)`")
  public func mergeMap<Output>(
    _ transform: (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `take(while:)`")
  public func takeWhile(_ predicate: (Value) -> Bool) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `skip(while:)`")
  public func skipWhile(_ predicate: (Value) -> Bool) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `merge(with:)`")
  public func mergeWith(_ other: some SignalConvertible) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `concat(_:)`")
  public func concatWith(_ next: some SignalConvertible) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `flatMap(.ordered(limit:))`")
  public func flatMapSequential<Output>(
    _ transform: (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `map(_:)` and `joined()`")
  public func flatMapIterable<Elements: Sequence>(
    _ transform: (Value) throws(Failure) -> Elements
  ) -> Signal<Elements.Element, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `collect()`")
  public func collectList() -> Signal<[Value], Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `collect()`")
  public func toList() -> Signal<[Value], Failure> { fatalError() }
  @available(
    *, unavailable,
    message:
      "`share(replay: .last(n))`; without `refCount` also with `lifetime: .forever` and `disconnecting: .never`"
  )
  public func shareReplay(_ count: Int = 1) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `collect(count:within:on:)`")
  public func bufferTimeout(_ count: Int, _ time: Duration) -> Signal<[Value], Failure> { fatalError() }
  @available(
    *, unavailable,
    message: "in Weir it is `observe(on:waiting:)` with `.bounded(1, onOverflow: .dropOldest)`"
  )
  public func conflate() -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `observe(on:)`")
  public func publishOn(_ scheduler: some Scheduler) -> Signal<Value, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `doNext(_:)`")
  public func tap(_ action: (Value) -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `doNext(_:)`")
  public func onEach(_ action: (Value) -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `doNext(_:)`")
  public func doOnNext(_ action: (Value) -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `doFailed(_:)`")
  public func doOnError(_ action: (Failure) -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `doCompleted(_:)`")
  public func doOnComplete(_ action: () -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `finally(_:)`")
  public func doOnTerminate(_ action: () -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `initially(_:)`")
  public func doOnSubscribe(_ action: (Any) -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `initially(_:)`")
  public func doOnSubscribe(_ action: () -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable, message: "in Weir it is `on(disposed:)`, since `finally(_:)` is not called at disposal"
  )
  public func doFinally(_ action: (Any) -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable, message: "in Weir it is `on(disposed:)`, since `finally(_:)` is not called at disposal"
  )
  public func doFinally(_ action: () -> Void) -> Signal<Value, Failure> { fatalError() }
  // A subject is an observer, too, with the `onNext(_:)`, `onError(_:)` and `onCompleted()` that send.
  @available(*, unavailable, message: "in Weir it is `doNext(_:)`")
  public func onNext(_ action: (Value) -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `doFailed(_:)`")
  public func onError(_ action: (Failure) -> Void) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `doCompleted(_:)`")
  public func onCompleted(_ action: () -> Void) -> Signal<Value, Failure> { fatalError() }
}

extension Observer {
  @available(*, unavailable, message: "in Weir it is `isEnded`")
  public var isDisposed: Bool { fatalError() }
  @available(*, unavailable, message: "in Weir it is `isEnded`")
  public var isCancelled: Bool { fatalError() }
  @available(*, unavailable, message: "in Weir it is `isEnded`")
  public var isStopped: Bool { fatalError() }
  @available(
    *, unavailable, message: "the closure of `create` returns a disposable: `return ActionDisposable { … }`"
  )
  public var onTermination: ((Any) -> Void)? {
    get { fatalError() }
    set { fatalError() }
  }
  @available(
    *, unavailable, message: "the closure of `create` returns a disposable: `return ActionDisposable { … }`"
  )
  public func onDispose(_ action: () -> Void) {}
  @available(
    *, unavailable, message: "the closure of `create` returns a disposable; `adopt(_:)` takes a subscription"
  )
  public func setDisposable(_ disposable: any Disposable) {}
}

extension MutableProperty {
  @available(*, unavailable, message: "assign to `value`")
  public func set(_ value: Value) {}
  @available(*, unavailable, message: "in Weir it is `modify(_:)`, as in `modify { $0 += 1 }`")
  @discardableResult
  public func update<Result>(_ change: (inout Value) -> Result) -> Result { fatalError() }
  @available(*, unavailable, message: "in Weir it is `modify(_:)`, as in `modify { $0 += 1 }`")
  @discardableResult
  public func mutate<Result>(_ change: (inout Value) -> Result) -> Result { fatalError() }
  @available(*, unavailable, message: "in Weir it is `modify(_:)`, as in `modify { $0 += 1 }`")
  @discardableResult
  public func withLock<Result>(_ change: (inout Value) -> Result) -> Result { fatalError() }
}

extension DropCounter {
  @available(*, unavailable, message: "in Weir it is `count`")
  public var value: Int { fatalError() }
}

extension Command {
  @available(*, unavailable, message: "in Weir it is `executions.flatten()`")
  public var values: Signal<Output, Never> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `executions.flatten()`")
  public var results: Signal<Output, Never> { fatalError() }
}
