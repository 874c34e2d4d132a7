// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of work that is accepted until the shutdown.
struct IntakeRecipeTests {
  @Test("a subscriber receives all accepted work before the completion, and nothing that was rejected")
  func threads() {
    for _ in 0..<200 {
      let intake = Recipes.Intake<Int>()
      let received = Recorder(intake.accepted)
      let accepted = (0..<2).map { _ in Box<[Int]>([]) }
      let begun = Counter()
      withThreads(3) { thread in
        if thread == 2 {
          while begun.value < 20 {}
          return intake.close()
        }
        for number in 0..<1_000 {
          begun.add()
          let work = number * 2 + thread
          guard intake.submit(work) else { return }
          accepted[thread].value.append(work)
        }
      }
      #expect(received.completion == .completed)
      #expect(received.values.sorted() == accepted.flatMap(\.value).sorted())
      #expect(!intake.submit(0))
      #expect(received.values.count == accepted.map(\.value.count).reduce(0, +))
    }
  }

  @Test("work submitted inside a delivery is accepted before close(), and delivered before the completion")
  func nested() {
    let intake = Recipes.Intake<Int>()
    let answers = Box<[Bool]>([])
    let subscription = intake.accepted.subscribe { work in
      if work == 1 {
        answers.value.append(intake.submit(2))
        intake.close()
        answers.value.append(intake.submit(3))
      }
    }
    let received = Recorder(intake.accepted)
    #expect(intake.submit(1))
    #expect(answers.value == [true, false])
    #expect(received.events == [.next(1), .next(2), .completed])
    #expect(subscription.isDisposed)
  }

  @Test("closing an idle intake completes it at once, and only once")
  func idle() {
    let intake = Recipes.Intake<Int>()
    let received = Recorder(intake.accepted)
    intake.close()
    intake.close()
    #expect(received.events == [.completed])
  }
}
