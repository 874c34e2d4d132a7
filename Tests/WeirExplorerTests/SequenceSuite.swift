// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirExplorer

/// Signals in sequence, some of which other threads end, and their subscriber.
private final class Sequel: @unchecked Sendable {  // one thread runs at a time
  private var sinks: [Sink<Int, Never>?] = [nil, nil]
  private let listener = Listener()

  /// A signal that another thread ends. Not a subject: subscribing to that takes many steps, and only what
  /// happens afterwards is of interest.
  private func ended(_ index: Int) -> Signal<Int, Never> { .attaching { [self] sink in sinks[index] = sink } }

  func listenToOne() { listen(to: ended(0).concat(Signal.just(1), Signal.just(2))) }
  func listenToTwo() { listen(to: ended(0).concat(Signal.just(1), ended(1), Signal.just(2))) }
  private func listen(to signal: Signal<Int, Never>) { _ = listener.subscribe(to: signal) }

  /// Ends a signal, if it has been subscribed.
  func end(_ index: Int) { sinks[index].take()?.terminate(.completed) }

  func problem() -> String? {
    for index in sinks.indices { end(index) }
    if let problem = listener.problem { return problem }
    let isWhole = listener.numbers == [1, 2] && listener.completions == 1
    return isWhole ? nil : "got \(listener.numbers) and \(listener.completions) ends"
  }
}

extension Exploring {
  @Suite struct SequenceSuite {
    private let listenToOne = Operation<Sequel>("listen to one") { $0.listenToOne() }
    private let listenToTwo = Operation<Sequel>("listen to two") { $0.listenToTwo() }
    private func end(_ index: Int) -> Operation<Sequel> { Operation("end \(index)") { $0.end(index) } }

    @Test(
      "C9: when a signal completes while it is being subscribed to, concat runs the next one once, on one thread"
    )
    func ended() {
      expectSound(
        Scenario(
          "concat: one ends", setup: { Sequel() }, threads: [[listenToOne], [end(0)]],
          check: { $0.problem() }))
      expectSound(
        Scenario(
          "concat: two end", setup: { Sequel() }, threads: [[listenToTwo], [end(0)], [end(1)]],
          check: { $0.problem() }))
    }
  }
}
