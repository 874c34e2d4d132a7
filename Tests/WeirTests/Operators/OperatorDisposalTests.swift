// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import WeirTesting

@testable import Weir

/// How each operator stops, and what it releases then.
struct OperatorDisposalTests {
  @Test("disposal stops the source immediately and exactly once", arguments: OperatorCase.all, [0, 1])
  func disposed(operation: OperatorCase, after count: Int) {
    let cleanup = Counter()
    let held = Held<Oops>(nil)
    let source = Signal<Int, Oops>.create { observer in
      held.value = observer
      return ActionDisposable { cleanup.add() }
    }
    let recorder = Recorder(operation.apply(source))
    for value in 0..<count { held.value?.send(value) }
    #expect(cleanup.value == 0)
    recorder.dispose()
    #expect(cleanup.value == 1)
    recorder.dispose()
    held.value?.send(2)
    held.value?.complete()
    #expect(recorder.events == (0..<count).map { .next($0) })
    #expect(cleanup.value == 1)
  }

  @Test(
    "A1: a subscriber that disposes while another thread is disposing receives nothing more",
    arguments: OperatorCase.all)
  func disposedTwice(operation: OperatorCase) {
    let (subject, inside, free, done) = (Subject<Int, Oops>(), Door(), Door(), Door())
    let recorder = Recorder(
      operation.apply(subject).on(disposed: {
        inside.open()
        free.pass()
      }))
    subject.send(1)
    SystemThread.start(named: "other") {
      recorder.dispose()
      done.open()
    }
    inside.pass()
    recorder.dispose()
    let events = recorder.events
    subject.send(2)
    subject.complete()
    #expect(recorder.events == events)
    free.open()
    done.pass()
  }

  /// Operators that run a signal in a subscription of its own, and forward its values unchanged.
  static let running = [
    OperatorCase("concat, first") { signal, _ in signal.concat(Signal<Int, Oops>.never()) },
    OperatorCase("concat, second") { signal, _ in Signal<Int, Oops>.empty().concat(signal) },
    OperatorCase("then") { signal, _ in Signal<Int, Oops>.empty().then { signal } },
    OperatorCase("repeat") { signal, _ in signal.repeat() },
    OperatorCase("retry") { signal, _ in signal.retry() },
    OperatorCase("catch") { signal, _ in signal.catch { .fail($0) } },
    OperatorCase("using") { signal, _ in
      .using(resource: { ActionDisposable {} }, signal: { _ in signal })
    },
  ]

  /// Calls `action` with each value, in a closure and not in a step.
  private func observing(
    _ signal: Signal<Int, Oops>, _ action: @escaping @Sendable (Int) -> Void
  ) -> Signal<Int, Oops> {
    Signal.attaching { sink in
      let next = sink.next
      signal.attach(
        sink.upstream(
          next: { (value: Int) in
            action(value)
            next(value)
          }, terminate: sink.terminate))
    }
  }

  @Test(
    "A1: a value that a clean-up sends during disposal does not reach the closures downstream",
    arguments: running)
  func sentByCleanUp(operation: OperatorCase) {
    let (subject, seen) = (Subject<Int, Oops>(), Box<[Int]>([]))
    let see: @Sendable (Int) -> Void = { seen.value.append($0) }
    for signal in [operation.apply(subject).doNext(see), observing(operation.apply(subject), see)] {
      seen.value = []
      let run = signal.on(disposed: { subject.send(2) }).subscribe()
      subject.send(1)
      run.dispose()
      #expect(seen.value == [1])
    }
  }

  @Test(
    "A1: closures downstream receive nothing after dispose() returns, even while another thread is disposing",
    arguments: running)
  func seenAfterSecondDisposal(operation: OperatorCase) {
    let (subject, inside, free, done) = (Subject<Int, Oops>(), Door(), Door(), Door())
    let seen = Box<[Int]>([])
    let run = operation.apply(subject).doNext { seen.value.append($0) }
      .on(disposed: {
        inside.open()
        free.pass()
      }).subscribe()
    subject.send(1)
    SystemThread.start(named: "other") {
      run.dispose()
      done.open()
    }
    inside.pass()
    run.dispose()
    subject.send(2)
    #expect(seen.value == [1])
    free.open()
    done.pass()
  }

  @Test(
    "the source's clean-up runs before the subscriber receives the terminal event",
    arguments: OperatorCase.all, [false, true])
  func cleanupFirst(operation: OperatorCase, fails: Bool) {
    let log = Box<[String]>([])
    let held = Held<Oops>(nil)
    let source = Signal<Int, Oops>.create { observer in
      held.value = observer
      return ActionDisposable { log.value.append("cleaned") }
    }
    operation.apply(source).subscribe(
      failed: { _ in log.value.append("told") }, completed: { log.value.append("told") })
    if fails { held.value?.fail(Oops()) } else { held.value?.complete() }
    #expect(log.value == ["cleaned", "told"])
  }

  @Test("disposal during a delivery stops all further events", arguments: OperatorCase.all)
  func disposedInside(operation: OperatorCase) {
    let subject = Subject<Int, Oops>()
    let values = Box<[Int]>([])
    let subscription = Box<Subscription?>(nil)
    subscription.value = operation.apply(subject).subscribe(
      next: { value in
        values.value.append(value)
        subject.send(value + 1)
        if value == 2 { subscription.value?.dispose() }
      }, failed: { _ in }, completed: { values.value.append(-1) })
    subject.send(1)
    subject.complete()
    #expect(values.value == [1, 2])
  }

  @Test(
    "disposal inside the operator's own closure suppresses the current value",
    arguments: OperatorCase.withClosure)
  func disposedInsideClosure(operation: OperatorCase) {
    let subject = Subject<Int, Oops>()
    let subscription = Box<Subscription?>(nil)
    let values = Box<[Int]>([])
    subscription.value = operation.apply(subject.signal) { value throws(Oops) in
      if value == 2 { subscription.value?.dispose() }
    }.subscribe(next: { values.value.append($0) }, failed: { _ in })
    subject.send(1)
    subject.send(2)
    subject.send(3)
    #expect(values.value == [1])
  }

  @Test("an error thrown after disposal is not delivered", arguments: OperatorCase.withClosure)
  func disposedInsideThrowingClosure(operation: OperatorCase) async {
    let subject = Subject<Int, Oops>()
    let subscription = Box<Subscription?>(nil)
    let failures = Counter()
    subscription.value = operation.apply(subject.signal) { _ throws(Oops) in
      subscription.value?.dispose()
      throw Oops()
    }.subscribe(failed: { _ in failures.add() })
    subject.send(1)
    #expect(failures.value == 0)
  }

  enum End { case disposal, completion, failure, lateDisposal, sourceDropped }

  @Test(
    "everything is released when the run ends", arguments: OperatorCase.all,
    [End.disposal, .completion, .failure, .lateDisposal])
  func released(operation: OperatorCase, end: End) { expectRelease(operation, end) }

  @Test("everything is released when the source is released", arguments: OperatorCase.following)
  func releasedWithSource(operation: OperatorCase) { expectRelease(operation, .sourceDropped) }

  private func expectRelease(_ operation: OperatorCase, _ end: End) {
    let resources = Resources()
    let subject = Box<Subject<Int, Oops>?>(Subject())
    let subscription = Box<Subscription?>(nil)
    if let source = subject.value {
      let upstream = source.map { [token = resources.make()] value in
        _ = token
        return value
      }
      subscription.value = operation.apply(upstream) { [token = resources.make()] _ in _ = token }
        .subscribe(
          next: { [token = resources.make()] _ in _ = token },
          failed: { [token = resources.make()] _ in _ = token },
          completed: { [token = resources.make()] in _ = token })
    }
    subject.value?.send(1)
    // An operator that has no closure does not retain the hook.
    #expect(resources.alive >= 4)
    switch end {
    case .disposal: subscription.value?.dispose()
    case .completion: subject.value?.complete()
    case .failure: subject.value?.fail(Oops())
    case .sourceDropped: subject.value = nil
    case .lateDisposal:
      subject.value = nil
      subscription.value?.dispose()
    }
    #expect(resources.alive == 0)
    #expect(subscription.value?.isDisposed == true)
    withExtendedLifetime((subject, subscription)) {}
  }

  @Test(
    "A17: a run is released when nothing references it and its source retains no observer",
    arguments: OperatorCase.following)
  func released(operation: OperatorCase) {
    let resources = Resources()
    weak var subscription: Subscription?
    do {
      let source = Signal<Int, Oops>.never().map { [token = resources.make()] value in
        _ = token
        return value
      }
      subscription = operation.apply(source).subscribe(
        next: { [token = resources.make()] _ in _ = token }, failed: { _ in })
    }
    #expect(resources.alive == 0)
    #expect(subscription == nil)
  }

  @Test(
    "A11: a source that releases its observer ends the run without a terminal event",
    arguments: OperatorCase.following)
  func droppedObserver(operation: OperatorCase) {
    let cleanup = Counter()
    let held = Held<Oops>(nil)
    let source = Signal<Int, Oops>.create { observer in
      held.value = observer
      return ActionDisposable { cleanup.add() }
    }
    let recorder = Recorder(operation.apply(source))
    held.value?.send(1)
    held.value = nil
    #expect(cleanup.value == 1)
    #expect(recorder.subscription.isDisposed)
    #expect(recorder.events == [.next(1)])
  }

  @Test("two subscriptions are independent of each other", arguments: OperatorCase.all)
  func independent(operation: OperatorCase) {
    let subject = Subject<Int, Oops>()
    let signal = operation.apply(subject)
    let (first, second) = (Recorder(signal), Recorder(signal))
    subject.send(1)
    first.dispose()
    subject.send(2)
    #expect(first.values == [1])
    #expect(second.values == [1, 2])
    second.dispose()
  }

  @Test("disposal on another thread during a delivery stops further delivery", arguments: OperatorCase.all)
  func disposedByAnotherThread(operation: OperatorCase) {
    let subject = Subject<Int, Oops>()
    let values = Box<[Int]>([])
    let (entered, leave) = (Door(), Door())
    let subscription = operation.apply(subject).subscribe(
      next: { value in
        if values.value.isEmpty {
          entered.open()
          leave.pass()
        }
        values.value.append(value)
      }, failed: { _ in })
    withThreads(2) { index in
      if index == 0 { return subject.send(1) }
      entered.pass()
      subject.send(2)
      subscription.dispose()
      leave.open()
    }
    subject.send(3)
    #expect(values.value == [1])
  }
}
