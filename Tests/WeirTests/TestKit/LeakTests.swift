// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
@_spi(Benchmarks) import WeirTesting

/// Leaks are found and named.
struct LeakTests {
  @Test("findLeaks reports no problem if nothing is left")
  func clean() {
    let problem = findLeaks { resources in
      let subject = resources.follow(Subject<Int, Never>())
      subject.subscribe { [token = resources.make()] _ in _ = token }
      subject.complete()
    }
    #expect(problem == nil)
  }

  @Test("findLeaks names objects that are left, with the locations where they were made")
  func left() {
    let kept = Box<[AnyObject]>([])
    let line = #line + 2
    let problem = findLeaks { resources in
      for _ in 0..<2 { kept.value.append(resources.make()) }
      kept.value.append(resources.follow(Box(1)))
    }
    #expect(
      problem?.description == """
        still alive:
          1 × Box<Int>, made at WeirTests/LeakTests.swift:\(line + 1)
          2 × resource, made at WeirTests/LeakTests.swift:\(line)
        """)
  }

  @Test("objects that are followed are not retained")
  func followed() {
    let resources = Resources()
    do {
      let object = resources.follow(Box(1))
      #expect(resources.alive == 1 && object.value == 1)
    }
    #expect(resources.alive == 0 && resources.problem == nil)
  }

  @Test("the blocks of the runtime are counted")
  func blocks() {
    // Other tests run at the same time: they free fewer blocks meanwhile than half of these subjects have.
    let before = RuntimeMemory.blocks
    let subjects = (0..<10_000).map { _ in Subject<Int, Never>() }
    for subject in subjects { subject.subscribe() }
    #expect(RuntimeMemory.blocks >= before + 5_000)
    for subject in subjects { subject.complete() }
  }
}
