// Part of Weir. SPDX-License-Identifier: Apache-2.0
import CWeirAtomics
import Testing
import WeirExplorer
import WeirTesting

@testable import Weir

/// The heap of a thread with timers, of which other threads cancel some.
private final class Cancelling: @unchecked Sendable {  // one thread runs at a time
  private final class Entry: HeapEntry {
    var place = 0
    let number: Int
    let isCancelled: AtomicWord
    init(_ number: Int, _ isCancelled: AtomicWord) {
      self.number = number
      self.isCancelled = isCancelled
    }
    func isBefore(_ other: Entry) -> Bool { number < other.number }
  }

  private let words: Words
  private let marks: Words
  private let cancelled: CancelledTimers
  private var heap = Heap<Entry>()
  private let entries: [Entry]
  /// How often the thread was woken, and how often it had been when its last round began.
  private var (woken, noted) = (0, 0)

  init(_ count: Int, cancelled some: Range<Int> = 0..<0) {
    let (words, marks) = (Words(3), Words(count))
    (self.words, self.marks) = (words, marks)
    cancelled = CancelledTimers(least: 0, count: words.words, others: words.words + 1)
    cancelled.begin()
    entries = (0..<count).map { Entry($0, AtomicWord(marks.words + $0)) }
    for entry in entries { heap.insert(entry) }
    round()
    for index in some { cancel(index) }
  }

  func cancel(_ index: Int) {
    _ = entries[index].isCancelled.exchange(1)
    if cancelled.note() { woken += 1 }
  }

  /// What the thread does when it is woken, or a timer is due.
  func round() {
    noted = woken
    while cancelled.purge(&heap, { $0.isCancelled.loadRelaxed() == 1 }) {}
  }

  /// The first timers have fired.
  func fire(_ count: Int) {
    for _ in 0..<count { heap.first.map { heap.remove($0) } }
    round()
  }

  /// The thread parks unless it was woken since its last round began.
  func problem() -> String? {
    while woken != noted { round() }
    let left = heap.all.count { $0.isCancelled.loadRelaxed() == 1 }
    return left <= heap.count / 2 ? nil : "\(left) of \(heap.count) in the heap are cancelled"
  }
}

extension Exploring {
  @Suite struct TimerSuite {
    private func cancel(_ index: Int) -> Operation<Cancelling> {
      Operation("cancel \(index)") { $0.cancel(index) }
    }
    private func fire(_ count: Int) -> Operation<Cancelling> {
      Operation("fire \(count)") { $0.fire(count) }
    }

    @Test("cancelled timers do not stay, also if they are cancelled while others fire or are dropped")
    func cancelling() {
      expectSound(
        Scenario(
          "timers: cancel and fire", setup: { Cancelling(4) },
          threads: [[cancel(3)], [fire(3)]], check: { $0.problem() }))
      // Firing makes those that are cancelled too many, and dropping them makes the limit lower still.
      expectSound(
        Scenario(
          "timers: cancel and purge", setup: { Cancelling(4, cancelled: 2..<4) },
          threads: [[cancel(1)], [fire(1)]], check: { $0.problem() }))
      expectSound(
        Scenario(
          "timers: two cancel, others fire", setup: { Cancelling(8) },
          threads: [[cancel(4), cancel(5)], [cancel(6), cancel(7)], [fire(2), fire(2)]],
          check: { $0.problem() }))
    }
  }
}
