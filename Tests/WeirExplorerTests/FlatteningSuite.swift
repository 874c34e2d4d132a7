// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirExplorer

/// Three signals, two of which may run beside each other.
private final class TwoOfThree: @unchecked Sendable {  // one thread runs at a time
  private var sinks: [Sink<Int, Never>] = []
  private let listener = Listener()

  /// Not subjects: subscribing to those takes many steps, and only what comes afterwards is of interest.
  init(_ strategy: FlattenStrategy<Never>) {
    let source = Signal<Int, Never>([0, 1, 2])
    _ = listener.subscribe(
      to: source.flatMap(strategy) { _ in Signal { [self] sink in sinks.append(sink) } })
  }

  /// Sends the number of a signal, and ends it.
  func finish(_ index: Int) {
    let sink = sinks[index]
    sink.next(index)
    sink.terminate(.finished)
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

/// Two signals that run, and a third one, for a value that the subscriber causes.
private final class ThirdInside: @unchecked Sendable {  // one thread runs at a time
  private var source: Sink<Int, Never>?
  private var sinks: [Sink<Int, Never>] = []
  private let listener = Listener()

  /// Not subjects, as above.
  init() {
    let source = Signal<Int, Never> { [self] sink in
      self.source = sink
      for index in 0..<2 { sink.next(index) }
    }
    _ = listener.subscribe(
      to: source.flatMap { [self] value in
        value < 2 ? Signal { sink in self.sinks.append(sink) } : Signal.just(value).map { $0 }
      }.doNext { [self] in if $0 == 10 { self.source?.next(2) } })
  }

  func send(_ number: Int, by index: Int) { sinks[index].next(number) }

  var problem: String? {
    let upstreams = [source].compactMap { $0 } + sinks
    (source, sinks) = (nil, [])
    for sink in upstreams { sink.terminate(.finished) }
    if let problem = listener.problem { return problem }
    let isWhole = listener.numbers.sorted() == [2, 10, 11] && listener.completions == 1
    return isWhole ? nil : "got \(listener.numbers) and \(listener.completions) ends"
  }
}

extension Exploring {
  @Suite struct FlatteningSuite {
    private func finish(_ index: Int) -> Operation<TwoOfThree> {
      Operation("finish \(index)") { $0.finish(index) }
    }

    @Test("C13: two signals end at a time, and one waits: that is begun, and nothing is lost or out of order")
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

    @Test("a signal that waits for the end of a delivery begins after it, while another thread delivers")
    func inside() {
      expectSound(
        Scenario(
          "merge: one begins after a delivery", setup: ThirdInside.init,
          threads: [
            [Operation("causes the third") { $0.send(10, by: 0) }],
            [Operation("sends") { $0.send(11, by: 1) }],
          ],
          check: { $0.problem }))
    }
  }
}
