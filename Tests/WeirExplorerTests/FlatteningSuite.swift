// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirExplorer

/// Three signals, two of which may run at a time.
private final class TwoOfThree: @unchecked Sendable {  // one thread runs at a time
  private var sinks: [Sink<Int, Never>] = []
  private let listener = Listener()

  /// Not subjects: subscribing to those takes many steps, and only what happens afterwards is of interest.
  init(_ strategy: FlattenStrategy<Never>) {
    let source = Signal<Int, Never>([0, 1, 2])
    _ = listener.subscribe(
      to: source.flatMap(strategy) { _ in .attaching { [self] sink in sinks.append(sink) } })
  }

  /// Sends the number of a signal, and ends it.
  func finish(_ index: Int) {
    let sink = sinks[index]
    sink.next(index)
    sink.terminate(.completed)
  }

  func problem(isOrdered: Bool) -> String? {
    guard sinks.count == 3 else { return "\(sinks.count) signals were begun" }
    finish(2)
    sinks = []
    if let problem = listener.problem { return problem }
    let numbers = isOrdered ? listener.numbers : listener.numbers.sorted()
    let isWhole = numbers == [0, 1, 2] && listener.completions == 1
    return isWhole ? nil : "got \(listener.numbers) and \(listener.completions) ends"
  }
}

extension Exploring {
  @Suite struct FlatteningSuite {
    private func finish(_ index: Int) -> Operation<TwoOfThree> {
      Operation("finish \(index)") { $0.finish(index) }
    }

    @Test(
      "C13: when two inner signals end concurrently, the waiting one begins, and no value is lost or out of order"
    )
    func places() {
      expectSound(
        Scenario(
          "ordered: two end", setup: { TwoOfThree(.ordered(limit: 2)) }, threads: [[finish(0)], [finish(1)]],
          check: { $0.problem(isOrdered: true) }))
      expectSound(
        Scenario(
          "merge, limited: two end", setup: { TwoOfThree(.merge(limit: 2)) },
          threads: [[finish(0)], [finish(1)]],
          check: { $0.problem(isOrdered: false) }))
    }
  }
}
