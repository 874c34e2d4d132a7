// Part of Weir. SPDX-License-Identifier: Apache-2.0

// # Closures whose `next` returns whether to go on
//
// What it is: closure composition on one concrete type, as in Weir, but `next` returns true for more and
// false for enough, where Weir's returns nothing and its sources ask the subscription.
//
// Why it was not chosen: the answer knows only what happened inside the call. A run that is disposed between
// two values or from elsewhere needs the flag all the same, so the answer is a second way to say one thing,
// and every operator has to pass it on correctly, those with several upstreams included. A hot source has no
// use for it: whoever wants no more has ended the run, which has taken the receiver out. ShapeStudy shows
// what it would bring in return.
//
// Simpler than Weir's operators on purpose, to its own advantage: no failures, and no check that the run has
// not been disposed inside an operator's closure.

@frozen @usableFromInline package struct AnsweringSink<Value>: Sendable {
  @usableFromInline let next: @Sendable (Value) -> Bool
  @usableFromInline let finish: @Sendable () -> Void
  @usableFromInline let run: Run

  @inlinable @inline(__always)
  init(next: @escaping @Sendable (Value) -> Bool, finish: @escaping @Sendable () -> Void, run: Run) {
    self.next = next
    self.finish = finish
    self.run = run
  }

  @inlinable @inline(__always)
  func upstream<Input>(next: @escaping @Sendable (Input) -> Bool) -> AnsweringSink<Input> {
    AnsweringSink<Input>(next: next, finish: finish, run: run)
  }
}

@frozen @usableFromInline package struct AnsweringSignal<Value>: Sendable {
  @usableFromInline let connect: @Sendable (AnsweringSink<Value>) -> Void

  @inlinable @inline(__always)
  init(connecting connect: @escaping @Sendable (AnsweringSink<Value>) -> Void) { self.connect = connect }

  @inlinable @inline(__always)
  package func map<Output>(
    _ transform: @escaping @Sendable (Value) -> Output
  ) -> AnsweringSignal<Output> {
    AnsweringSignal<Output> { [connect] sink in
      let next = sink.next
      connect(sink.upstream { next(transform($0)) })
    }
  }

  @inlinable @inline(__always)
  package func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> AnsweringSignal {
    AnsweringSignal { [connect] sink in
      let next = sink.next
      connect(sink.upstream { isIncluded($0) ? next($0) : true })
    }
  }

  @inlinable @inline(__always)
  package func scan<Result: Sendable>(
    _ initial: Result, _ combine: @escaping @Sendable (Result, Value) -> Result
  ) -> AnsweringSignal<Result> {
    AnsweringSignal<Result> { [connect] sink in
      let next = sink.next
      let state = State(initial)
      connect(
        sink.upstream {
          state.value = combine(state.value, $0)
          return next(state.value)
        })
    }
  }

  @inlinable @inline(__always)
  package func take(first count: Int) -> AnsweringSignal {
    AnsweringSignal { [connect] sink in
      let (next, finish) = (sink.next, sink.finish)
      let left = State(count)
      connect(
        sink.upstream {
          if left.value <= 0 { return false }
          left.value &-= 1
          let goesOn = next($0)
          if left.value > 0 { return goesOn }
          finish()
          return false
        })
    }
  }

  @inlinable @inline(__always)
  package func subscribe(_ next: @escaping @Sendable (Value) -> Void) -> Run {
    let run = Run()
    connect(
      AnsweringSink(
        next: {
          next($0)
          return true
        },
        finish: { run.dispose() }, run: run))
    return run
  }
}

// MARK: - Sources

extension AnsweringSignal<Int> {
  @inlinable @inline(__always)
  package static func range(_ range: Range<Int>) -> AnsweringSignal {
    AnsweringSignal { sink in
      for value in range where !sink.next(value) { return }
      sink.finish()
    }
  }
}

extension AnsweringSignal {
  @inlinable @inline(__always)
  package init(_ subject: BareSubject<AnsweringReceiver<Value>>) {
    self.init { sink in sink.run.add(subject.attach(AnsweringReceiver(sink))) }
  }
}

@frozen @usableFromInline package struct AnsweringReceiver<Value>: Receiver {
  @usableFromInline let sink: AnsweringSink<Value>

  @inlinable @inline(__always)
  init(_ sink: AnsweringSink<Value>) { self.sink = sink }

  @inlinable @inline(__always)
  package func receive(_ value: Value) { _ = sink.next(value) }

  @inlinable @inline(__always)
  package func finish() { sink.finish() }
}
