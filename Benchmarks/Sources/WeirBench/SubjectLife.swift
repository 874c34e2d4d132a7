// Part of Weir. SPDX-License-Identifier: Apache-2.0
import BenchmarkKit

/// `subject-life`: a subject for one message: created, subscribed, sent a value, completed, and released with
/// its subscriber.
enum SubjectLife: SubjectScenario {
  static let subscriberCounts = [1]

  static func benchmark<S: MeasuredSubject>(_: S.Type, subscribers: Int) -> Benchmark {
    Benchmark(scenario: "subject-life", implementation: S.implementation) {
      let cells = Cells(count: 1)
      return { operations in
        cells.reset()
        let sample = measure(operations) { subjectLifeLoop(S.self, cells.cell(0), operations) }
        verify(
          "subject-life \(S.implementation.name), checksum", cells[0],
          equals: operations * (operations - 1) / 2 + operations * S.mark)
        return sample
      }
    }
  }
}

@inline(never)
func subjectLifeLoop<S: MeasuredSubject>(_: S.Type, _ cell: Cell, _ count: Int) {
  for value in 0..<count {
    let subject = S()
    let token = subject.subscribe(summingInto: cell)
    subject.send(value)
    subject.complete()
    withExtendedLifetime(token) {}
  }
}
