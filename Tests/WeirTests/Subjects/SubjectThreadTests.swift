// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import Weir
import WeirTesting

/// A subject used by several threads, one of which may be blocked in a subscriber.
struct SubjectThreadTests {
  @Test("A13: all subscribers receive the values of several threads in the same order, none lost")
  func oneOrder() {
    let subject = Subject<Int, Never>()
    let logs = (0..<3).map { _ in Box<[Int]>([]) }
    let grammars = logs.map { log in Grammar<Int, Never>(next: { log.value.append($0) }) }
    let subscriptions = grammars.map { $0.subscribe(to: subject) }
    withThreads(4) { index in for value in 0..<500 { subject.send(index * 500 + value) } }
    #expect(logs[0].value.sorted() == Array(0..<2_000))
    #expect(logs[1].value == logs[0].value)
    #expect(logs[2].value == logs[0].value)
    #expect(grammars.allSatisfy { $0.violations == 0 })
    for subscription in subscriptions { subscription.dispose() }
  }

  @Test(
    "A5: completion that races with sends and subscribes reaches each subscriber once, with nothing after it")
  func racingEnd() {
    for _ in 0..<100 {
      let subject = Subject<Int, Never>()
      let ends = Counter()
      let grammars = (0..<8).map { _ in Grammar<Int, Never>(terminated: { _ in ends.add() }) }
      withThreads(4) { index in
        for grammar in grammars[index * 2..<index * 2 + 2] {
          grammar.subscribe(to: subject)
          subject.send(index)
        }
        if index == 3 { subject.complete() }
      }
      #expect(ends.value == 8)
      #expect(grammars.allSatisfy { $0.violations == 0 })
    }
  }

  /// Runs `meanwhile` on another thread while a delivery of 1 is blocked in the first subscriber.
  private func whileBlocked(_ subject: Subject<Int, Never>, _ meanwhile: @escaping @Sendable () -> Void)
    -> Subscription
  {
    let (entered, leave) = (Door(), Door())
    let subscription = subject.subscribe(next: { value in
      guard value == 1 else { return }
      entered.open()
      leave.pass()
    })
    withThreads(2) { index in
      if index == 0 { return subject.send(1) }
      entered.pass()
      meanwhile()
      leave.open()
    }
    return subscription
  }

  @Test("while a callback is blocked, another thread subscribes, sends and disposes without waiting")
  func nobodyWaits() {
    let subject = Subject<Int, Never>()
    let values = Box<[Int]>([])
    let inside = Box(-1)
    let subscription = whileBlocked(subject) {
      let other = subject.subscribe(next: { values.value.append($0) })
      subject.send(2)
      subject.subscribe(next: { values.value.append($0 * 10) }).dispose()
      subject.send(3)
      inside.value = values.value.count
      _ = other
    }
    #expect(inside.value == 0)
    #expect(values.value == [2, 3])
    subscription.dispose()
  }

  @Test("while a callback is blocked, closures are released on disposal, except for fewer than 16")
  func releasedDuringBlock() {
    let resources = Resources()
    let subject = Subject<Int, Never>()
    let kept = Box<[Subscription]>([])
    let waiting = Box<[Int]>([])
    let subscription = whileBlocked(subject) {
      for round in 1...1_000 {
        let other = subject.subscribe(next: { [token = resources.make()] _ in _ = token })
        kept.value.append(other)
        other.dispose()
        if round % 500 == 0 { waiting.value.append(resources.alive) }
      }
    }
    // Subscribers that found room in the array of the blocked walk wait for that walk: fewer than 16, however
    // many come.
    #expect(waiting.value[0] < 16)
    #expect(waiting.value[1] == waiting.value[0])
    #expect(resources.alive == 0)
    subscription.dispose()
  }

  @Test("memory stays bounded when many subscribers come and go while a callback is blocked")
  func boundedDuringBlock() async {
    await #expect(processExitsWith: .success) {
      let subject = Subject<Int, Never>()
      let (entered, leave) = (Door(), Door())
      let growth = Box(Int.max)
      subject.subscribe(next: { _ in
        entered.open()
        leave.pass()
      })
      withThreads(2) { index in
        if index == 0 { return subject.send(1) }
        entered.pass()
        growth.value = allocatedGrowth { subject.subscribe(next: { _ in }).dispose() }
        leave.open()
      }
      #expect(growth.value < spareMemory)
    }
  }

  @Test("closures of a subscriber disposed while it is blocked are released when it returns")
  func disposedWhileHanging() {
    let resources = Resources()
    let subject = Subject<Int, Never>()
    let (entered, leave) = (Door(), Door())
    let inside = Box(-1)
    let subscription = subject.subscribe(next: { [token = resources.make()] _ in
      entered.open()
      leave.pass()
      _ = token
    })
    withThreads(2) { index in
      if index == 0 { return subject.send(1) }
      entered.pass()
      subscription.dispose()
      inside.value = resources.alive
      leave.open()
    }
    #expect(inside.value == 1)
    #expect(resources.alive == 0)
    withExtendedLifetime((subject, subscription)) {}
  }

  @Test("completion sent while a callback is blocked is delivered after queued values, by the blocked thread")
  func endWhileHanging() {
    let subject = Subject<Int, Never>()
    let log = Box<[String]>([])
    let (blocked, last) = (Box<UInt64>(0), Box<UInt64>(1))
    let other = subject.subscribe(
      next: {
        log.value.append("\($0)")
        if $0 == 1 { blocked.value = weir_thread() }
      },
      completed: {
        log.value.append("completed")
        last.value = weir_thread()
      })
    let subscription = whileBlocked(subject) {
      subject.send(2)
      subject.complete()
      subject.send(3)
    }
    #expect(log.value == ["1", "2", "completed"] && last.value == blocked.value)
    #expect(subscription.isDisposed && other.isDisposed)
  }

  @Test(
    "events stay serial, and none follows disposal, when subscribes and disposals race with sends; nothing leaks"
  )
  func churn() {
    let resources = Resources()
    let subject = Subject<Int, Never>()
    let grammars = (0..<4).map { _ in Box<[Grammar<Int, Never>]>([]) }
    withThreads(4) { index in
      for value in 0..<300 {
        if index == 0 {
          subject.send(value)
        } else {
          let grammar = Grammar<Int, Never>(next: { [token = resources.make()] _ in _ = token })
          let subscription = grammar.subscribe(to: subject)
          subject.send(value)
          grammar.dispose(subscription)
          grammars[index].value.append(grammar)
        }
      }
    }
    // The thread that has disposed one may have delivered values to others since.
    #expect(grammars.allSatisfy { $0.value.allSatisfy { $0.problem == nil } })
    for grammar in grammars { grammar.value = [] }
    #expect(resources.alive == 0)
  }
}
