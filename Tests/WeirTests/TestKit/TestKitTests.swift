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
