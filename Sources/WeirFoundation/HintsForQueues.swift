// Part of Weir. SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Dispatch
public import Foundation
public import Weir

// Dispatch queues, run loops and operation queues where a scheduler is expected, as in Combine, and RxSwift's
// names of the main scheduler, for the compiler's message: see `NamesElsewhere.swift` of Weir.

extension SignalConvertible {
  @available(
    *, unavailable, message: "a queue needs a scheduler: `.main` for the main one, `DispatchScheduler(queue)`"
  )
  @_documentation(visibility: internal)
  public func observe(on queue: DispatchQueue) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "the scheduler of the main run loop is `.main`")
  @_documentation(visibility: internal)
  public func observe(on loop: RunLoop) -> Signal<Value, Failure> { fatalError() }
  @available(*, unavailable, message: "the scheduler of the main queue is `.main`")
  @_documentation(visibility: internal)
  public func observe(on queue: OperationQueue) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable, message: "a queue needs a scheduler: `.main` for the main one, `DispatchScheduler(queue)`"
  )
  @_documentation(visibility: internal)
  public func subscribing(on queue: DispatchQueue) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable, message: "a queue needs a scheduler: `.main` for the main one, `DispatchScheduler(queue)`"
  )
  @_documentation(visibility: internal)
  public func debounce(
    _ quiet: Duration, on queue: DispatchQueue, unused: (() -> Never)? = nil
  ) -> Signal<Value, Failure> { fatalError() }
  @available(
    *, unavailable, message: "a queue needs a scheduler: `.main` for the main one, `DispatchScheduler(queue)`"
  )
  @_documentation(visibility: internal)
  public func delay(_ delay: Duration, on queue: DispatchQueue) -> Signal<Value, Failure> { fatalError() }
}

extension MainScheduler {
  @available(*, unavailable, message: "in Weir it is `.main`")
  public static var instance: MainScheduler { fatalError() }
  @available(*, unavailable, message: "in Weir it is `.main`")
  public static var asyncInstance: MainScheduler { fatalError() }
}
