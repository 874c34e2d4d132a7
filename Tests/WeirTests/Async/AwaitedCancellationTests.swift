// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// Cancelling a task that waits for a value, or for the end.
struct AwaitedCancellationTests {
  @Test(
    "a cancelled task stops its source at once, disposes it when it continues, and returns what it has got")
  func cancelled() {
    for (way, wanted) in zip(AwaitedWay.allCases, ["nil", "2", "[1, 2]", "cut off"]) {
      let (subject, disposals) = (Subject<Int, Oops>(), Counter())
      let outcome = way.outcome(of: subject.signal.on(disposed: { disposals.add() })) { task in
        if way != .first {
          subject.send(1)
          subject.send(2)
        }
        task.cancel()
        #expect(subject.subscriberCount == 0 && disposals.value == 0)
        subject.send(3)
      }
      #expect(outcome == wanted && disposals.value == 1)
    }
  }

  @Test("cancelling a task runs no clean-up of a child, either: Swift holds a lock of the parent meanwhile")
  func child() {
    let (stage, subject, disposals) = (TaskStage(), Subject<Int, Never>(), Counter())
    let signal = subject.signal.on(disposed: { disposals.add() })
    let task = stage.start {
      async let ofLast = signal.lastValue()
      async let ofNext = signal.values().first { _ in true }
      _ = await (ofLast, ofNext)
    }
    #expect(subject.subscriberCount == 2)
    task.cancel()
    #expect(subject.subscriberCount == 0 && disposals.value == 0)
    stage.run()
    #expect(disposals.value == 2)
  }

  @Test("contract 8: a failure whose clean-up cancels the waiting task is reported as unhandled, once")
  func cancelledByCleanUp() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[Int]>([])
      UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code ?? -1) }
      for (way, wanted) in zip(AwaitedWay.allCases, ["nil", "nil", "[]", "cut off"]) {
        let (stage, result, sink) = (TaskStage(), Box("nothing"), Box<Sink<Int, Oops>?>(nil))
        /// Lets a task wait for a source, and then runs `body`.
        func run(_ body: (Task<Void, Never>) -> Void, cleanUp: @escaping @Sendable () -> Void) {
          let signal = Signal<Int, Oops>.attaching {
            sink.value = $0
            $0.subscription.add(ActionDisposable(cleanUp))
          }
          body(stage.start { result.value = await way.outcome(of: signal) })
          stage.run()
          sink.value = nil
          #expect(result.value == wanted)
        }
        let waiting = Box<Task<Void, Never>?>(nil)
        run(
          { task in
            waiting.value = task
            sink.value?.terminate(.failed(Oops(code: 4)))
            waiting.value = nil
          }, cleanUp: { waiting.value?.cancel() })
        #expect(reported.value == [4])
        // After a cancellation nobody expects an error, so none is reported.
        run({ $0.cancel() }, cleanUp: { sink.value?.terminate(.failed(Oops(code: 5))) })
        #expect(reported.value == [4])
        reported.value = []
      }
    }
  }

  @Test(
    "contract 8: a failure or overflow whose clean-up cancels a task in next() is reported as unhandled, once"
  )
  func nextCancelledByCleanUp() async {
    await #expect(processExitsWith: .success) {
      let reported = Box<[Int]>([])
      UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code ?? -1) }
      for isOverflow in [false, true] {
        let (stage, sink) = (TaskStage(), Box<Sink<Int, Oops>?>(nil))
        let waiting = Box<Task<Void, Never>?>(nil)
        let signal = Signal<Int, Oops>.attaching {
          sink.value = $0
          $0.subscription.add(ActionDisposable { waiting.value?.cancel() })
        }
        waiting.value = stage.start {
          let values = signal.values(waiting: .bounded(1, onOverflow: .fail(Oops(code: 4))))
          var iterator = values.makeAsyncIterator()
          _ = try? await iterator.next(isolation: nil)
        }
        if isOverflow {
          for value in 0..<10 { sink.value?.next(value) }
        } else {
          sink.value?.terminate(.failed(Oops(code: 4)))
        }
        waiting.value = nil
        stage.run()
        #expect(reported.value == [4], "\(isOverflow)")
        reported.value = []
      }
    }
  }

  @Test("a task that is already cancelled does not subscribe to the source")
  func cancelledBefore() async {
    for (way, wanted) in zip(AwaitedWay.allCases, ["nil", "nil", "[]", "cut off"]) {
      let runs = Counter()
      let signal = Signal<Int, Oops>.deferred {
        runs.add()
        return .just(1)
      }
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await way.outcome(of: signal)
      }
      #expect(await task.value == wanted)
      #expect(runs.value == 0)
    }
  }

  @Test("a task cancelled while a value is on its way returns what came before, not that value")
  func cancelledInside() {
    for (way, wanted) in zip(AwaitedWay.allCases, ["nil", "1", "[1]", "cut off"]) {
      let (subject, held) = (Subject<Int, Oops>(), Box<Task<String, Never>?>(nil))
      let outcome = way.outcome(of: subject.signal.doNext { if $0 == 2 { held.value?.cancel() } }) { task in
        held.value = task
        if way != .first { subject.send(1) }
        subject.send(2)
        subject.send(3)
      }
      #expect(outcome == wanted)
      held.value = nil
    }
  }

  @Test("a source that sends while it is subscribed stops when the task is cancelled during a delivery")
  func stoppedInside() {
    let (stage, sent, hasReturned) = (TaskStage(), Counter(), Box(false))
    let values = Signal<Parting, Never>.create { observer in
      while !observer.isEnded, sent.value < 100 {
        let isSecond = sent.add() == 1
        observer.send(Parting { if isSecond { withUnsafeCurrentTask { $0?.cancel() } } })
      }
      return nil
    }
    stage.start {
      _ = await values.lastValue()
      hasReturned.value = true
    }
    // The second value is released when the third one takes its place.
    #expect(sent.value == 3 && hasReturned.value)
  }

  @Test("a task that is subscribing a source that only a clean-up stops continues when it is cancelled")
  func stoppedByCleanUp() {
    let (stage, sent, hasReturned) = (TaskStage(), Counter(), Box(false))
    let endless = Signal<Int, Never>.create { observer in
      while !observer.isEnded, sent.value < 100_000_000 { observer.send(sent.add()) }
      return nil
    }
    // The run has two parents, so the first round of a disposal does not reach it.
    let service = Subscription()
    let adopted = Signal<Int, Never>.attaching { sink in
      let run = Subscription()
      for parent in [service, sink.subscription] { parent.adopt(run) }
      endless.attach(Sink(next: sink.next, terminate: sink.terminate, subscription: run))
    }
    let task = Task(executorPreference: stage.executor) {
      _ = await adopted.lastValue()
      hasReturned.value = true
    }
    withThreads(2) { index in
      if index == 0 { return stage.run() }
      while sent.value == 0 { weir_yield() }
      task.cancel()
    }
    #expect(hasReturned.value && sent.value < 100_000_000)
  }

  @Test("lastValue() returns the new value if releasing the one it replaces cancels the task")
  func cancelledInPlace() {
    let (stage, subject) = (TaskStage(), Subject<Parting, Never>())
    let (task, result, new) = (Box<Task<Void, Never>?>(nil), Box<Parting?>(nil), Parting {})
    task.value = stage.start { result.value = await subject.lastValue() }
    subject.send(Parting { task.value?.cancel() })
    subject.send(new)
    #expect(task.value?.isCancelled == true)
    stage.run()
    #expect(result.value === new)
    task.value = nil
  }

  @Test(
    "a task cancelled during a delivery disposes by itself, so that no sender waits for that")
  func disposedInTask() {
    let (stage, subject, log) = (TaskStage(), Subject<Parting, Never>(), EventLog())
    let task = Box<Task<Void, Never>?>(nil)
    task.value = stage.start {
      _ = await subject.on(disposed: { log.append("disposed") }).lastValue()
      log.append("continued")
    }
    subject.send(
      Parting {
        task.value?.cancel()
        log.append("cancelled")
      })
    subject.send(Parting {})
    log.append("sent")
    stage.run()
    #expect(log.value == ["cancelled", "sent", "disposed", "continued"])
    task.value = nil
  }
}
