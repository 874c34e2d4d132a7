// Part of Weir. SPDX-License-Identifier: Apache-2.0
import MutexBaseline
import Testing

@Suite("The replaying subject and the current value of the mutex baseline are correct")
struct StateTests {
  @Test(arguments: [1, 2, 3, 16])
  func `a late subscriber receives the last values and then the new ones`(capacity: Int) {
    let subject = MutexReplaySubject<Int>(capacity: capacity)
    for value in 1...5 { subject.send(value) }
    let log = Log<String>()
    _ = subject.subscribe(next: log.next, completed: log.completed)
    subject.send(6)
    subject.complete()
    subject.send(7)
    let expected = (max(1, 6 - capacity)...6).map { "\($0)" } + ["|"]
    #expect(log.entries == expected)
  }

  @Test
  func `a subscriber added after completion receives the history and the completion`() {
    let subject = MutexReplaySubject<Int>(capacity: 2)
    for value in 1...3 { subject.send(value) }
    subject.complete()
    let log = Log<String>()
    _ = subject.subscribe(next: log.next, completed: log.completed)
    #expect(log.entries == ["2", "3", "|"])
  }

  @Test
  func `values sent inside a replay are delivered after it, once`() {
    let subject = MutexReplaySubject<Int>(capacity: 2)
    subject.send(1)
    subject.send(2)
    let log = Log<Int>()
    _ = subject.subscribe { value in
      log.append(value)
      if value == 1 { subject.send(3) }
      if value == 3 { for value in 4...6 { subject.send(value) } }
    }
    // When 3 had been delivered, 4 had been dropped: the capacity is 2.
    #expect(log.entries == [1, 2, 3, 5, 6])
    subject.complete()  // releases the callback, which refers to the subject
  }

  @Test
  func `a subscriber added while another thread sends receives no gap and no duplicate`() async {
    let subject = MutexReplaySubject<Int>(capacity: 4)
    subject.send(0)
    let logs = (0..<200).map { _ in Log<Int>() }
    await withTaskGroup { group in
      group.addTask { for value in 1...20_000 { subject.send(value) } }
      group.addTask { for log in logs { subject.subscribe { log.append($0) }.dispose() } }
    }
    for log in logs {
      let entries = log.entries
      // The first entries are what was replayed: the live ones come outside the lock, but from one sender.
      #expect(entries.first.map { Array($0..<($0 + entries.count)) } == entries)
    }
  }

  @Test
  func `a current value is delivered on subscription, then each change, and remains after completion`() {
    let current = MutexCurrentValue(1)
    let (early, late) = (Log<String>(), Log<String>())
    let subscription = current.subscribe(next: early.next, completed: early.completed)
    current.send(2)
    #expect(current.value == 2)
    subscription.dispose()
    current.send(3)
    current.complete()
    current.send(4)
    _ = current.subscribe(next: late.next, completed: late.completed)
    #expect(current.value == 3)
    #expect(early.entries == ["1", "2"])
    #expect(late.entries == ["3", "|"])
  }

  @Test
  func `a current value may be read and set by a subscriber`() {
    let current = MutexCurrentValue(1)
    let log = Log<Int>()
    _ = current.subscribe { value in
      log.append(current.value)
      if value == 2 { current.send(3) }
    }
    current.send(2)
    #expect(log.entries == [1, 2, 3])
    current.complete()  // releases the callback, which refers to the subject
  }
}
