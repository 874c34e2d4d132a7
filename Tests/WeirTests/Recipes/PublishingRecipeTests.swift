// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

/// What Recipes.md says of a signal that is used several times in one run.
struct PublishingRecipeTests {
  private let recipes = Recipes()

  @Test("a signal that sends while it is subscribed runs once, and all its uses get all its values")
  func synchronous() {
    let runs = Counter()
    let numbers = Signal<Int, Oops>.deferred {
      runs.add()
      return Signal([1, 2, 3])
    }
    let pairs = Recorder(recipes.publishing(numbers) { $0.zip(with: $0.skip(first: 1)).map { [$0, $1] } })
    #expect(pairs.values == [[1, 2], [2, 3]] && pairs.completion == .completed && runs.value == 1)
    let merged = Recorder(recipes.publishing(numbers) { $0.merge(with: $0.map { $0 * 10 }) })
    #expect(merged.values == [1, 10, 2, 20, 3, 30] && merged.completion == .completed && runs.value == 2)
    let later = Recorder(recipes.publishing(numbers) { $0.take(first: 1).concat($0) })
    #expect(later.values == [1, 2, 3] && later.completion == .completed && runs.value == 3)
  }

  @Test("the signal is stopped when the result ends, even if it would go on in one call for ever")
  func endless() {
    let result = Recorder(
      recipes.publishing(Signal<Int, Never>.just(1).repeat()) { signal in
        signal.take(first: 2).merge(with: signal.map { -$0 }.take(first: 3))
      })
    #expect(result.values == [1, -1, 1, -1, -1] && result.completion == .completed)
  }

  @Test("a use that ends another one stops the signal with the value that does it")
  func trigger() {
    let sent = Counter()
    let numbers = Signal<Int, Oops>(0..<100).doNext { _ in sent.add() }
    let result = Recorder(recipes.publishing(numbers) { $0.take(until: $0.skip(while: { $0 <= 3 })) })
    #expect(result.values == [0, 1, 2, 3] && result.completion == .completed && sent.value == 5)
  }

  @Test("a result that has ended before the signal is connected does not run it")
  func unused() {
    let runs = Counter()
    let numbers = Signal<Int, Oops>.deferred {
      runs.add()
      return .just(1)
    }
    #expect(Recorder(recipes.publishing(numbers) { _ in .just(7) }).events == [.next(7), .completed])
    #expect(runs.value == 0)
  }

  @Test("the result fails with the signal, and disposing it leaves the signal")
  func hot() {
    let source = Subject<Int, Oops>()
    let disposed = Recorder(recipes.publishing(source.signal) { $0.merge(with: $0) })
    source.send(1)
    #expect(disposed.values == [1, 1] && source.subscriberCount == 1)
    disposed.dispose()
    #expect(source.subscriberCount == 0)
    let failed = Recorder(recipes.publishing(source.signal) { $0.merge(with: $0) })
    source.fail(Oops())
    #expect(failed.completion == .failed(Oops()))
  }

  @Test("when the signal is released, the result ends, too, and nothing of it is left")
  func released() {
    let problem = findLeaks { resources in
      var source: Subject<Int, Never>? = resources.follow(Subject())
      let ended = Counter()
      guard let signal = source?.signal else { return }
      recipes.publishing(signal) { $0.merge(with: $0) }
        .on(disposed: { ended.add() })
        .subscribe { _ in }
      source?.send(1)
      source = nil
      _ = consume signal
      #expect(ended.value == 1)
    }
    #expect(problem == nil)
  }
}
