// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Calls of names that Weir has, with arguments that it does not take there, for the compiler's message: see
// `NamesElsewhere.swift`. The compiler considers unavailable functions only when nothing else fits, so they
// do not interfere with a correct call.
//
// Without those for a signal that cannot fail combined with one that can, it would complain about `Never`.
// They say that the result cannot fail, although it may: where the failure depends on an argument, Swift 6.3
// rejects the closure that follows.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension TimeoutPolicy {
  @available(*, unavailable, message: "in Weir: `.idle(.seconds(1))` or `.deadline(.seconds(1))`")
  public static func seconds(_ count: some Numeric) -> Self { fatalError() }
  @available(*, unavailable, message: "in Weir: `.idle(.milliseconds(1))` or `.deadline(.milliseconds(1))`")
  public static func milliseconds(_ count: some Numeric) -> Self { fatalError() }
}

extension RetryPolicy {
  @available(*, unavailable, message: "begin with a count: `.forever.delayed(…)`, `.upTo(3).delayed(…)`")
  public static func delayed(by pause: Duration, on scheduler: some TimedScheduler) -> Self { fatalError() }
  @available(*, unavailable, message: "begin with a count: `.forever.backoff(…)`, `.upTo(3).backoff(…)`")
  public static func backoff(
    from first: Duration, multiplier: Double = 2, upTo maximum: Duration, jitter: RetryJitter = .full,
    on scheduler: some TimedScheduler
  ) -> Self { fatalError() }
}

extension SignalConvertible where Failure == Never {
  @available(*, unavailable, message: "give this signal the other's failure type: `setFailureType(to:)`")
  @_documentation(visibility: internal)
  public func combineLatest<Other, OtherFailure>(
    with other: some SignalConvertible<Other, OtherFailure>
  ) -> Signal<(Value, Other), Failure> { fatalError() }
  @available(*, unavailable, message: "give this signal the other's failure type: `setFailureType(to:)`")
  @_documentation(visibility: internal)
  public func zip<Other, OtherFailure>(
    with other: some SignalConvertible<Other, OtherFailure>,
    waiting backlog: Backlog<OtherFailure> = .standard
  ) -> Signal<(Value, Other), Failure> { fatalError() }
  @available(*, unavailable, message: "give this signal the other's failure type: `setFailureType(to:)`")
  @_documentation(visibility: internal)
  public func merge<OtherFailure>(
    with other: some SignalConvertible<Value, OtherFailure>
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "give this signal the other's failure type: `setFailureType(to:)`")
  @_documentation(visibility: internal)
  public func withLatest<Other, OtherFailure>(
    from other: some SignalConvertible<Other, OtherFailure>
  ) -> Signal<(Value, Other), Failure> { fatalError() }
  @available(*, unavailable, message: "give this signal the other's failure type: `setFailureType(to:)`")
  @_documentation(visibility: internal)
  public func sample<Tick, OtherFailure>(
    on sampler: some SignalConvertible<Tick, OtherFailure>
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "give this signal the other's failure type: `setFailureType(to:)`")
  @_documentation(visibility: internal)
  public func switchIfEmpty<OtherFailure>(
    _ other: some SignalConvertible<Value, OtherFailure>
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "give this signal the other's failure type: `setFailureType(to:)`")
  @_documentation(visibility: internal)
  public func race<OtherFailure>(
    with other: some SignalConvertible<Value, OtherFailure>
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "give this signal the other's failure type: `setFailureType(to:)`")
  @_documentation(visibility: internal)
  public func and<OtherFailure>(
    _ other: some SignalConvertible<Bool, OtherFailure>
  ) -> Signal<Bool, Failure> where Value == Bool { fatalError() }
  @available(*, unavailable, message: "give this signal the other's failure type: `setFailureType(to:)`")
  @_documentation(visibility: internal)
  public func or<OtherFailure>(
    _ other: some SignalConvertible<Bool, OtherFailure>
  ) -> Signal<Bool, Failure> where Value == Bool { fatalError() }
}

// As arguments after a leading dot, where `just` and `fail` can be written: Swift 6.3 rejects a closure there
// as not `@Sendable`.
extension SignalConvertible {
  @available(*, unavailable, message: "as an argument it is `Signal.deferred { … }`")
  @_documentation(visibility: internal)
  public static func deferred<Output, OutputFailure>(
    _ factory: () -> Signal<Output, OutputFailure>
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> { fatalError() }
  @available(*, unavailable, message: "as an argument it is `Signal.task { … }`")
  @_documentation(visibility: internal)
  public static func task<Output, OutputFailure>(
    priority: TaskPriority? = nil, _ operation: () async throws(OutputFailure) -> Output
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> { fatalError() }
  @available(*, unavailable, message: "as an argument it is `Signal.create { … }`")
  @_documentation(visibility: internal)
  public static func create<Output, OutputFailure>(
    _ subscribe: (Observer<Output, OutputFailure>) -> (any Disposable)?
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> { fatalError() }

  // With `Signal.` alone, too, the compiler assumes that these closures throw nothing, where the signal may
  // fail.
  @available(*, unavailable, message: "name its types here: `Signal<Int, ReadError>.generate(…)`")
  @_documentation(visibility: internal)
  public static func generate<State, Output, OutputFailure>(
    _ initial: State, while condition: (State) throws -> Bool,
    next: (State) throws -> State, result: (State) throws -> Output
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> { fatalError() }
  @available(*, unavailable, message: "name its types here: `Signal<Int, ReadError>.using(resource:signal:)`")
  @_documentation(visibility: internal)
  public static func using<Resource: Disposable, Output, OutputFailure>(
    resource: () throws -> Resource, signal: (Resource) throws -> Signal<Output, OutputFailure>
  ) -> Signal<Output, OutputFailure> where Self == Signal<Output, OutputFailure> { fatalError() }
}
