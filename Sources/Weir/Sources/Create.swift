// Part of Weir. SPDX-License-Identifier: Apache-2.0

extension Signal {
  /// A cold signal from a closure that runs once per subscription, on the subscribing thread.
  ///
  /// The closure gets an ``Observer``, which it may use at once, store for later, and call from any thread;
  /// the observer enforces the rules of a signal. What the closure returns is disposed when the subscription
  /// ends, for whatever reason. If the signal ends before the closure has returned, what it returns is
  /// disposed when it has: after the subscriber got the terminal event, and after a replacement by `catch`
  /// has been started. What is sent after disposal is dropped, including a failure, such as that of a
  /// cancelled operation. Releasing the last reference to the observer ends the subscription: at once, or,
  /// deep inside other releases, when the innermost of them is over. An event costs one turn (see
  /// ``Subject``), the price of taking events from anywhere; nothing is buffered unless sends meet, and then
  /// in a queue that is bounded only by memory.
  ///
  /// ```swift
  /// let answer = Signal<Int, Never>.create { observer in
  ///   observer.send(42)
  ///   observer.complete()
  ///   return nil  // nothing to dispose
  /// }
  /// ```
  ///
  /// A closure that loops or blocks runs on a thread of its own, and asks the observer when to stop:
  ///
  /// ```swift
  /// let samples = Signal<Int, Never>.create { observer in
  ///   while !observer.isEnded { observer.send(read()) }
  ///   return nil
  /// }.subscribing(on: readers)  // such as WorkerPool(threads: 1, name: "readers")
  /// ```
  ///
  /// (Disposal does not interrupt a `read` that blocks: the loop ends when that returns.)
  ///
  /// ReactiveObjC: `+createSignal:`.
  @inlinable
  public static func create(
    _ subscribe: @escaping @Sendable (Observer<Value, Failure>) -> (any Disposable)?
  ) -> Signal {
    Signal(attaching: { sink, _ in
      if let resource = subscribe(Observer(sink)) { sink.subscription.add(resource) }
    })
  }
}
