// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Recording without virtual time, and waiting for what other threads send.
struct RecorderTests {
  @Test("a recorder has events, values and the completion separately")
  func recorder() {
    let recorder = Recorder(Signal<Int, Oops>([1, 2]).concat(Signal.fail(Oops())))
    #expect(recorder.events == [.next(1), .next(2), .failed(Oops())])
    #expect(recorder.values == [1, 2])
    #expect(recorder.completion == .failed(Oops()))
    #expect(Recorder(Signal<Int, Oops>.never()).completion == nil)
  }

  /// Tasks that wait for events, or for the end, and what they find then.
  private struct Waiting {
    let stage = TaskStage()
    let found = Box<[[Event<Int, Oops>]]>([])

    @discardableResult
    func start(_ recorder: Recorder<Int, Oops>, for count: Int? = nil) -> Task<Void, Never> {
      stage.start { [found] in
        if let count { await recorder.waitForEvents(count) } else { await recorder.waitForEnd() }
        found.value.append(recorder.events)
      }
    }
  }

  @Test(
    "a task waits for a number of events, and goes on as soon as the last of them is there, or was before")
  func waitForEvents() {
    let (subject, waiting) = (Subject<Int, Oops>(), Waiting())
    let recorder = Recorder(subject)
    for count in [2, 1, 3] { waiting.start(recorder, for: count) }
    for value in 1...3 {
      subject.send(value)
      waiting.stage.run()
      #expect(waiting.found.value.map(\.count) == Array(1...value))
    }
    waiting.start(recorder, for: 2)
    #expect(waiting.found.value.last == [.next(1), .next(2), .next(3)] && waiting.found.value.count == 4)
  }

  @Test("a task that waits for more events than come goes on at the terminal event, which is recorded then")
  func waitForEnd() {
    for completion in [Completion<Oops>.completed, .failed(Oops())] {
      let (subject, waiting) = (Subject<Int, Oops>(), Waiting())
      let recorder = Recorder(subject)
      waiting.start(recorder)
      waiting.start(recorder, for: 9)
      // The subscription ends before the event is recorded, and this is called between the two.
      recorder.subscription.add(ActionDisposable { waiting.stage.run() })
      subject.send(1)
      subject.send(Event(completion))
      waiting.start(recorder)
      waiting.stage.run()
      #expect(waiting.found.value == Array(repeating: [.next(1), Event(completion)], count: 3))
    }
  }

  @Test("a task that waits goes on when the subscription is disposed, when its source is gone, or if it was")
  func endWithoutEvent() {
    for isDisposed in [true, false] {
      let waiting = Waiting()
      var subject: Subject<Int, Oops>? = Subject()
      let recorder = Recorder(subject?.signal ?? .never())
      waiting.start(recorder)
      if isDisposed { recorder.subscription.dispose() }
      subject = nil
      waiting.stage.run()
      waiting.start(recorder)
      #expect(waiting.found.value == [[], []])
    }
    let (late, disposed) = (Waiting(), Recorder(Signal<Int, Oops>.never()))
    disposed.dispose()
    late.start(disposed, for: 1)
    #expect(late.found.value == [[]])
  }

  @Test("a task that waits for events goes on when it is cancelled, and others go on waiting")
  func cancelled() {
    let (subject, waiting) = (Subject<Int, Oops>(), Waiting())
    let recorder = Recorder(subject)
    let task = waiting.start(recorder, for: 1)
    waiting.start(recorder, for: 1)
    task.cancel()
    waiting.stage.run()
    #expect(waiting.found.value == [[]])
    subject.send(1)
    waiting.stage.run()
    #expect(waiting.found.value == [[], [.next(1)]])
  }

  @Test("a task waits for the events of other threads")
  func otherThreads() async {
    let recorder = Recorder(Signal<Int, Never>(0..<1_000).observe(on: .pool))
    await recorder.waitForEvents(500)
    #expect(recorder.values.prefix(500) == Array(0..<500)[...])
    await recorder.waitForEnd()
    #expect(recorder.values == Array(0..<1_000) && recorder.completion == .completed)
  }

  @Test("a recorder that a task has waited for in vain is released with what retains it")
  func released() {
    let (resources, waiting) = (Resources(), Waiting())
    do {
      let recorder = resources.follow(Recorder(Signal<Int, Oops>.never()))
      waiting.start(recorder).cancel()
      waiting.stage.run()
    }
    #expect(waiting.found.value == [[]] && resources.problem == nil)
  }
}
