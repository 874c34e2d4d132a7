// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// Sends a 1 with `send`, and runs `meanwhile` on another thread while a subscriber of `signal` blocks.
private func whileOneHangs(
  in signal: Signal<Int, Never>, send: @escaping @Sendable () -> Void,
  meanwhile: @escaping @Sendable () -> Void
) {
  let (entered, leave) = (Door(), Door())
  signal.subscribe { value in
    guard value == 1 else { return }
    entered.open()
    leave.pass()
  }
  withThreads(2) { index in
    if index == 0 { return send() }
    entered.pass()
    meanwhile()
    leave.open()
  }
}

/// By how much memory grows when subscribers come and go meanwhile.
private func growth(in signal: Signal<Int, Never>, sending send: @escaping @Sendable () -> Void) -> Int {
  let growth = Box(Int.max)
  whileOneHangs(in: signal, send: send) {
    growth.value = allocatedGrowth { signal.subscribe { _ in }.dispose() }
  }
  return growth.value
}

/// A subscriber that blocks in its replay delays nobody else; nor does one that blocks when it is live.
struct ReplayThreadTests {
  @Test("a subscriber that blocks in its replay delays neither senders nor live or other new subscribers")
  func blockedReplay() {
    let subject = ReplaySubject<Int, Never>(capacity: 3)
    for value in 0..<3 { subject.send(value) }
    let live = Box<[Int]>([])
    subject.signal.subscribe { live.value.append($0) }
    let (entered, leave) = (Door(), Door())
    let (slow, quick) = (Box<[Int]>([]), Box<[Int]>([]))
    withThreads(2) { index in
      if index == 0 {
        subject.signal.subscribe { value in
          slow.value.append(value)
          if value == 1 {
            entered.open()
            leave.pass()
          }
        }
      } else {
        entered.pass()
        for value in 3..<200 { subject.send(value) }
        #expect(live.value == Array(0..<200))
        subject.signal.subscribe { quick.value.append($0) }.dispose()
        #expect(quick.value == [197, 198, 199])
        leave.open()
      }
    }
    #expect(slow.value == Array(0..<200))
    subject.send(200)
    #expect(slow.value == live.value)
  }

  @Test(
    "J15: a new subscriber receives its history on its own thread, even while another thread is delivering")
  func ownThread() {
    let subject = ReplaySubject<Int, Never>(capacity: 2)
    let (entered, leave) = (Door(), Door())
    let history = Box<[Int]>([])
    subject.signal.subscribe { value in
      guard value == 2 else { return }
      entered.open()
      leave.pass()
    }
    subject.send(1)
    withThreads(2) { index in
      if index == 0 { return subject.send(2) }
      entered.pass()
      subject.signal.subscribe { history.value.append($0) }
      #expect(history.value == [1, 2])
      subject.send(3)
      leave.open()
    }
    #expect(history.value == [1, 2, 3])
  }

  @Test("subscribing to an ended subject does not wait for a subscriber that is blocked in its completion")
  func blockedEnd() {
    let subject = ReplaySubject<Int, Never>(capacity: 1)
    subject.send(1)
    subject.complete()
    let (entered, leave) = (Door(), Door())
    withThreads(2) { index in
      if index == 0 {
        subject.signal.subscribe(completed: {
          entered.open()
          leave.pass()
        })
      } else {
        entered.pass()
        let ended = Box(false)
        subject.signal.subscribe(completed: { ended.value = true })
        #expect(ended.value)
        leave.open()
      }
    }
  }

  @Test("memory of replaying sources stays bounded when many subscribers come and go while one is blocked")
  func boundedDuringBlock() async {
    await #expect(processExitsWith: .success) {
      let replay = ReplaySubject<Int, Never>(capacity: 2)
      replay.send(0)
      let growthOfReplay = growth(in: replay.signal) { replay.send(1) }
      #expect(growthOfReplay < spareMemory)
      let empty = ReplaySubject<Int, Never>(capacity: 0)
      let growthOfEmpty = growth(in: empty.signal) { empty.send(1) }
      #expect(growthOfEmpty < spareMemory)
      let current = CurrentValue<Int, Never>(0)
      let growthOfCurrent = growth(in: current.signal) { current.send(1) }
      #expect(growthOfCurrent < spareMemory)
      let property = MutableProperty(0)
      let growthOfProperty = growth(in: property.signal) { property.value = 1 }
      #expect(growthOfProperty < spareMemory)
    }
  }

  @Test("while a callback is blocked, closures of new subscribers are released on disposal")
  func releasedDuringBlock() {
    let resources = Resources()
    let current = CurrentValue<Int, Never>(0)
    let kept = Box<[Subscription]>([])
    let waiting = Box(-1)
    whileOneHangs(in: current.signal) {
      current.send(1)
    } meanwhile: {
      for _ in 1...100 {
        let newcomer = current.signal.subscribe { [token = resources.make()] _ in _ = token }
        kept.value.append(newcomer)
        newcomer.dispose()
      }
      waiting.value = resources.alive
    }
    #expect(waiting.value == 0)
  }

  @Test("subscribers added during a delivery become live in the order of subscription, without disposed ones")
  func orderOfNewcomers() {
    let current = CurrentValue<Int, Never>(0)
    let log = Box<[String]>([])
    whileOneHangs(in: current.signal) {
      current.send(1)
    } meanwhile: {
      let come = { @Sendable (name: String) in
        current.signal.subscribe { log.value.append("\(name)\($0)") }
      }
      _ = come("a")
      let leaving = come("b")
      _ = come("c")
      current.send(2)
      _ = come("d")
      leaving.dispose()
    }
    current.send(3)
    #expect(log.value == ["a1", "b1", "c1", "d1", "a2", "c2", "d2", "a3", "c3", "d3"])
  }

  @Test("subscribers added during a delivery leave no memory behind once the source is released")
  func blocksOfNewcomers() async {
    await #expect(processExitsWith: .success) {
      let before = weir_blocks_alive()
      do {
        let kept = Box<[Subscription]>([])
        do {
          let current = CurrentValue<Int, Never>(0)
          whileOneHangs(in: current.signal) {
            current.send(1)
          } meanwhile: {
            for number in 0..<40 {
              let newcomer = current.signal.subscribe { _ in }
              if number % 4 == 0 { newcomer.dispose() }
              if number % 2 == 0 { kept.value.append(newcomer) }
            }
          }
        }
        #expect(kept.value.allSatisfy { $0.isDisposed })
      }
      #expect(weir_blocks_alive() == before)
    }
  }

  @Test("reading a current value does not wait for a delivery in progress")
  func readDuringDelivery() {
    let current = CurrentValue<[Int], Never>([0])
    let (entered, leave) = (Door(), Door())
    current.signal.subscribe { value in
      guard value == [1] else { return }
      entered.open()
      leave.pass()
    }
    withThreads(2) { index in
      if index == 0 { return current.send([1]) }
      entered.pass()
      #expect(current.value == [1])
      current.send([2])
      #expect(current.value == [1])
      leave.open()
    }
    #expect(current.value == [2])
  }
}
