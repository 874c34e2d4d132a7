// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Names and labels of ReactiveSwift that are others here, for the compiler's message: see
// `NamesElsewhere.swift`.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension SignalConvertible {
  @available(*, unavailable, message: "in Weir it is `subscribe(next:failed:completed:)`") @discardableResult
  public func start(_ action: (Event<Value, Failure>) -> Void = { _ in }) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `forward(to:)`") @discardableResult
  public func start(_ observer: any ObserverProtocol) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(next:failed:completed:)`") @discardableResult
  public func startWithResult(_ action: (Result<Value, Failure>) -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(failed:)`") @discardableResult
  public func startWithFailed(_ action: (Failure) -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(completed:)`") @discardableResult
  public func startWithCompleted(_ action: () -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(next:failed:completed:)`") @discardableResult
  @_documentation(visibility: internal)
  public func observe(_ action: (Event<Value, Failure>) -> Void) -> Subscription { fatalError() }
  // Without this one the compiler would take a scheduler without a label for that closure.
  @available(*, unavailable, message: "in Weir it is `observe(on:)`")
  @_documentation(visibility: internal)
  public func observe(
    _ scheduler: some Scheduler, unused: (() -> Never)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(next:failed:completed:)`") @discardableResult
  public func observeResult(_ action: (Result<Value, Failure>) -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(failed:)`") @discardableResult
  public func observeFailed(_ action: (Failure) -> Void) -> Subscription { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribe(completed:)`") @discardableResult
  public func observeCompleted(_ action: () -> Void) -> Subscription { fatalError() }

  @available(*, unavailable, message: "in Weir it is `append(_:)`")
  @_documentation(visibility: internal)
  public func concat(value: Value, unused: (() -> Never)? = nil) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `collect(within:on:)`, which sends no empty array")
  @_documentation(visibility: internal)
  public func collect(
    every interval: Duration, on scheduler: some TimedScheduler
  ) -> Signal<[Value], Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `sampler.withLatest(from: signal).map { ($1, $0) }`")
  @_documentation(visibility: internal)
  public func sample<Other>(
    with sampler: some SignalConvertible<Other, Never>
  ) -> Signal<(Value, Other), Failure> { fatalError() }
  @available(
    *, unavailable,
    message: "in Weir it is `share(replay: .last(n), lifetime: .forever, disconnecting: .never)`"
  )
  @_documentation(visibility: internal)
  public func replayLazily(upTo count: Int) -> Signal<Value, Failure> { fatalError() }
}

extension Signal {
  @available(*, unavailable, message: "in Weir it is `.just(value)`")
  @_documentation(visibility: internal)
  public init(value: Value, unused: (() -> Never)? = nil) { fatalError() }
  @available(*, unavailable, message: "in Weir it is `.fail(error)`")
  @_documentation(visibility: internal)
  public init(error: Failure) { fatalError() }
  @available(*, unavailable, message: "in Weir it is a `Subject`, which is the signal and its observer")
  public static func pipe() -> (output: Signal, input: Observer<Value, Failure>) { fatalError() }
}

extension ObserverProtocol {
  @available(*, unavailable, message: "in Weir it is `fail(_:)`")
  @_documentation(visibility: internal)
  public func send(error: Failure) {}
}

extension SerialDisposable {
  @available(*, unavailable, message: "in Weir it is `swap(_:)`, which returns what was there, not disposed")
  public var inner: (any Disposable)? {
    get { fatalError() }
    set { fatalError() }
  }
}

extension Command {
  @available(*, unavailable, message: "in Weir it is `execute(_:)`, which executes at once, or `run(_:)`")
  @discardableResult
  public func apply(_ input: Input) -> Signal<Output, CommandError<Input, Output, Failure>> {
    fatalError()
  }
}
