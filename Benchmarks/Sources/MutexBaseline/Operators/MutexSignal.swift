// Part of Weir. SPDX-License-Identifier: Apache-2.0

/// A signal that the closure of `flatMap` returns. It can be subscribed to several times.
public struct MutexSignal<Value: Sendable>: Sendable {
  /// Subscribes, and returns a function that ends the subscription.
  public typealias Subscribe =
    @Sendable (
      _ next: @escaping @Sendable (Value) -> Void, _ completed: @escaping @Sendable () -> Void
    ) -> MutexDisposal

  @usableFromInline let subscribe: Subscribe

  /// A signal that runs `subscribe` for each subscriber.
  @inlinable
  public init(_ subscribe: @escaping Subscribe) { self.subscribe = subscribe }

  /// A signal of what the subject sends after the subscription.
  @inlinable
  public init(_ subject: some MutexSubject<Value>) {
    self.init { next, completed in
      let subscription = subject.subscribe(next: next, completed: completed)
      return { subscription.dispose() }
    }
  }

  /// A signal of one value.
  @inlinable
  public static func just(_ value: Value) -> MutexSignal {
    MutexSignal { next, completed in
      next(value)
      completed()
      return {}
    }
  }

  /// A signal of this one's values, each transformed.
  @inlinable
  public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> MutexSignal<Output> {
    MutexSignal<Output> { [subscribe] next, completed in
      subscribe({ next(transform($0)) }, completed)
    }
  }
}
