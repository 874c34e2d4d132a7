// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Names and labels of ReactiveObjC that are others here, for the compiler's message: see
// `NamesElsewhere.swift`. These are the ones that people write most often; Migration has all names.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension SignalConvertible {
  @available(*, unavailable, message: "in Weir it is `subscribe(next:failed:completed:)`") @discardableResult
  public func subscribeNext(
    _ next: (Value) -> Void, error: (Failure) -> Void = { _ in }, completed: () -> Void = {}
  ) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(failed:completed:)`") @discardableResult
  public func subscribeError(
    _ error: (Failure) -> Void, completed: () -> Void = {}
  ) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(completed:)`") @discardableResult
  public func subscribeCompleted(_ completed: () -> Void) -> Subscription { fatalError() }

  @available(*, unavailable, message: "in Weir it is `subscribe(next:failed:completed:)`") @discardableResult
  public func subscribe(
    next: (Value) -> Void, error: (Failure) -> Void, completed: () -> Void = {}
  ) -> Subscription { fatalError() }

  @available(*, unavailable, message: "in Weir it is `flatMap(_:)`")
  public func flattenMap<Output>(
    _ transform: (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `combineLatest(with:)`")
  public func combineLatestWith<Other>(
    _ other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `zip(with:)`")
  public func zipWith<Other>(
    _ other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `merge(with:)`")
  public func merge(_ other: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `combineLatest(with:)`")
  public func combineLatest<Other>(
    _ other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `zip(with:)`")
  public func zip<Other>(
    _ other: some SignalConvertible<Other, Failure>
  ) -> Signal<(Value, Other), Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `scan(_:_:)`")
  public func scanWithStart<Output>(
    _ start: Output, reduce: (Output, Value) throws(Failure) -> Output
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `reduce(_:_:)`")
  public func aggregateWithStart<Output>(
    _ start: Output, reduce: (Output, Value) throws(Failure) -> Output
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `doFailed(_:)`")
  public func doError(_ action: (Failure) -> Void) -> Signal<Value, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `take(until:)`")
  public func takeUntil(_ trigger: some SignalConvertible) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `take(until: { … })`")
  public func takeUntilBlock(_ predicate: (Value) throws(Failure) -> Bool) -> Signal<Value, Failure> {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `take(while: { … })`")
  public func takeWhileBlock(_ predicate: (Value) throws(Failure) -> Bool) -> Signal<Value, Failure> {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `skip(until: { … })`")
  public func skipUntilBlock(_ predicate: (Value) throws(Failure) -> Bool) -> Signal<Value, Failure> {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `skip(while: { … })`")
  public func skipWhileBlock(_ predicate: (Value) throws(Failure) -> Bool) -> Signal<Value, Failure> {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `take(last:)`")
  public func takeLast(_ count: Int) -> Signal<Value, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `observe(on:)`")
  public func deliverOn(_ scheduler: some Scheduler) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `observe(on: .main)`, with WeirFoundation")
  public func deliverOnMainThread() -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribing(on:)`")
  public func subscribeOn(_ scheduler: some Scheduler) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `collect(within:on:)`")
  public func bufferWithTime(
    _ interval: Duration, onScheduler: some TimedScheduler
  ) -> Signal<[Value], Failure> { fatalError() }

  @available(*, unavailable, message: "no thread waits in Weir; in a task it is `firstValue()`")
  public func firstOrDefault(_ value: Value) -> Value { fatalError() }
  @available(*, unavailable, message: "no thread waits in Weir; in a task it is `completion()`")
  public func waitUntilCompleted() -> Bool { fatalError() }
}

extension Signal {
  @available(*, unavailable, message: "in Weir it is `create(_:)`")
  public static func createSignal(_ subscribe: (Observer<Value, Failure>) -> (any Disposable)?) -> Signal {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `just(_:)`")
  public static func `return`(_ value: Value) -> Signal { fatalError() }
  @available(*, unavailable, message: "in Weir it is `fail(_:)`")
  public static func error(_ error: Failure) -> Signal { fatalError() }
}

extension ObserverProtocol {
  @available(*, unavailable, message: "in Weir it is `send(_:)`")
  public func sendNext(_ value: Value) {}
  @available(*, unavailable, message: "in Weir it is `fail(_:)`")
  public func sendError(_ error: Failure) {}
}

extension Disposable {
  @available(*, unavailable, message: "in Weir it is `ScopedDisposable(_:)`")
  public func asScopedDisposable() -> ScopedDisposable { fatalError() }
}

extension CompoundDisposable {
  @available(*, unavailable, message: "in Weir it is `add(_:)`, which returns an entry")
  public func addDisposable(_ disposable: any Disposable) {}
  @available(*, unavailable, message: "in Weir the entry that `add(_:)` returned has a `remove()`")
  public func removeDisposable(_ disposable: any Disposable) {}
}

extension Scheduler {
  @available(*, unavailable, message: "in Weir it is `schedule(after:_:)`") @discardableResult
  public func afterDelay(_ delay: Duration, schedule action: () -> Void) -> any Disposable { fatalError() }
  @available(*, unavailable, message: "in Weir it is `scheduleRecursive(_:)`") @discardableResult
  public func scheduleRecursiveBlock(_ action: (Recursion) -> Void) -> any Disposable { fatalError() }
}

extension Command {
  @available(*, unavailable, message: "in Weir it is `executions`")
  public var executionSignals: Signal<Signal<Output, Never>, Never> { fatalError() }
}
