// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// Recorders, counters of resources, and threads.
struct TestKitTests {
  @Test("a recorder has events, values and the completion separately")
  func recorder() {
    let recorder = Recorder(Signal<Int, Oops>([1, 2]).concat(Signal.fail(Oops())))
    #expect(recorder.events == [.next(1), .next(2), .failed(Oops())])
    #expect(recorder.values == [1, 2])
    #expect(recorder.completion == .failed(Oops()))
    #expect(Recorder(Signal<Int, Oops>.never()).completion == nil)
  }

  @Test("a recorder may be read while another thread sends")
  func readMeanwhile() async {
    await #expect(processExitsWith: .success) {
      let count = 1_000
      for _ in 0..<20 {
        let subject = Subject<String, Never>()
        let recorder = Recorder(subject)
        withThreads(2) { index in
          guard index == 0 else {
            while recorder.completion == nil || recorder.values.count < count {}
            return
          }
          for number in 0..<count { subject.send("a string with memory of its own: \(number)") }
          subject.complete()
        }
        #expect(recorder.events.count == count + 1)
      }
    }
  }

  @Test(
    "recorded events, diagrams, their marks and mistakes, intervals and problems may be elements of a set")
  func hashing() throws {
    func distinct<Element: Hashable>(_ elements: Element...) -> Int { Set(elements).count }
    #expect(
      distinct(Recorded<Int, Oops>(.zero, .next(1)), .init(.zero, .next(1)), .init(.zero, .completed)) == 2)
    #expect(distinct(try Marbles("-a"), try Marbles("-a"), try Marbles("-b")) == 2)
    #expect(distinct(Marbles.Mark.value("a"), .value("a"), .completed) == 2)
    #expect(distinct(Marbles.Placed(1, .failed), .init(1, .failed), .init(2, .failed)) == 2)
    let errors = ["-)", "-)", ")"].compactMap { diagram in
      #expect(throws: MarbleError.self) { try Marbles(diagram) }
    }
    #expect(Set(errors).count == 2)
    let interval = try SubscriptionInterval("-^-!")
    #expect(distinct(interval, try SubscriptionInterval("-^-!"), try SubscriptionInterval("-^")) == 2)
    #expect(distinct(Problem("one"), Problem("one"), Problem("two")) == 2)
  }

  @Test("Resources counts the objects that are alive")
  func resources() {
    let resources = Resources()
    var kept: [Resources.Resource] = [resources.make(), resources.make()]
    #expect(resources.alive == 2)
    kept.removeLast()
    #expect(resources.alive == 1)
    kept.removeAll()
    #expect(resources.alive == 0)
  }

  @Test("withThreads runs each thread once, all at the same time, and waits for them")
  func threads() {
    let (here, doors) = (Counter(), [Door(), Door()])
    withThreads(2) { index in
      // Each waits for the other: one after the other would never end.
      doors[1 - index].open()
      doors[index].pass()
      here.add()
    }
    #expect(here.value == 2)
  }
}
