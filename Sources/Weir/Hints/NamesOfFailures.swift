// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Names of Combine, RxSwift and ReactiveSwift for what deals with failures, for the compiler's message: see
// `NamesElsewhere.swift`.
//
// Where the closure may throw anything, the result may fail with anything, whatever the Weir name returns: so
// the closures that follow are checked as in the other library.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension SignalConvertible {
  @available(
    *, unavailable,
    message:
      "in Weir it is `retry(upTo:)`, which does not count the first attempt: RxSwift's `retry(3)` is `retry(upTo: 2)`"
  )
  @_documentation(visibility: internal)
  public func retry(_ count: Int) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable, message: "in Weir it is `retry(_:)` with a policy, as `.forever.delayed(by:on:)`"
  )
  @_documentation(visibility: internal)
  public func retry<Trigger>(when retries: (Signal<Failure, Never>) -> Trigger) -> Signal<Value, Failure> {
    fatalError()
  }
  @available(
    *, unavailable, message: "in Weir it is `retry(_:)` with a policy, as `.forever.delayed(by:on:)`"
  )
  public func retryWhen<Trigger>(_ retries: (Signal<Failure, Never>) -> Trigger) -> Signal<Value, Failure> {
    fatalError()
  }

  @available(*, unavailable, message: "in Weir it is `setFailureType(to:)`")
  public func promoteError<NewFailure>(
    _ type: NewFailure.Type = NewFailure.self
  ) -> Signal<Value, NewFailure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `catch(_:)`")
  public func catchError(_ handler: (Failure) throws -> Signal<Value, Failure>) -> Signal<Value, Failure> {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `catch(_:)`")
  @_disfavoredOverload
  public func catchError<NewFailure>(
    _ handler: (Failure) throws -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `catch(_:)`")
  public func flatMapError(_ handler: (Failure) -> Signal<Value, Failure>) -> Signal<Value, Failure> {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `catch(_:)`")
  @_disfavoredOverload
  public func flatMapError<NewFailure>(
    _ handler: (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> { fatalError() }
  @available(
    *, unavailable, message: "in Weir it is `catch(_:)`, whose closure returns `.fail(error)` to throw"
  )
  public func tryCatch(_ handler: (Failure) throws -> Signal<Value, Failure>) -> Signal<Value, any Error> {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `catch(_:)`")
  public func onErrorResume(_ handler: (Failure) -> Signal<Value, Failure>) -> Signal<Value, Failure> {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `catch(_:)`")
  @_disfavoredOverload
  public func onErrorResume<NewFailure>(
    _ handler: (Failure) -> Signal<Value, NewFailure>
  ) -> Signal<Value, NewFailure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `mapError(_:)`")
  public func onErrorMap<NewFailure>(
    _ transform: (Failure) -> NewFailure
  ) -> Signal<Value, NewFailure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `catchAndReturn(_:)`")
  public func onErrorReturn(_ value: Value, unused: (() -> Never)? = nil) -> Signal<Value, Never> {
    fatalError()
  }
  @available(*, unavailable, message: "in Weir it is `catch { _ in .empty() }`")
  public func onErrorComplete() -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `catch { error in .just(…) }`")
  public func onErrorReturn(_ handler: (Failure) -> Value) -> Signal<Value, Never> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `catchAndReturn(_:)`")
  public func catchErrorJustReturn(_ value: Value) -> Signal<Value, Never> { fatalError() }

  @available(
    *, unavailable, message: "in Weir it is `tryMap(_:)`, or `map(_:)` for errors of the signal's own type"
  )
  public func attemptMap<Output>(_ transform: (Value) throws -> Output) -> Signal<Output, any Error> {
    fatalError()
  }
  @available(
    *, unavailable, message: "in Weir it is `map(_:)`, whose closure returns the value or throws the error"
  )
  public func attemptMap<Output>(_ transform: (Value) -> Result<Output, Failure>) -> Signal<Output, Failure> {
    fatalError()
  }
  @available(
    *, unavailable,
    message: "in Weir it is `filter(_:)`; for any error, `mapError(to: (any Error).self) { $0 }` before it"
  )
  public func tryFilter(_ isIncluded: (Value) throws -> Bool) -> Signal<Value, any Error> { fatalError() }
  @available(
    *, unavailable,
    message:
      "in Weir it is `compactMap(_:)`; for any error, `mapError(to: (any Error).self) { $0 }` before it"
  )
  public func tryCompactMap<Output>(_ transform: (Value) throws -> Output?) -> Signal<Output, any Error> {
    fatalError()
  }
  @available(
    *, unavailable,
    message: "in Weir it is `scan(_:_:)`; for any error, `mapError(to: (any Error).self) { $0 }` before it"
  )
  public func tryScan<Output>(
    _ initial: Output, _ combine: (Output, Value) throws -> Output
  ) -> Signal<Output, any Error> { fatalError() }
  @available(
    *, unavailable,
    message: "in Weir it is `reduce(_:_:)`; for any error, `mapError(to: (any Error).self) { $0 }` before it"
  )
  public func tryReduce<Output>(
    _ initial: Output, _ combine: (Output, Value) throws -> Output
  ) -> Signal<Output, any Error> { fatalError() }
  @available(
    *, unavailable,
    message: "in Weir it is `take(while:)`; for any error, `mapError(to: (any Error).self) { $0 }` before it"
  )
  public func tryPrefix(while predicate: (Value) throws -> Bool) -> Signal<Value, any Error> { fatalError() }
  @available(
    *, unavailable,
    message: "in Weir it is `skip(while:)`; for any error, `mapError(to: (any Error).self) { $0 }` before it"
  )
  public func tryDrop(while predicate: (Value) throws -> Bool) -> Signal<Value, any Error> { fatalError() }
  @available(
    *, unavailable,
    message:
      "in Weir it is `distinctUntilChanged(comparing:)`; for any error, `mapError(to: (any Error).self) { $0 }` first"
  )
  public func tryRemoveDuplicates(
    by areEqual: (Value, Value) throws -> Bool
  ) -> Signal<Value, any Error> { fatalError() }
  @available(
    *, unavailable,
    message:
      "in Weir: `filter(_:)` and `take(first: 1)`; for any error, `mapError(to: (any Error).self) { $0 }` before them"
  )
  public func tryFirst(where predicate: (Value) throws -> Bool) -> Signal<Value, any Error> { fatalError() }
  @available(
    *, unavailable,
    message: "in Weir it is `all(where:)`; for any error, `mapError(to: (any Error).self) { $0 }` before it"
  )
  public func tryAllSatisfy(_ predicate: (Value) throws -> Bool) -> Signal<Bool, any Error> { fatalError() }
  @available(
    *, unavailable,
    message: "in Weir it is `any(where:)`; for any error, `mapError(to: (any Error).self) { $0 }` before it"
  )
  public func tryContains(where predicate: (Value) throws -> Bool) -> Signal<Bool, any Error> { fatalError() }
}

// Only for `any Error`: if these were generic in the failure, mistakes in the closure of a correct `flatMap`
// would be reported as a failure type that cannot be inferred.
extension SignalConvertible where Failure == Never {
  @available(
    *, unavailable,
    message: "this signal cannot fail: `setFailureType(to:)` before the `flatMap`, or `catch` in its closure"
  )
  @_documentation(visibility: internal)
  public func flatMap<Output>(
    _ transform: @escaping @Sendable (Value) -> Signal<Output, any Error>
  ) -> Signal<Output, any Error> { fatalError() }
  @available(
    *, unavailable,
    message: "this signal cannot fail: `setFailureType(to:)` before the `flatMap`, or `catch` in its closure"
  )
  @_documentation(visibility: internal)
  public func flatMap<Output>(
    _ strategy: FlattenStrategy<any Error>,
    _ transform: @escaping @Sendable (Value) -> Signal<Output, any Error>
  ) -> Signal<Output, any Error> { fatalError() }
}
