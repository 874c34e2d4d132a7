// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

struct SerialDisposableTests {
  @Test("O5 AC73: swap returns the previous disposable and does not dispose it")
  func swap() {
    let (first, second) = (ActionDisposable {}, ActionDisposable {})
    let serial = SerialDisposable(first)
    #expect(serial.disposable === first)
    #expect(serial.swap(second) === first)
    #expect(serial.disposable === second)
    #expect(!first.isDisposed && !second.isDisposed && !serial.isDisposed)
    #expect(serial.swap(nil) === second)
    #expect(serial.disposable == nil)
  }

  @Test("O5 AC73: disposal disposes the current disposable, which then reads as nil")
  func dispose() {
    let (first, second) = (ActionDisposable {}, ActionDisposable {})
    let serial = SerialDisposable(first)
    serial.swap(second)
    serial.dispose()
    #expect(second.isDisposed && serial.isDisposed)
    #expect(!first.isDisposed)
    #expect(serial.disposable == nil)
    serial.dispose()
  }

  @Test("O5 AC73: swap after disposal disposes the new disposable at once and returns nil")
  func swapAfterDispose() {
    let serial = SerialDisposable()
    serial.dispose()
    let late = ActionDisposable {}
    #expect(serial.swap(late) == nil)
    #expect(late.isDisposed)
    #expect(serial.disposable == nil)
    #expect(serial.swap(nil) == nil)
  }

  @Test("O5: swap releases the previous disposable; deallocation disposes nothing")
  func releases() {
    let resources = Resources()
    let runs = Counter()
    do {
      let serial = SerialDisposable()
      for _ in 0..<3 {
        serial.swap(
          ActionDisposable { [token = resources.make()] in
            _ = runs.add(); _ = token
          })
        #expect(resources.alive == 1)
      }
    }
    #expect((resources.alive, runs.value) == (0, 0))
  }

  @Test(
    "O6: any number of reads neither leaks the current disposable nor releases it early",
    arguments: [1, 2_047, 2_048, 2_049, 4_095, 4_096, 10_000])
  func readVeryOften(count: Int) {
    let resources = Resources()
    let serial = SerialDisposable(ActionDisposable { [token = resources.make()] in _ = token })
    for _ in 0..<count { #expect(serial.disposable != nil) }
    weak let held = serial.disposable
    #expect(held != nil && resources.alive == 1)
    serial.swap(nil)
    #expect(held == nil && resources.alive == 0)
  }

  @Test("O5: one disposable in 10,000 serial disposables is readable in each, and released with them")
  func inManySlots() {
    let resources = Resources()
    do {
      let shared = ActionDisposable { [token = resources.make()] in _ = token }
      let slots = (0..<10_000).map { _ in SerialDisposable(shared) }
      #expect(slots.allSatisfy { $0.disposable === shared })
    }
    #expect(resources.alive == 0)
  }

  @Test("O6 AC73: reads during concurrent swaps never meet a freed object, and no disposable is lost")
  func readWhileSwapping() {
    let resources = Resources()
    let serial = SerialDisposable()
    let runs = Counter()
    let returned = Counter()
    withThreads(4) { index in
      for _ in 0..<2_000 {
        if index < 2 {
          let new = ActionDisposable { [token = resources.make()] in
            _ = runs.add(); _ = token
          }
          if let old = serial.swap(new) {
            old.dispose()
            returned.add()
          }
        } else {
          withExtendedLifetime(serial.disposable) {}
        }
      }
    }
    #expect(returned.value == 3_999)
    #expect(runs.value == 3_999)
    #expect(resources.alive == 1)
    serial.dispose()
    #expect((runs.value, resources.alive) == (4_000, 0))
  }

  @Test("O6: when swaps race with disposal, each disposable is either disposed or returned, once")
  func swapsAndDisposal() {
    for _ in 0..<100 {
      let serial = SerialDisposable()
      let runs = Counter()
      let returned = Counter()
      withThreads(4) { index in
        if index == 0 { return serial.dispose() }
        for _ in 0..<20 { if serial.swap(ActionDisposable { runs.add() }) != nil { returned.add() } }
      }
      #expect(runs.value + returned.value == 60)
      #expect(serial.isDisposed)
    }
  }

  @Test("O7: the action being disposed may dispose and swap; what it swaps in is disposed at once")
  func reentrant() {
    let serial = SerialDisposable()
    let late = ActionDisposable {}
    let seen = Box<[Bool]>([])
    serial.swap(
      ActionDisposable {
        seen.value.append(serial.isDisposed)
        serial.dispose()
        serial.swap(late)
        seen.value.append(late.isDisposed)
      })
    serial.dispose()
    #expect(seen.value == [true, true])
  }

  @Test("10,000 swaps allocate no new block, and deallocation frees all memory")
  func blocks() async {
    await #expect(processExitsWith: .success) {
      let before = weir_blocks_alive()
      do {
        let serial = SerialDisposable()
        let contents = [ActionDisposable {}, ActionDisposable {}, nil]
        for content in contents { serial.swap(content) }
        let settled = weir_blocks_alive()
        for round in 0..<10_000 { serial.swap(contents[round % 3]) }
        #expect(weir_blocks_alive() == settled)
      }
      #expect(weir_blocks_alive() == before)
    }
  }
}
