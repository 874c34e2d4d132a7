// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// switch(cases:) and if(then:else:).
struct ControlTests {
  @Test(
    "G5: switch(cases:) sends nothing before the first key; each key ends the case before it and runs its own"
  )
  func switching() {
    let keys = Subject<String, Oops>()
    let (left, right, other) = (Subject<Int, Oops>(), Subject<Int, Oops>(), Subject<Int, Oops>())
    let recorder = Recorder(
      keys.switch(cases: ["left": left.signal, "right": right.signal], default: other))
    left.send(0)
    other.send(0)
    keys.send("left")
    left.send(1)
    right.send(0)
    keys.send("right")
    left.send(0)
    right.send(2)
    keys.send("elsewhere")
    right.send(0)
    other.send(3)
    keys.send("left")
    left.send(4)
    keys.complete()
    left.send(5)
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(recorder.completion == nil)
    left.complete()
    #expect(recorder.completion == .completed)
  }

  @Test("G5: a repeated key runs its case again")
  func sameKey() {
    let runs = Counter()
    let each = Signal<Int, Never>.deferred { .just(runs.add()) }
    let keys = Signal<Int, Never>([7, 7])
    #expect(Recorder(keys.switch(cases: [7: each], default: Signal<Int, Never>.empty())).values == [0, 1])
  }

  @Test("G5: nil is a key like any other when keys are optional, with or without a case")
  func nilKey() {
    typealias Text = Signal<String, Never>
    let keys = Signal<Int?, Never>([nil, 1, 2])
    let cases: [Int?: Text] = [nil: .just("nil"), 1: .just("one")]
    #expect(
      Recorder(keys.switch(cases: cases, default: Text.just("other"))).values == ["nil", "one", "other"])
    #expect(
      Recorder(keys.switch(cases: [1: Text.just("one")], default: Text.just("other"))).values == [
        "other", "one", "other",
      ])
  }

  @Test(
    "G5 AC36: without a default, a key without a case fails the signal with an error that contains the key")
  func noMatchingCase() {
    let keys = Subject<Int, any Error>()
    let first = Subject<Int, any Error>()
    let recorder = Recorder(keys.switch(cases: [1: first.signal]))
    keys.send(1)
    first.send(5)
    keys.send(2)
    first.send(6)
    keys.send(1)
    #expect(recorder.values == [5])
    var missing: Int?
    if case .failed(let error as SwitchError) = recorder.completion, case .noMatchingCase(let key) = error {
      missing = key as? Int
    }
    #expect(missing == 2)
    #expect(recorder.subscription.isDisposed)
  }

  @Test("switch(cases:) passes on a failure of the keys or of a case")
  func failures() {
    let empty = Signal<Int, Oops>.empty()
    #expect(
      Recorder(Signal<Int, Oops>.fail(Oops(code: 1)).switch(cases: [:], default: empty)).events
        == [.failed(Oops(code: 1))])
    let failing = Signal<Int, Oops>.just(1).switch(cases: [1: .fail(Oops(code: 2))], default: empty)
    #expect(Recorder(failing).events == [.failed(Oops(code: 2))])
  }

  @Test("if(then:else:) runs one signal after true and the other after false, and sends nothing before")
  func ifThenElse() {
    let condition = Subject<Bool, Never>()
    let (yes, no) = (Subject<Int, Never>(), Subject<Int, Never>())
    let recorder = Recorder(condition.if(then: yes, else: no))
    yes.send(0)
    no.send(0)
    condition.send(true)
    yes.send(1)
    no.send(0)
    condition.send(false)
    yes.send(0)
    no.send(2)
    condition.send(true)
    yes.send(3)
    condition.complete()
    yes.complete()
    #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
  }
}
