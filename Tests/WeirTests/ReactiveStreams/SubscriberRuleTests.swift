// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Reactive Streams forbid to subscribers and Weir allows, behind each operator.
struct SubscriberRuleTests {
  @Test(
    "§2.3: a subscriber may dispose, send, end and resubscribe inside its terminal event, and gets no other",
    arguments: OperatorCase.all, [false, true])
  func insideTheEnd(operation: OperatorCase, fails: Bool) {
    let subject = Subject<Int, Oops>()
    let signal = operation.apply(subject)
    let log = Box<[String]>([])
    let subscription = Box<Subscription?>(nil)
    let ended: @Sendable (String) -> Void = { [unowned subject] word in
      log.value.append(word)
      subscription.value?.dispose()
      subject.send(9)
      subject.complete()
      // The subject has ended: a new subscriber receives the same terminal event.
      signal.subscribe(
        next: { log.value.append("late \($0)") }, failed: { _ in log.value.append("late failed") },
        completed: { log.value.append("late completed") })
    }
    subscription.value = signal.subscribe(
      next: { log.value.append("\($0)") }, failed: { _ in ended("failed") }, completed: { ended("completed") }
    )
    subject.send(1)
    if fails { subject.fail(Oops()) } else { subject.complete() }
    let end = fails ? "failed" : "completed"
    #expect(log.value == ["1", end, "late \(end)"])
  }

  @Test("§2.7 §3.1: concurrent disposals of one subscription clean up once", arguments: OperatorCase.all)
  func disposedByMany(operation: OperatorCase) {
    for _ in 0..<20 {
      let disposals = Counter()
      let subject = Subject<Int, Oops>()
      let recorder = Recorder(operation.apply(subject.signal.on(disposed: { disposals.add() })))
      subject.send(1)
      withThreads(3) { _ in recorder.dispose() }
      subject.send(2)
      #expect(disposals.value == 1 && recorder.events == [.next(1)])
    }
  }
}
