// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir

/// The tests of laws are worth little unless they detect false laws.
struct LawCheckTests {
  @Test("a false law is detected, and reported with the seed and a minimised example")
  func falseLaw() {
    let report = counterexample(seed: 1) { world in
      let (signal, predicate) = (world.signal(), world.predicate())
      return (signal.take(first: 1).filter(predicate), signal.filter(predicate).take(first: 1))
    }
    #expect(report?.contains("WEIR_LAW_SEED=1\n") == true)
    #expect(report?.contains("up to 1 values, 0 scheduled events") == true)
  }

  @Test("a law that is false only in its terminal event is detected")
  func falseEnd() {
    let report = counterexample(seed: 1) { world in
      let (first, second) = (world.signal(), world.signal())
      return (first.concat(second), first.concat(second).catch { _ in .empty() })
    }
    #expect(report != nil)
  }

  @Test("worlds of the same trial are equal, those of different seeds differ")
  func worlds() {
    func notes(_ seed: UInt64) -> [String] {
      var world = LawWorld(LawWorld.Trial(seed: seed, size: 4, steps: 9))
      for _ in 0..<9 { _ = world.signal() }
      return world.notes + [world.scheduleDescription]
    }
    #expect(notes(7) == notes(7))
    #expect(notes(7) != notes(8))
  }
}
