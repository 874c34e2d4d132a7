// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Awaiting the first value, the last one, all of them, or the completion.
struct AwaitedValueTests {
  @Test("X4: firstValue, lastValue, allValues and completion return the result of a synchronous source")
  func synchronous() async throws {
    let signal = Signal<Int, Oops>([1, 2, 3])
    #expect(try await signal.firstValue() == 1)
    #expect(try await signal.lastValue() == 3)
    #expect(try await signal.allValues() == [1, 2, 3])
    #expect(try await signal.completion())
    let none = Signal<Int, Oops>.empty()
    #expect(try await none.firstValue() == nil)
    #expect(try await none.lastValue() == nil)
    #expect(try await none.allValues() == [])
    #expect(try await none.completion())
  }

  @Test("X4: completion() returns true after a completion, and false if the source is released without one")
  func orderlyEnd() async {
    #expect(await Signal<Int, Never>([1, 2]).completion())
    #expect(await Signal<Int, Never>.empty().completion())
    let letGo = Signal<Int, Never>.create { observer in
      observer.send(1)
      return nil
    }
    #expect(await !letGo.completion())
    #expect(await letGo.materialize().allValues() == [.next(1)])
  }

  @Test(
    "X4: a run that its scheduler drops at shutdown ends without a completion: completion() returns false")
  func shutDown() {
    for (way, wanted) in zip(AwaitedWay.allCases, ["nil", "1", "[1]", "cut off"]) {
      let (subject, scheduler) = (Subject<Int, Oops>(), QueuedScheduler())
      let outcome = way.outcome(of: subject.signal.observe(on: scheduler)) { _ in
        if way != .first {
          subject.send(1)
          scheduler.runAll()
        }
        subject.send(2)
        subject.complete()
        scheduler.stop()
      }
      #expect(outcome == wanted)
    }
  }

  @Test("X4: completion() returns true only if the signal completes before the task is cancelled")
  func cutOff() {
    for isCancelled in [false, true] {
      let (stage, subject, commits) = (TaskStage(), Subject<Int, Oops>(), Counter())
      let task = stage.start {
        if (try? await subject.completion()) == true { commits.add() }
      }
      subject.send(1)
      if isCancelled { task.cancel() }
      subject.complete()
      stage.run()
      #expect(commits.value == (isCancelled ? 0 : 1))
    }
  }

  @Test("awaiting a signal that cannot fail needs no `try`")
  func infallible() async {
    let signal = Signal<Int, Never>.range(0..<manyRounds)
    #expect(await signal.firstValue() == 0)
    #expect(await signal.lastValue() == manyRounds - 1)
    #expect(await signal.allValues().count == manyRounds)
    #expect(await signal.completion())
  }

  @Test("firstValue() disposes its source inside the delivery of the first value")
  func stops() async {
    let (asked, cleanUps) = (Counter(), Counter())
    let counted = Signal<Int, Never>.range(0..<1_000).doNext { _ in asked.add() }
    #expect(await counted.firstValue() == 0)
    #expect(asked.value == 1)
    let endless = Signal<Int, Never>.create { observer in
      var sent = 0
      while !observer.isEnded {
        sent += 1
        observer.send(sent)
      }
      return ActionDisposable { cleanUps.add() }
    }
    #expect(await endless.firstValue() == 1)
    #expect(cleanUps.value == 1)
  }

  @Test("a task waits for events that the source sends later")
  func later() {
    for (way, wanted) in zip(AwaitedWay.allCases, ["1", "2", "[1, 2]", "end"]) {
      let subject = Subject<Int, Oops>()
      let outcome = way.outcome(of: subject.signal) { _ in
        subject.send(1)
        subject.send(2)
        subject.complete()
      }
      #expect(outcome == wanted)
    }
  }

  @Test("a failure is thrown with its type; firstValue() ignores one that follows the first value")
  func fails() {
    for (way, wanted) in zip(AwaitedWay.allCases, ["1", "failure 5", "failure 5", "failure 5"]) {
      let subject = Subject<Int, Oops>()
      let outcome = way.outcome(of: subject.signal) { _ in
        subject.send(1)
        subject.fail(Oops(code: 5))
      }
      #expect(outcome == wanted)
      let atOnce = way.outcome(of: .fail(Oops(code: 3))) { _ in }
      #expect(atOnce == "failure 3")
    }
  }

  private struct Costly: Error { let token: Resources.Resource }

  @Test("contract 7: a thrown failure is released although the source retains its sink")
  func thrownIsNotKept() {
    let (stage, resources) = (TaskStage(), Resources())
    let sink = Box<Sink<Int, Costly>?>(nil)
    stage.start { _ = try? await Signal<Int, Costly>.attaching { sink.value = $0 }.completion() }
    sink.value?.terminate(.failed(Costly(token: resources.make())))
    stage.run()
    #expect(resources.alive == 0)
    withExtendedLifetime(sink) {}
  }

  @Test("contract 7: a value that the task got is not kept by a source that retains its sink")
  func valueIsNotKept() {
    let (stage, resources) = (TaskStage(), Resources())
    let sink = Box<Sink<Resources.Resource, Never>?>(nil)
    stage.start { _ = await Signal<Resources.Resource, Never>.attaching { sink.value = $0 }.lastValue() }
    sink.value?.next(resources.make())
    sink.value?.terminate(.completed)
    stage.run()
    #expect(resources.alive == 0)
    withExtendedLifetime(sink) {}
  }

  @Test("awaiting returns when the source is released without a terminal event")
  func released() {
    for (way, wanted) in zip(AwaitedWay.allCases, ["nil", "2", "[2]", "cut off"]) {
      let source = Box<Subject<Int, Oops>?>(Subject())
      let signal = Box<Signal<Int, Oops>?>(nil)
      let (stage, result) = (TaskStage(), Box("nothing"))
      signal.value = .attaching { source.value?.attach($0) }
      stage.start { [signal] in if let taken = signal.value { result.value = await way.outcome(of: taken) } }
      if way != .first { source.value?.send(2) }
      source.value = nil
      stage.run()
      #expect(result.value == wanted)
    }
  }

  @Test("X4: a waiting task does not retain its source, and returns when the owner releases it")
  func letGo() {
    for (way, wanted) in zip(AwaitedWay.allCases, ["nil", "2", "[2]", "cut off"]) {
      let (owned, stage, outcomes) = (Box(Subject<Int, Oops>()), TaskStage(), EventLog())
      stage.start { outcomes.append(await way.outcome(of: owned.value)) }
      stage.start { outcomes.append(await way.outcome(of: owned.value.signal)) }
      stage.start { outcomes.append(await way.outcome(of: owned.value.map { $0 })) }
      if way != .first { owned.value.send(2) }
      owned.value = Subject()
      stage.run()
      #expect(outcomes.value == [wanted, wanted, wanted])
    }
  }

  @Test("X4: allValues() of a replayed signal returns when its source is released without a terminal event")
  func replayed() {
    let (stage, outcomes) = (TaskStage(), EventLog())
    let source = Signal<Int, Never>.create { observer in
      observer.send(1)
      return nil
    }
    stage.start { outcomes.append("\(await source.replay().allValues())") }
    stage.start { outcomes.append("\(await source.replayLast().allValues())") }
    stage.start { outcomes.append("\(await source.replayLazily().allValues())") }
    #expect(outcomes.value == ["[1]", "[1]", "[1]"])
  }

  @Test("contract 7: a task that has finished retains neither the source nor its values")
  func retention() {
    for way in AwaitedWay.allCases {
      let (resources, subject) = (Resources(), Subject<Payload, Oops>())
      let stage = TaskStage()
      let task = stage.start { [token = resources.make()] () -> Bool in
        let outcome = await way.outcome(of: subject.signal.doNext { _ in _ = token })
        return outcome != "nothing"
      }
      #expect(resources.alive == 1)
      subject.send(resources.make())
      subject.complete()
      stage.run()
      #expect(resources.alive == 0)
      _ = task
    }
  }

  @Test("awaiting a signal subscribes to it in the caller's isolation")
  func isolation() async {
    actor Ledger {
      func first(_ signal: Signal<Int, Never>) async -> Int? { await signal.firstValue() }
      func end(_ signal: Signal<Int, Never>) async -> Bool { await signal.completion() }
    }
    let ledger = Ledger()
    let signal = Signal<Int, Never>.deferred {
      ledger.assertIsolated()
      return .just(4)
    }
    #expect(await ledger.first(signal) == 4)
    #expect(await ledger.end(signal))
  }
}
