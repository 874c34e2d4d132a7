// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// The code of Recipes.md in which something is built from what came before it.
extension Recipes {
  struct Edit: Sendable, Equatable {
    var number: Int
    var line = ""
  }
  struct Document: Sendable, Equatable {
    var number = 0
    var lines: [String] = []
  }
  struct Gap: Error {}

  enum Update: Sendable, Equatable { case state(Document), edit(Edit) }

  func history(of edits: Signal<Edit, Never>) -> Signal<(state: Document, edit: Edit), Never> {
    edits
      .scan(into: (state: Document(), edit: Edit(number: 0))) { history, edit in
        history.state.number = edit.number
        history.state.lines.append(edit.line)
        history.edit = edit
      }
      .replayLast()
  }

  func updates(of history: Signal<(state: Document, edit: Edit), Never>) -> Signal<Update, Never> {
    history.enumerated().map { index, last in index == 0 ? .state(last.state) : .edit(last.edit) }
  }

  func document(
    fetch: Signal<Document, any Error>, edits: Signal<Edit, any Error>, on scheduler: some TimedScheduler
  ) -> Signal<Document, any Error> {
    Signal.deferred {
      let fetched = fetch.replayLazily()
      return edits.map(Optional.some).merge(with: .just(nil))
        .flatMap(.concat) { edit in fetched.map { (fetched: $0, edit: edit) } }
        .scan(into: Document?.none) { document, next in
          var current = document ?? next.fetched
          if let edit = next.edit, edit.number > current.number {
            if edit.number > current.number + 1 { throw Gap() }
            current.number = edit.number
            current.lines.append(edit.line)
          }
          document = current
        }
        .compactMap { $0 }
        .distinctUntilChanged()
    }
    .retry(
      .forever.backoff(from: .milliseconds(100), upTo: .seconds(10), on: scheduler).resettingOnValue())
  }

  func newest<Input: Sendable, Output: Sendable>(
    _ inputs: Signal<Input, any Error>, work: @escaping @Sendable (Input) async throws -> Output
  ) -> Signal<Output, any Error> {
    .deferred {
      let last = MutableProperty<Task<Void, Never>?>(nil)
      return inputs.flatMap(.latest) { input in
        .create { observer in
          let run = Task.detached { [before = last.value] in
            await before?.value
            if Task.isCancelled { return }
            do {
              observer.send(try await work(input))
              observer.complete()
            } catch { observer.fail(error) }
          }
          last.value = run
          return ActionDisposable { run.cancel() }
        }
      }
    }
  }

  func job<Output: Sendable>(
    after others: [Signal<Output, any Error>], _ work: Signal<Output, any Error>
  ) -> Signal<Output, any Error> {
    Signal.merge(others.map { $0.ignoreValues() }).then { work }.replayLast()
  }

  final class Store<State: Sendable, Action: Sendable>: Sendable {
    struct Effect: Sendable {
      var id: String?
      var work = Signal<Action, Never>.empty()
    }

    let state: Property<State>
    private let actions = Subject<Action, Never>()
    private let lifetime = Lifetime()

    init(_ initial: State, reduce: @escaping @Sendable (inout State, Action) -> [Effect]) {
      let (current, begun) = (MutableProperty(initial), Subject<String, Never>())
      state = Property(current)
      let effects = actions.map { action in current.modify { reduce(&$0, action) } }.joined()
      let results = effects.flatMap { effect -> Signal<Action, Never> in
        guard let id = effect.id else { return effect.work }
        begun.send(id)
        return effect.work.take(until: begun.filter { $0 == id })
      }
      lifetime.adopt(results.subscribe { [weak actions] in actions?.send($0) })
    }

    func send(_ action: Action) { actions.send(action) }
  }

  func mergedInOrder<Value: Sendable, Failure>(
    _ sources: [Signal<Value, Failure>], by areInIncreasingOrder: @escaping @Sendable (Value, Value) -> Bool
  ) -> Signal<Value, Failure> {
    let tagged = sources.enumerated().map { place, source in
      source.map(Optional.some).append(nil).map { (place: place, value: $0) }
    }
    let merged = Signal.merge(tagged)
    let none = Array(repeating: ArraySlice<Value>(), count: sources.count)
    return
      merged
      .scan(into: (waiting: none, ended: Set<Int>(), sent: [Value]())) { state, next in
        state.sent = []
        if let value = next.value {
          state.waiting[next.place].append(value)
        } else {
          state.ended.insert(next.place)
        }
        while true {
          var least: (place: Int, value: Value)?
          for (place, waiting) in state.waiting.enumerated() {
            guard let value = waiting.first else {
              if state.ended.contains(place) { continue }
              return  // its next value may be the least
            }
            if least.map({ areInIncreasingOrder(value, $0.value) }) ?? true { least = (place, value) }
          }
          guard let least else { return }
          state.sent.append(least.value)
          state.waiting[least.place].removeFirst()
        }
      }
      .map(\.sent).joined()
  }
}
