// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// What the closure of `flatMap` returns: something that can be subscribed to, once or often.
public struct MutexSignal<Value: Sendable>: Sendable {
  /// Subscribes, and returns what ends the subscription.
  public typealias Subscribe =
    @Sendable (
      _ next: @escaping @Sendable (Value) -> Void, _ completed: @escaping @Sendable () -> Void
    ) -> MutexDisposal

  @usableFromInline let subscribe: Subscribe

  /// A signal that runs `subscribe` for each subscriber.
  @inlinable
  public init(_ subscribe: @escaping Subscribe) { self.subscribe = subscribe }

  /// What the subject sends from the subscription on.
  @inlinable
  public init(_ subject: some MutexSubject<Value>) {
    self.init { next, completed in
      let subscription = subject.subscribe(next: next, completed: completed)
      return { subscription.dispose() }
    }
  }

  /// One value, and the end.
  @inlinable
  public static func just(_ value: Value) -> MutexSignal {
    MutexSignal { next, completed in
      next(value)
      completed()
      return {}
    }
  }

  /// The same with each value transformed.
  @inlinable
  public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> MutexSignal<Output> {
    MutexSignal<Output> { [subscribe] next, completed in
      subscribe({ next(transform($0)) }, completed)
    }
  }
}
