// Part of Weir. SPDX-License-Identifier: Apache-2.0

// Names of Combine and RxSwift whose scheduler has another label, for the compiler's message: see
// `NamesElsewhere.swift`. Each of them is declared twice: for a scheduler of Weir, so that the compiler finds
// `.pool`, and for anything else, such as a queue.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension SignalConvertible {
  @available(*, unavailable, message: "in Weir it is `observe(on:)`")
  public func receive(
    on scheduler: some Scheduler, options: Any? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `observe(on:)`")
  public func receive(
    on scheduler: Any, options: Any? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribing(on:)`")
  public func subscribe(
    on scheduler: some Scheduler, options: Any? = nil, unused: (() -> Void)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `subscribing(on:)`")
  public func subscribe(
    on scheduler: Any, options: Any? = nil, unused: (() -> Void)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `delay(_:on:)`")
  public func delay(
    for interval: Duration, scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `delay(_:on:)`")
  public func delay(
    for interval: Duration, scheduler: Any
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `delay(_:on:)`")
  @_documentation(visibility: internal)
  public func delay(
    _ interval: Duration, scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `delay(_:on:)`")
  @_documentation(visibility: internal)
  public func delay(
    _ interval: Duration, scheduler: Any
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `collect(count:within:on:)`")
  public func buffer(
    timeSpan: Duration, count: Int, scheduler: some TimedScheduler
  ) -> Signal<[Value], Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `collect(count:within:on:)`")
  public func buffer(
    timeSpan: Duration, count: Int, scheduler: Any
  ) -> Signal<[Value], Failure> { fatalError() }

  @available(*, unavailable, message: "in Weir it is `debounce(_:on:)`")
  @_documentation(visibility: internal)
  public func debounce(
    for quiet: Duration, scheduler: some TimedScheduler, options: Any? = nil, unused: (() -> Void)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `debounce(_:on:)`")
  @_documentation(visibility: internal)
  public func debounce(
    for quiet: Duration, scheduler: Any, options: Any? = nil, unused: (() -> Void)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `debounce(_:on:)`")
  @_documentation(visibility: internal)
  public func debounce(
    _ quiet: Duration, scheduler: some TimedScheduler, unused: (() -> Void)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `debounce(_:on:)`")
  @_documentation(visibility: internal)
  public func debounce(
    _ quiet: Duration, scheduler: Any, unused: (() -> Void)? = nil
  ) -> Signal<Value, Failure> { fatalError() }

  @available(
    *, unavailable,
    message: "in Weir it is `rateLimit(to:on:edge:)` with `.both`; for `latest: false`, with `.leading`"
  )
  public func throttle(
    _ interval: Duration, latest: Bool = true, scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message: "in Weir it is `rateLimit(to:on:edge:)` with `.both`; for `latest: false`, with `.leading`"
  )
  public func throttle(
    _ interval: Duration, latest: Bool = true, scheduler: Any
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message:
      "in Weir it is `rateLimit(to:on:edge:)` with `.both`; for `latest: false`, nearly, with `.leading`"
  )
  public func throttle(
    for interval: Duration, scheduler: some TimedScheduler, latest: Bool
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message:
      "in Weir it is `rateLimit(to:on:edge:)` with `.both`; for `latest: false`, nearly, with `.leading`"
  )
  public func throttle(
    for interval: Duration, scheduler: Any, latest: Bool
  ) -> Signal<Value, Failure> { fatalError() }
}

// Here a timeout fails, or continues with another signal; without a policy it would be the wrong one.
extension SignalConvertible {
  @available(
    *, unavailable,
    message:
      "in Weir it is `timeout(_:on:failing:)` with `.idle(time)`; to complete as Combine's, `switchingTo: .empty()`"
  )
  @_documentation(visibility: internal)
  public func timeout(
    _ time: Duration, scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable,
    message:
      "in Weir it is `timeout(_:on:failing:)` with `.idle(time)`; to complete as Combine's, `switchingTo: .empty()`"
  )
  @_documentation(visibility: internal)
  public func timeout(
    _ time: Duration, scheduler: Any
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `timeout(_:on:failing:)` with `.idle(time)`")
  @_documentation(visibility: internal)
  public func timeout(
    _ time: Duration, scheduler: some TimedScheduler, customError: (() -> Failure)?
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `timeout(_:on:failing:)` with `.idle(time)`")
  @_documentation(visibility: internal)
  public func timeout(
    _ time: Duration, scheduler: Any, customError: (() -> Failure)?
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `timeout(_:on:switchingTo:)` with `.idle(time)`")
  @_documentation(visibility: internal)
  public func timeout(
    _ time: Duration, other: some SignalConvertible, scheduler: some TimedScheduler
  ) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "in Weir it is `timeout(_:on:switchingTo:)` with `.idle(time)`")
  @_documentation(visibility: internal)
  public func timeout(
    _ time: Duration, other: some SignalConvertible, scheduler: Any
  ) -> Signal<Value, Failure> { fatalError() }
}
