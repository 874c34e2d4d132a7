// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

private struct Search: Sendable, Equatable {
  var query = ""
  var rows: [String] = []
  var steps = 0
}

private enum Action: Sendable { case typed(String), found([String]), cleared, step(left: Int), steps }

private typealias Store = Recipes.Store<Search, Action>

/// What Recipes.md says of a store.
struct StoreRecipeTests {
  private let scheduler = VirtualScheduler()
  private let searches = Counter()

  /// A search begins 0.3 seconds after what was typed, and takes a second.
  private func makeStore() -> Store {
    Store(Search()) { [scheduler, searches] state, action in
      switch action {
      case .typed(let query):
        state.query = query
        let search = Signal<Action, Never>.deferred {
          searches.add()
          return .just(.found([query]))
        }
        let work = search.delay(.seconds(1), on: scheduler)
        return [.init(id: "search", work: work.delaySubscription(.milliseconds(300), on: scheduler))]
      case .found(let rows): state.rows = rows
      case .cleared:
        state = Search()
        return [.init(id: "search")]
      case .step(let left):
        state.steps += 1
        if left > 0 { return [.init(work: .just(.step(left: left - 1)))] }
      case .steps: return [.init(work: .just(.step(left: 1))), .init(work: .just(.step(left: 0)))]
      }
      return []
    }
  }

  @Test("a newer effect cancels the one with its identifier, and one without work only cancels")
  func cancellation() {
    let store = makeStore()
    let rows = TimedRecorder(store.state.signal.map(\.rows).distinctUntilChanged(), on: scheduler)
    store.send(.typed("w"))
    scheduler.advance(by: .milliseconds(700))
    store.send(.typed("we"))
    scheduler.advance(by: .milliseconds(200))
    store.send(.typed("wei"))
    scheduler.run()
    store.send(.typed("weir"))
    scheduler.advance(by: .milliseconds(700))
    store.send(.cleared)
    #expect(scheduler.waitingCount == 0)
    #expect(rows.events.map(\.time) == [.zero, .milliseconds(2200), .milliseconds(2900)])
    #expect(rows.values == [[], ["wei"], []])
    #expect(searches.value == 3)
  }

  @Test("effects send actions one after the other, in a loop of any length")
  func effects() {
    let store = makeStore()
    let steps = Recorder(store.state.signal.map(\.steps))
    store.send(.steps)
    #expect(steps.values == [0, 0, 1, 2, 3])
    steps.dispose()
    store.send(.step(left: 100_000))
    #expect(store.state.value.steps == 100_004)
  }

  @Test("releasing the store cancels its effects, and its state completes")
  func release() {
    let store = Box<Store?>(makeStore())
    let states = Recorder(store.value?.state.signal ?? .never())
    store.value?.send(.typed("w"))
    #expect(scheduler.waitingCount == 1)
    store.value = nil
    #expect(scheduler.waitingCount == 0 && states.completion == .completed)
  }

  @Test("actions from several threads are reduced one at a time")
  func threads() {
    let store = makeStore()
    withThreads(2) { _ in for _ in 0..<1_000 { store.send(.step(left: 1)) } }
    #expect(store.state.value.steps == 4_000)
  }
}
