// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Sequences that send one element per step of a scheduler.
struct SequenceOnSchedulerTests {
  private let scheduler = VirtualScheduler()

  @Test("AC72: the scheduler can run other work between two values of a sequence")
  func interleaved() {
    let log = Box<[String]>([])
    for name in ["a", "b"] {
      Signal<Int, Never>(1...2, on: scheduler).subscribe(
        next: { value in
          #expect(scheduler.isCurrent)
          log.value.append("\(name)\(value)")
        }, completed: { log.value.append("\(name) completed") })
    }
    #expect(log.value == [])
    scheduler.step()
    #expect(log.value == ["a1"])
    scheduler.run()
    #expect(log.value == ["a1", "b1", "a2", "b2", "a completed", "b completed"])
  }

  @Test("each subscription iterates the sequence anew")
  func anew() {
    let signal = Signal<Int, Oops>([1, 2], on: scheduler)
    for _ in 0..<2 {
      let recorder = Recorder(signal)
      scheduler.run()
      #expect(recorder.events == [.next(1), .next(2), .completed])
    }
    #expect(Recorder(Signal<Int, Oops>([], on: .immediate)).events == [.completed])
  }

  /// An infinite sequence that counts how many elements were requested.
  private struct Endless: Sequence, IteratorProtocol {
    let asked: Counter
    func next() -> Int? { asked.add() }
  }

  @Test("no element is requested after the subscription has ended, on an immediate or a virtual scheduler")
  func stops() {
    let asked = Counter()
    #expect(
      Recorder(Signal<Int, Never>(Endless(asked: asked), on: .immediate).take(first: 3)).events
        == [.next(0), .next(1), .next(2), .completed])
    #expect(asked.value == 3)
    let recorder = Recorder(Signal<Int, Never>(Endless(asked: asked), on: scheduler))
    scheduler.step()
    scheduler.step()
    recorder.dispose()
    scheduler.run()
    #expect(recorder.values == [3, 4])
    #expect(asked.value == 5)
    let slot = SerialDisposable()
    slot.swap(Signal<Int, Never>(Endless(asked: asked), on: scheduler).subscribe { _ in slot.dispose() })
    scheduler.run()
    #expect(asked.value == 6)
  }

  @Test("100,000 elements do not grow the stack on the immediate scheduler")
  func depth() {
    withSmallStack {
      let sum = Recorder(Signal<Int, Never>(0..<manyRounds, on: .immediate).count())
      #expect(sum.values == [manyRounds])
    }
  }

  @Test("disposal releases the subscriber while work is queued; a scheduler that is shut down ends the run")
  func released() {
    let resources = Resources()
    let subscription = Signal<Int, Never>(1...9, on: scheduler).subscribe { [token = resources.make()] _ in
      _ = token
    }
    scheduler.step()
    #expect(resources.alive == 1)
    subscription.dispose()
    #expect(resources.alive == 0)
    let abandoned = Recorder(Signal<Int, Never>(1...9, on: ClosedScheduler()))
    #expect(abandoned.events == [])
    #expect(abandoned.subscription.isDisposed)
  }
}
