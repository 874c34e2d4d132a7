// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Weir

/// The code of Recipes.md that calls a service on behalf of many.
extension Recipes {
  struct Token: Sendable, Equatable { var number: Int }
  struct Unauthorised: Error {}
  struct Frame: Sendable, Equatable {
    var topic: String
    var number: Int
  }

  final class Credentials: Sendable {
    private let state: MutableProperty<(token: Token, renewal: Signal<Token, any Error>?, number: Int)>
    private let renew: Signal<Token, any Error>

    init(_ first: Token, renew: Signal<Token, any Error>) {
      state = MutableProperty((first, nil, 0))
      self.renew = renew
    }

    func call<Value: Sendable>(
      _ request: @escaping @Sendable (Token) -> Signal<Value, any Error>
    ) -> Signal<Value, any Error> {
      .deferred { [self] in
        let used = state.value.token
        return request(used).catch { error in
          error is Unauthorised ? self.token(after: used).flatMap { request($0) } : .fail(error)
        }
      }
    }

    private func token(after refused: Token) -> Signal<Token, any Error> {
      state.modify { state in
        if state.token != refused { return .just(state.token) }
        if let renewal = state.renewal { return renewal }
        let renewal = self.renewal(number: state.number + 1)
        (state.renewal, state.number) = (renewal, state.number + 1)
        return renewal
      }
    }

    private func renewal(number: Int) -> Signal<Token, any Error> {
      renew
        .take(first: 1)
        .doNext { [weak state] token in
          state?.modify { if $0.number == number { ($0.token, $0.renewal) = (token, nil) } }
        }
        .on(disposed: { [weak state] in state?.modify { if $0.number == number { $0.renewal = nil } } })
        .replayLazily()
    }
  }

  final class Loader<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    struct NotFound: Error {}
    private let calls = Subject<(key: Key, caller: Observer<Value, any Error>), Never>()

    init(
      upTo count: Int, within time: Duration, on scheduler: some TimedScheduler,
      load: @escaping @Sendable (Set<Key>) -> Signal<[Key: Value], any Error>
    ) {
      calls
        .collect(count: count, within: time, on: scheduler)
        .flatMap(.merge(limit: 4)) { calls in
          load(Set(calls.map(\.key)))
            .defaultIfEmpty([:])
            .take(first: 1)
            .map { Result.success($0) }
            .catch { .just(.failure($0)) }
            .doNext { result in
              for (key, caller) in calls {
                switch result.map({ $0[key] }) {
                case .success(let value?):
                  caller.send(value)
                  caller.complete()
                case .success(nil): caller.fail(NotFound())
                case .failure(let error): caller.fail(error)
                }
              }
            }
        }
        .subscribe()
    }

    func value(of key: Key) -> Signal<Value, any Error> {
      .create { [calls] caller in
        calls.send((key, caller))
        return nil
      }
    }
  }

  func inTransaction<Connection: Sendable, Value: Sendable>(
    _ begin: Signal<Connection, any Error>,
    commit: @escaping @Sendable (Connection) -> Signal<Void, any Error>,
    rollback: @escaping @Sendable (Connection) -> Signal<Void, any Error>,
    work: @escaping @Sendable (Connection) -> Signal<Value, any Error>
  ) -> Signal<Value, any Error> {
    .deferred {
      let isOpen = MutableProperty(true)
      let begun = begin.take(first: 1).replayLazily()
      return .using(
        resource: {
          ActionDisposable {
            guard isOpen.swap(false) else { return }
            begun.subscribe(next: { rollback($0).subscribe() }, failed: { _ in })
          }
        },
        signal: { _ in
          begun.flatMap { connection in
            let committed = Signal<Value, any Error>.deferred {
              isOpen.swap(false) ? commit(connection).replay().then { .empty() } : .empty()
            }
            return work(connection).concat(committed).catch { error in
              isOpen.swap(false) ? rollback(connection).replay().then { .fail(error) } : .fail(error)
            }
          }
        })
    }
  }

  func rows(
    fetch: @escaping @Sendable (_ cursor: String?) -> Signal<Page, any Error>
  ) -> Signal<Row, any Error> {
    .deferred {
      let cursor = MutableProperty<String?>(nil)
      return
        Signal
        .deferred { fetch(cursor.value).take(first: 1).defaultIfEmpty(Page(rows: [], next: nil)) }
        .doNext { cursor.value = $0.next }
        .repeat()
        .take(until: { $0.next == nil }, boundary: .included)
        .map(\.rows)
        .joined()
    }
  }

  final class Quota: Sendable {
    struct IsUsedUp: Error {}
    private let used = MutableProperty(0)
    private let limit: Int
    private let interval: Duration
    private let scheduler: any TimedScheduler

    init(_ limit: Int, within interval: Duration, on scheduler: any TimedScheduler) {
      (self.limit, self.interval, self.scheduler) = (limit, interval, scheduler)
    }

    func admit<Value>(_ work: Signal<Value, any Error>) -> Signal<Value, any Error> {
      .deferred { [self] in
        let isAdmitted = used.modify { used in
          guard used < limit else { return false }
          used += 1
          return true
        }
        guard isAdmitted else { return .fail(IsUsedUp()) }
        scheduler.schedule(after: interval) { [used] in used.modify { $0 -= 1 } }
        return work
      }
    }
  }

  final class Topics: Sendable {
    private let frames: Signal<Frame, Never>
    private let changes = Subject<(topic: String, listeners: Int), Never>()

    init(_ frames: Signal<Frame, Never>, send: @escaping @Sendable (String) -> Void) {
      self.frames = frames
      changes
        .scan(into: (listeners: [String: Int](), command: String?.none)) { state, change in
          let before = state.listeners[change.topic] ?? 0
          let now = before + change.listeners
          state.listeners[change.topic] = now == 0 ? nil : now
          state.command = before == 0 ? "SUB \(change.topic)" : now == 0 ? "UNSUB \(change.topic)" : nil
        }
        .compactMap(\.command)
        .subscribe { send($0) }
    }

    func topic(_ name: String) -> Signal<Frame, Never> {
      frames
        .filter { $0.topic == name }
        .on(
          subscribed: { [changes] in changes.send((name, 1)) },
          disposed: { [changes] in changes.send((name, -1)) })
    }
  }

  func serve(
    _ quotes: Signal<Quote, any Error>, write: @escaping @Sendable (Quote) async throws -> Void
  ) -> Signal<Void, any Error> {
    quotes
      .flatMap(.concat(waiting: .bounded(256, onOverflow: .fail(TooSlow())))) { quote in
        .task { try await write(quote) }
      }
  }

  nonisolated(nonsending) func serve(
    _ quotes: Signal<Quote, Never>, atMostBehind limit: Int,
    write: (Quote) async throws -> Void, disconnect: @escaping @Sendable () -> Void
  ) async throws {
    let waiting = MutableProperty(0)
    let counted = quotes.doNext { _ in
      let number = waiting.modify { number in
        number += 1
        return number
      }
      if number == limit + 1 { disconnect() }
    }
    for await quote in counted.values(waiting: .bounded(limit, onOverflow: .dropNewest)) {
      try await write(quote)
      waiting.modify { $0 -= 1 }
    }
  }
}
