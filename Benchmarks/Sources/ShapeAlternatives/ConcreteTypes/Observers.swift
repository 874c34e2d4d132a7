// Part of Weir. SPDX-License-Identifier: Apache-2.0

// The receiving half of the concrete operator types: observers nested in one another by value.

@usableFromInline package protocol ConcreteObserver<Value> {
  associatedtype Value
  /// Takes a value; false for no more.
  mutating func next(_ value: Value) -> Bool
  mutating func finish()
  /// The same for a source that keeps observers of different types.
  consuming func erased() -> ErasedReceiver<Value>
}

extension ConcreteObserver {
  @inlinable @inline(__always)
  package consuming func erased() -> ErasedReceiver<Value> {
    let kept = State(self)
    return ErasedReceiver({ _ = kept.value.next($0) }, { kept.value.finish() })
  }
}

@frozen @usableFromInline package struct ErasedReceiver<Value>: Receiver {
  @usableFromInline let next: (Value) -> Void
  @usableFromInline let terminate: () -> Void

  @inlinable @inline(__always)
  init(_ next: @escaping (Value) -> Void, _ terminate: @escaping () -> Void) {
    (self.next, self.terminate) = (next, terminate)
  }

  @inlinable @inline(__always)
  package func receive(_ value: Value) { next(value) }

  @inlinable @inline(__always)
  package func finish() { terminate() }
}

/// The user's closure.
@frozen @usableFromInline package struct LastObserver<Value>: ConcreteObserver {
  @usableFromInline let receive: @Sendable (Value) -> Void
  @usableFromInline let run: Run

  @inlinable @inline(__always)
  init(_ receive: @escaping @Sendable (Value) -> Void, _ run: Run) {
    (self.receive, self.run) = (receive, run)
  }

  @inlinable @inline(__always)
  package mutating func next(_ value: Value) -> Bool {
    receive(value)
    return true
  }

  @inlinable @inline(__always)
  package mutating func finish() { run.dispose() }

  /// Without operators there is nothing to put behind a closure.
  @inlinable @inline(__always)
  package consuming func erased() -> ErasedReceiver<Value> {
    ErasedReceiver(receive, { [run] in run.dispose() })
  }
}

@frozen @usableFromInline package struct MapObserver<Input, Downstream: ConcreteObserver>: ConcreteObserver {
  @usableFromInline var downstream: Downstream
  @usableFromInline let transform: @Sendable (Input) -> Downstream.Value

  @inlinable @inline(__always)
  init(_ downstream: Downstream, _ transform: @escaping @Sendable (Input) -> Downstream.Value) {
    (self.downstream, self.transform) = (downstream, transform)
  }

  @inlinable @inline(__always)
  package mutating func next(_ value: Input) -> Bool { downstream.next(transform(value)) }

  @inlinable @inline(__always)
  package mutating func finish() { downstream.finish() }
}

@frozen @usableFromInline package struct FilterObserver<Downstream: ConcreteObserver>: ConcreteObserver {
  @usableFromInline var downstream: Downstream
  @usableFromInline let isIncluded: @Sendable (Downstream.Value) -> Bool

  @inlinable @inline(__always)
  init(_ downstream: Downstream, _ isIncluded: @escaping @Sendable (Downstream.Value) -> Bool) {
    (self.downstream, self.isIncluded) = (downstream, isIncluded)
  }

  @inlinable @inline(__always)
  package mutating func next(_ value: Downstream.Value) -> Bool {
    isIncluded(value) ? downstream.next(value) : true
  }

  @inlinable @inline(__always)
  package mutating func finish() { downstream.finish() }
}

@frozen @usableFromInline package struct ScanObserver<Input, Downstream: ConcreteObserver>: ConcreteObserver {
  @usableFromInline var downstream: Downstream
  @usableFromInline var result: Downstream.Value
  @usableFromInline let combine: @Sendable (Downstream.Value, Input) -> Downstream.Value

  @inlinable @inline(__always)
  init(
    _ downstream: Downstream, _ initial: Downstream.Value,
    _ combine: @escaping @Sendable (Downstream.Value, Input) -> Downstream.Value
  ) {
    (self.downstream, self.result, self.combine) = (downstream, initial, combine)
  }

  @inlinable @inline(__always)
  package mutating func next(_ value: Input) -> Bool {
    result = combine(result, value)
    return downstream.next(result)
  }

  @inlinable @inline(__always)
  package mutating func finish() { downstream.finish() }
}

@frozen @usableFromInline package struct TakeObserver<Downstream: ConcreteObserver>: ConcreteObserver {
  @usableFromInline var downstream: Downstream
  @usableFromInline var left: Int

  @inlinable @inline(__always)
  init(_ downstream: Downstream, _ count: Int) { (self.downstream, self.left) = (downstream, count) }

  @inlinable @inline(__always)
  package mutating func next(_ value: Downstream.Value) -> Bool {
    if left <= 0 { return false }
    left &-= 1
    let goesOn = downstream.next(value)
    if left > 0 { return goesOn }
    downstream.finish()
    return false
  }

  @inlinable @inline(__always)
  package mutating func finish() { downstream.finish() }
}
