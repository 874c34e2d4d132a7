// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Concrete operator types
//
// What it is: each operator is a generic struct around its upstream, and its observer a generic struct around
// its downstream, so that the type of a chain spells out the whole chain. Everything is forced inline. Where
// a hot source has to keep observers of different types, the whole observer is put behind one closure.
//
// Why it was not chosen: a cold chain stops being fused at five operators, where closures still make the
// plain loop of ten. Its hot chains cost less than half, the price of which is the type: it grows with the
// chain, so that functions return `some Source`, and properties and collections hold an erased twin with
// operators of its own. Each operator is two types here, one function there. ShapeStudy has the figures.
//
// Simpler than Weir's operators on purpose, to its own advantage: no failures, and no check that the run has
// not been disposed inside an operator's closure.

@usableFromInline package protocol Source<Value>: Sendable {
  associatedtype Value
  func attach<Observer: ConcreteObserver>(_ observer: Observer, to run: Run) where Observer.Value == Value
}

extension Source {
  @inlinable @inline(__always)
  package func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> Map<Self, Output> {
    Map(self, transform)
  }

  @inlinable @inline(__always)
  package func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Filter<Self> {
    Filter(self, isIncluded)
  }

  @inlinable @inline(__always)
  package func scan<Result: Sendable>(
    _ initial: Result, _ combine: @escaping @Sendable (Result, Value) -> Result
  ) -> Scan<Self, Result> {
    Scan(self, initial, combine)
  }

  @inlinable @inline(__always)
  package func take(first count: Int) -> Take<Self> { Take(self, count) }

  @inlinable @inline(__always)
  package func subscribe(_ next: @escaping @Sendable (Value) -> Void) -> Run {
    let run = Run()
    attach(LastObserver(next, run), to: run)
    return run
  }
}

@frozen @usableFromInline package struct Map<Upstream: Source, Output>: Source {
  @usableFromInline package typealias Value = Output
  @usableFromInline let upstream: Upstream
  @usableFromInline let transform: @Sendable (Upstream.Value) -> Output

  @inlinable @inline(__always)
  init(_ upstream: Upstream, _ transform: @escaping @Sendable (Upstream.Value) -> Output) {
    (self.upstream, self.transform) = (upstream, transform)
  }

  @inlinable @inline(__always)
  package func attach<Observer: ConcreteObserver>(_ observer: Observer, to run: Run)
  where Observer.Value == Output { upstream.attach(MapObserver(observer, transform), to: run) }
}

@frozen @usableFromInline package struct Filter<Upstream: Source>: Source {
  @usableFromInline package typealias Value = Upstream.Value
  @usableFromInline let upstream: Upstream
  @usableFromInline let isIncluded: @Sendable (Upstream.Value) -> Bool

  @inlinable @inline(__always)
  init(_ upstream: Upstream, _ isIncluded: @escaping @Sendable (Upstream.Value) -> Bool) {
    (self.upstream, self.isIncluded) = (upstream, isIncluded)
  }

  @inlinable @inline(__always)
  package func attach<Observer: ConcreteObserver>(_ observer: Observer, to run: Run)
  where Observer.Value == Upstream.Value { upstream.attach(FilterObserver(observer, isIncluded), to: run) }
}

@frozen @usableFromInline package struct Scan<Upstream: Source, Result: Sendable>: Source {
  @usableFromInline package typealias Value = Result
  @usableFromInline let upstream: Upstream
  @usableFromInline let initial: Result
  @usableFromInline let combine: @Sendable (Result, Upstream.Value) -> Result

  @inlinable @inline(__always)
  init(
    _ upstream: Upstream, _ initial: Result,
    _ combine: @escaping @Sendable (Result, Upstream.Value) -> Result
  ) {
    (self.upstream, self.initial, self.combine) = (upstream, initial, combine)
  }

  @inlinable @inline(__always)
  package func attach<Observer: ConcreteObserver>(_ observer: Observer, to run: Run)
  where Observer.Value == Result { upstream.attach(ScanObserver(observer, initial, combine), to: run) }
}

@frozen @usableFromInline package struct Take<Upstream: Source>: Source {
  @usableFromInline package typealias Value = Upstream.Value
  @usableFromInline let upstream: Upstream
  @usableFromInline let count: Int

  @inlinable @inline(__always)
  init(_ upstream: Upstream, _ count: Int) { (self.upstream, self.count) = (upstream, count) }

  @inlinable @inline(__always)
  package func attach<Observer: ConcreteObserver>(_ observer: Observer, to run: Run)
  where Observer.Value == Upstream.Value { upstream.attach(TakeObserver(observer, count), to: run) }
}

// MARK: - Sources

@frozen @usableFromInline package struct RangeSource: Source {
  @usableFromInline package typealias Value = Int
  @usableFromInline let range: Range<Int>

  @inlinable @inline(__always)
  package init(_ range: Range<Int>) { self.range = range }

  @inlinable @inline(__always)
  package func attach<Observer: ConcreteObserver>(_ observer: Observer, to run: Run)
  where Observer.Value == Int {
    var observer = observer
    for value in range where !observer.next(value) { return }
    observer.finish()
  }
}

@frozen @usableFromInline package struct HotSource<Value>: Source {
  @usableFromInline let subject: BareSubject<ErasedReceiver<Value>>

  @inlinable @inline(__always)
  package init(_ subject: BareSubject<ErasedReceiver<Value>>) { self.subject = subject }

  @inlinable @inline(__always)
  package func attach<Observer: ConcreteObserver>(_ observer: Observer, to run: Run)
  where Observer.Value == Value { run.add(subject.attach(observer.erased())) }
}
