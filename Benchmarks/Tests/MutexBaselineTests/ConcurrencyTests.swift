// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Dispatch
import MutexBaseline
import Synchronization
import Testing

@Suite("The mutex baseline loses no value when threads send and subscribe concurrently")
struct ConcurrencyTests {
  @Test(arguments: Form.allCases)
  func `every concurrent send reaches every subscriber once`(form: Form) async {
    let subject = form.makeSubject()
    let sums = [Sum(), Sum(), Sum()]
    for sum in sums { subject.subscribe { sum.add($0) } }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for value in 1...10_000 { subject.send(value) } }
      }
    }
    for sum in sums { #expect(sum.total == 4 * 10_000 * 10_001 / 2) }
  }

  @Test(arguments: Form.allCases)
  func `a subscriber that stays receives every value while others subscribe and dispose`(form: Form) async {
    let subject = form.makeSubject()
    let (staying, passing) = (Sum(), Sum())
    subject.subscribe { staying.add($0) }
    await withTaskGroup { group in
      group.addTask { for _ in 0..<20_000 { subject.send(1) } }
      for _ in 0..<2 {
        group.addTask { for _ in 0..<5_000 { subject.subscribe { passing.add($0) }() } }
      }
    }
    #expect(staying.total == 20_000)
    let heardByThoseWhoLeft = passing.total
    subject.send(1)
    #expect(staying.total == 20_001)
    #expect(passing.total == heardByThoseWhoLeft)
  }

  @Test
  func `callbacks of the form that calls inside its lock do not overlap`() async {
    let subject = MutexInsideSubject<Int>()
    let (inside, overlaps) = (Sum(), Sum())
    _ = subject.subscribe { _ in
      if inside.add(1) != 1 { overlaps.add(1) }
      inside.add(-1)
    }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for value in 0..<10_000 { subject.send(value) } }
      }
    }
    #expect(overlaps.total == 0)
  }

  @Test(arguments: [Form.copy, .snapshot])
  func `a form that calls outside its lock delivers to a subscriber that is still busy`(form: Form) {
    let subject = form.makeSubject()
    let log = Log<String>()
    subject.subscribe { value in
      log.append("begin \(value)")
      if value == 1 {
        let sent = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          subject.send(2)
          sent.signal()
        }
        // Would come later if callbacks did not overlap.
        _ = sent.wait(timeout: .now() + 60)
      }
      log.append("end \(value)")
    }
    subject.send(1)
    #expect(log.entries == ["begin 1", "begin 2", "end 2", "end 1"])
    subject.complete()  // releases the callback, which refers to the subject
  }
}

/// A sum many threads add to.
final class Sum: Sendable {
  private let value = Atomic<Int>(0)

  @discardableResult
  func add(_ summand: Int) -> Int {
    value.wrappingAdd(summand, ordering: .sequentiallyConsistent).newValue
  }

  var total: Int { value.load(ordering: .sequentiallyConsistent) }
}
