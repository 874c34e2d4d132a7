// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Names that people know from Combine, RxSwift and ReactiveSwift. These functions cannot be called: the
// compiler's message says what they are called in Weir. Users' own declarations of such a name take
// precedence. `NamesElsewhereTests` has the usual call of each, which gets one error.
//
// Other ways to call a function of that name are declared here, too: without them the compiler would complain
// about labels.
//
// Where Weir has a function of the same base name, none of these may accept the trailing closure of a call:
// that would hide an error inside the closure, or make the compiler check it twice. `Any` and `some` do
// accept one, unless there is a parameter of function type to take it: that is the purpose of `unused`, which
// matches nothing. The one exception is `flatMap`, whose hints accept closures that no correct call has:
// see `NamesOfFailures.swift`.
//
// Combine's `print()` is not among them: in extensions of a signal it would hide Swift's function.
//
// `NamesOfFailures.swift` goes on with what deals with failures, `NamesWithSchedulers.swift` with what takes
// a scheduler, `NamesOfReactiveObjC.swift`, `NamesOfReactiveSwift.swift` and `NamesOfRxSwift.swift` with what
// only that library has, `NamesOfPeers.swift` with names of Reactor, Kotlin, RxJS and Rx.NET,
// `NamesWithOtherArguments.swift` and `HintsForCalls.swift` with wrong arguments of names that Weir has,
// `HintsForProperties.swift` with properties where a signal is expected.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension SignalConvertible {
  @available(*, unavailable, message: "in Weir it is `subscribe(next:failed:completed:)`") @discardableResult
  public func sink(receiveValue: (Value) -> Void = { _ in }) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(next:failed:completed:)`") @discardableResult
  public func sink(
    receiveCompletion: (Completion<Failure>) -> Void, receiveValue: (Value) -> Void
  ) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(next:)`") @discardableResult
  public func observeValues(_ action: (Value) -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(next:)`") @discardableResult
  public func startWithValues(_ action: (Value) -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(next:failed:completed:)`") @discardableResult
  public func subscribe(
    _ onNext: (Value) -> Void, onError: (Failure) -> Void,
    onCompleted: () -> Void = {}, onDisposed: () -> Void = {}
  ) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `forward(to:)`") @discardableResult
  public func subscribe(_ observer: any ObserverProtocol) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `bind(to:_:)`, with the object first") @discardableResult
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Value>, on object: Root
  ) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `bind(to:)`") @discardableResult
  public func assign(to target: Any) -> Subscription { fatalError() }

  @available(*, unavailable, message: "in Weir it is `skip(until:)`")
  public func skipUntil(_ trigger: some SignalConvertible) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `log(_:to:)`")
  public func logEvents(identifier: String = "") -> Signal<Value, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `observe(on:)`")
  public func observeOn(_ scheduler: some Scheduler) -> Signal<Value, Failure> { fatalError() }

  @available(
    *, unavailable,
    message:
      "each closure has its own operator: `doNext(_:)`, `doFailed(_:)`, `doCompleted(_:)`, `on(subscribed:disposed:)`"
  )
  public func handleEvents(
    receiveSubscription: (Subscription) -> Void = { _ in }, receiveOutput: (Value) -> Void = { _ in },
    receiveCompletion: (Completion<Failure>) -> Void = { _ in }, receiveCancel: () -> Void = {}
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message:
      "each closure has its own operator: `doNext(_:)`, `doFailed(_:)`, `doCompleted(_:)`, `on(subscribed:disposed:)`"
  )
  public func `do`(
    onNext: (Value) -> Void = { _ in }, afterNext: (Value) -> Void = { _ in },
    onError: (Failure) -> Void = { _ in }, afterError: (Failure) -> Void = { _ in },
    onCompleted: () -> Void = {}, afterCompleted: () -> Void = {},
    onSubscribe: () -> Void = {}, onSubscribed: () -> Void = {}, onDispose: () -> Void = {}
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `log(_:to:)`")
  public func debug(_ name: String? = nil, trimOutput: Bool = false) -> Signal<Value, Failure> {
    fatalError()
  }

  @available(*, unavailable, message: "in Weir it is `distinctUntilChanged()`")
  public func removeDuplicates(
    by areEqual: (Value, Value) -> Bool = { _, _ in true }
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `distinctUntilChanged()`")
  public func skipRepeats(
    _ areEqual: (Value, Value) -> Bool = { _, _ in true }
  ) -> Signal<Value, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `flatMap(.latest)`")
  public func flatMapLatest<Output>(
    _ transform: (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `flatMap(.latest)`")
  public func switchMap<Output>(
    _ transform: (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `flatMap(.first)`")
  public func flatMapFirst<Output>(
    _ transform: (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `flatMap(.concat)`")
  public func concatMap<Output>(
    _ transform: (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `flatMap(.ordered(limit:))`")
  public func concatMapEager<Output>(
    _ transform: (Value) throws(Failure) -> Signal<Output, Failure>
  ) -> Signal<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `flatten(.merge(limit:))`")
  @_documentation(visibility: internal)
  public func merge<Output>(maxConcurrent limit: Int) -> Signal<Output, Failure>
  where Value: SignalConvertible<Output, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `switchToLatest()`")
  public func switchLatest<Output>() -> Signal<Output, Failure>
  where Value: SignalConvertible<Output, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `take(first:)`")
  public func prefix(_ count: Int) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `take(while:)`")
  public func prefix(while predicate: (Value) -> Bool) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `take(until:)`")
  public func prefix(untilOutputFrom other: some SignalConvertible) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `startWith(_:)`")
  public func prefix(value: Value) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `prepend(_:)`")
  public func prefix(_ first: some SignalConvertible) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `startWith(_:)`")
  @_documentation(visibility: internal)
  public func prepend(_ values: Value...) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `prepend(Signal(values))`")
  @_documentation(visibility: internal)
  public func prepend(_ values: some Sequence<Value>) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `prepend(Signal(values))`")
  @_documentation(visibility: internal)
  public func startWith(_ values: some Sequence<Value>) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `concat(Signal(values))`")
  @_documentation(visibility: internal)
  public func append(_ values: some Sequence<Value>) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `concat(Signal(values))`")
  public func append(contentsOf values: some Sequence<Value>) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `concat(_:)`")
  @_documentation(visibility: internal)
  public func append(_ next: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> {
    fatalError()
  }

  @available(*, unavailable, message: "in Weir it is `skip(first:)`")
  public func dropFirst(_ count: Int = 1) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `skip(while:)`")
  public func drop(while predicate: (Value) -> Bool) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `skip(until:)`")
  public func drop(untilOutputFrom other: some SignalConvertible) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `take(first:)`")
  public func take(_ count: Int) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `skip(first:)`")
  public func skip(_ count: Int) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `take(first: 1)`, or `firstValue()` in a task")
  public func first() -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `filter(_:)` and `take(first: 1)`")
  public func first(where predicate: (Value) -> Bool) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `take(last: 1)`, or `lastValue()` in a task")
  public func last() -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message: "Weir does not check for a second value: `take(first: 1)`, or `firstValue()` in a task"
  )
  public func single(_ predicate: (Value) -> Bool = { _ in true }) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `element(at:)`")
  public func output(at index: Int) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `skip(first:)` and `take(first:)`")
  public func output(in range: some RangeExpression<Int>) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `ignoreValues()`")
  public func ignoreElements() -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `ignoreValues()`")
  public func ignoreOutput() -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `any(where:)`")
  @_documentation(visibility: internal)
  public func contains(where predicate: (Value) -> Bool) -> Signal<Bool, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `all(where:)`")
  public func allSatisfy(_ predicate: (Value) -> Bool) -> Signal<Bool, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `not()`")
  public func negate() -> Signal<Bool, Failure> where Value == Bool { fatalError() }

  @available(
    *, unavailable,
    message: "this signal can fail; `mapError(_:)` changes its failure, as in `mapError { $0 as any Error }`"
  )
  @_documentation(visibility: internal)
  public func setFailureType<NewFailure>(
    to type: NewFailure.Type
  ) -> Signal<Value, NewFailure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `catchAndReturn(_:)`")
  public func replaceError(with value: Value) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `compactMap { $0 }`")
  public func skipNil<Wrapped>() -> Signal<Wrapped, Failure> where Value == Wrapped? { fatalError() }
  @available(*, unavailable, message: "in Weir it is `map { $0 ?? value }`")
  public func replaceNil<Wrapped>(
    with value: Wrapped
  ) -> Signal<Wrapped, Failure> where Value == Wrapped? { fatalError() }
  @available(*, unavailable, message: "in Weir it is `defaultIfEmpty(_:)`")
  public func replaceEmpty(with value: Value) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `defaultIfEmpty(_:)`")
  public func ifEmpty(default value: Value) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `switchIfEmpty(_:)`")
  public func ifEmpty(
    switchTo other: some SignalConvertible<Value, Failure>
  ) -> Signal<Value, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `collect()`")
  public func toArray() -> Signal<[Value], Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `collect(count:)`")
  @_documentation(visibility: internal)
  public func collect(_ count: Int) -> Signal<[Value], Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `collect(count:)`")
  public func buffer(_ count: Int) -> Signal<[Value], Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `withLatest(from:)`, which sends both values")
  public func withLatestFrom<Other>(
    _ other: some SignalConvertible<Other, Failure>
  ) -> Signal<Other, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `withLatest(from:_:)`, which sends all values")
  public func withLatestFrom<First, Second, each Other>(
    _ first: some SignalConvertible<First, Failure>, _ second: some SignalConvertible<Second, Failure>,
    _ others: repeat any SignalConvertible<each Other, Failure>
  ) -> Signal<(First, Second, repeat each Other), Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `withLatest(from:)` and `map(_:)`")
  public func withLatestFrom<Other, Output>(
    _ other: some SignalConvertible<Other, Failure>, resultSelector: (Value, Other) -> Output
  ) -> Signal<Output, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `race(with:)`")
  public func amb(_ other: some SignalConvertible<Value, Failure>) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `group(by:)`")
  public func groupBy<Key: Hashable & Sendable>(
    keySelector: (Value) throws(Failure) -> Key
  ) -> Signal<GroupedSignal<Key, Value, Failure>, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `repeat(times:)`")
  @_documentation(visibility: internal)
  public func `repeat`(_ count: Int) -> Signal<Value, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `publish()`")
  public func makeConnectable() -> MulticastConnection<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message: "in Weir it is `replay()`, which starts at once, or `multicast(_:)` with a `ReplaySubject`"
  )
  public func replayAll() -> MulticastConnection<Value, Failure> { fatalError() }

  @available(
    *, unavailable,
    message:
      "in Weir it is `multicast(ReplaySubject(capacity: .last(n)))`; with `refCount()` it is `share(replay: .last(n))`"
  )
  @_documentation(visibility: internal)
  public func replay(_ count: Int) -> MulticastConnection<Value, Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `signal`")
  public func eraseToAnyPublisher() -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `signal`")
  public func asObservable() -> Signal<Value, Failure> { fatalError() }

  /// One name for two operators.
  @available(
    *, unavailable,
    message:
      "ReactiveObjC's throttle is `debounce(_:on:)`; the throttle of Combine and RxSwift is `rateLimit(to:on:edge:)`"
  )
  public func throttle(
    _ quiet: Duration, on scheduler: some TimedScheduler,
    where isPostponed: (Value) throws(Failure) -> Bool = { _ in true }
  ) -> Signal<Value, Failure> { fatalError() }
}

extension ObserverProtocol {
  @available(*, unavailable, message: "in Weir it is `send(_:)`")
  public func onNext(_ value: Value) {}
  @available(*, unavailable, message: "in Weir it is `fail(_:)`")
  public func onError(_ error: Failure) {}
  @available(*, unavailable, message: "in Weir it is `complete()`")
  public func onCompleted() {}
  @available(*, unavailable, message: "in Weir it is `complete()`")
  public func sendCompleted() {}
  @available(*, unavailable, message: "in Weir it is `complete()`, `fail(_:)` or `terminate(_:)`")
  public func send(completion: CompletionInCombine<Failure>) {}
}

// What the argument of that call is in Combine, so that it is no error of its own.
@_documentation(visibility: internal)
public enum CompletionInCombine<Failure: Error> {
  case finished
  case failure(Failure)
}

extension Signal {
  @available(
    *, unavailable, message: "in Weir it is `.create { observer in … }`, which returns a disposable or nil"
  )
  public init(_ start: (Observer<Value, Failure>) -> Void) { fatalError() }
  @available(
    *, unavailable, message: "in Weir it is `.create { observer in … }`, which returns a disposable or nil"
  )
  public init(_ start: (Observer<Value, Failure>, Lifetime) -> Void) { fatalError() }
}

extension Completion {
  @available(*, unavailable, message: "in Weir it is `.completed`")
  public static var finished: Completion { fatalError() }
}

extension Subscription {
  @available(*, unavailable, message: "in Weir it is `dispose()`")
  public func cancel() {}
  @available(*, unavailable, message: "add it to a `Lifetime`: `lifetime.adopt(subscription)`")
  public func store<Bag>(in bag: inout Bag) {}
  @available(*, unavailable, message: "add it to a `Lifetime`: `lifetime.adopt(subscription)`")
  public func disposed(by bag: Any) {}
}

extension MulticastConnection {
  @available(
    *, unavailable,
    message: "in Weir `publish().refCount()` is `share()`; `autoconnect()` connects only once"
  )
  public func refCount() -> Signal<Value, Failure> { fatalError() }
}

// A property is state, and has operators of its own: those of its changes are members of its signal.
extension PropertyProtocol {
  @available(*, unavailable, message: "subscribe to its signal: `property.signal.subscribe { … }`")
  @discardableResult
  public func subscribe(
    next: (Value) -> Void = { _ in }, failed: (Never) -> Void = { _ in }, completed: () -> Void = {}
  ) -> Subscription { fatalError() }
  @available(*, unavailable, message: "subscribe to its signal: `property.signal.subscribe { … }`")
  @discardableResult
  public func sink(receiveValue: (Value) -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `signal`")
  public var producer: Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.observe(on:)`")
  public func observe(on scheduler: some Scheduler) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.filter { … }`")
  public func filter(_ isIncluded: (Value) -> Bool) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "it is an operator of its signal: `property.signal.bind(to:)`")
  @discardableResult
  public func bind(to target: Any) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `distinctUntilChanged()`")
  public func skipRepeats() -> Property<Value> { fatalError() }
  @available(*, unavailable, message: "a property of both values is `combined(with:)`")
  public func combineLatest<Other>(
    with other: some PropertyProtocol<Other>
  ) -> Property<(Value, Other)> { fatalError() }
}
