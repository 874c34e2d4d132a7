// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirExplorer

/// A signal after others, and who hears of them.
private final class Sequel: @unchecked Sendable {  // one thread runs at a time
  let first = Subject<Int, Never>()
  let second = Subject<Int, Never>()
  let listener = Listener()

  func listen(to signal: Signal<Int, Never>) { _ = listener.subscribe(to: signal) }

  func problem() -> String? {
    if let problem = listener.problem { return problem }
    let isWhole = listener.numbers == [1, 2] && listener.completions == 1
    return isWhole ? nil : "got \(listener.numbers) and \(listener.completions) ends"
  }
}

extension Exploring {
  @Suite struct SequenceSuite {
    private let listen = Operation<Sequel>("listen") {
      $0.listen(to: $0.first.concat(Signal.just(1), Signal.just(2)))
    }
    private let listenTwice = Operation<Sequel>("listen to two") { it in
      it.listen(to: it.first.concat(Signal.just(1), it.second, Signal.just(2)))
    }
    private let end = Operation<Sequel>("end") { $0.first.complete() }
    private let endSecond = Operation<Sequel>("end the second") { $0.second.complete() }

    @Test("C9: a signal ends while it is being subscribed: what follows is run, once, by one thread")
    func ended() {
      expectSound(
        Scenario(
          "concat: the first ends", setup: { Sequel() }, threads: [[listen], [end]],
          check: { $0.problem() }))
      expectSound(
        Scenario(
          "concat: two end", setup: { Sequel() }, threads: [[listenTwice], [end], [endSecond]],
          check: { $0.problem() }))
    }
  }
}
