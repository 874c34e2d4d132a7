// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Weir

/// The history of values without references: an expired value stays in its slot until the slot is needed.
struct PlainReplayTests {
  private func slots(of subject: ReplaySubject<Int, Never>) -> UnsafeMutablePointer<Int> {
    subject.core.memory.log.ends.pointee.segment.slots(of: Int.self)
  }

  private func ringCount(of subject: ReplaySubject<Int, Never>) -> Int {
    let log = subject.core.memory.log
    var (count, block) = (1, log.cell.currentBlock())
    while let successor = PinnedBlock<ReplaySegment>(bits: block.link.load()) {
      (count, block) = (count + 1, successor)
    }
    return count
  }

  private func history(of subject: ReplaySubject<Int, Never>) -> [Int] {
    let values = Box<[Int]>([])
    subject.signal.subscribe { values.value.append($0) }.dispose()
    return values.value
  }

  @Test("without readers the log reuses one ring", arguments: [1, 4, 16, 100])
  func oneRing(capacity: Int) {
    let subject = ReplaySubject<Int, Never>(capacity: .last(capacity))
    for number in 0..<1_000 { subject.send(number) }
    let ring = slots(of: subject)
    for number in 1_000..<2_000 {
      subject.send(number)
      #expect(slots(of: subject) == ring)
    }
    #expect(ringCount(of: subject) == 1)
    #expect(history(of: subject) == Array(2_000 - capacity..<2_000))
  }

  @Test(
    "a new subscriber receives exactly the values that have not expired, after any number of sends",
    arguments: [1, 4, 16])
  func exact(capacity: Int) {
    let subject = ReplaySubject<Int, Never>(capacity: .last(capacity))
    for number in 0..<200 {
      subject.send(number)
      #expect(history(of: subject) == Array(max(0, number + 1 - capacity)...number))
    }
  }

  @Test("a slow reader receives the history without a gap; rings retained for it are released after it")
  func slowReader() {
    let subject = ReplaySubject<Int, Never>(capacity: 4)
    for number in 0..<4 { subject.send(number) }
    let seen = Box<[Int]>([])
    subject.signal.subscribe { [unowned subject] number in
      if number == 0 {
        for number in 4..<1_000 { subject.send(number) }
        #expect(history(of: subject) == Array(996..<1_000))
      }
      seen.value.append(number)
    }
    #expect(seen.value == Array(0..<1_000))
    for number in 1_000..<1_040 { subject.send(number) }
    #expect(seen.value == Array(0..<1_040))
    #expect(ringCount(of: subject) == 1)
  }
}
