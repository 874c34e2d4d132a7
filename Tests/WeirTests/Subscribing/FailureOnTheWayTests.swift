// Part of Weir. SPDX-License-Identifier: Apache-2.0
import Testing
import Weir
import WeirTesting

private typealias Numbers = Signal<Int, Oops>

/// Sends nothing, and calls `action` when it is disposed.
private func waiting(_ action: @escaping @Sendable () -> Void) -> Numbers {
  .create { observer in
    ActionDisposable {
      action()
      withExtendedLifetime(observer) {}
    }
  }
}

/// Fails with the first value.
private func throwing(_ source: Numbers) -> Numbers {
  source.map { (_) throws(Oops) -> Int in throw Oops(code: 7) }
}

/// Failures whose run is disposed before they arrive, by what they have run themselves. In processes of their
/// own: the handler of such errors is one for the process.
struct FailureOnTheWayTests {
  /// What runs a source, and calls the closure when the source has failed and the subscriber was not told.
  private static let disposing: [(String, @Sendable (Numbers, @escaping @Sendable () -> Void) -> Numbers)] = [
    ("merge", { $0.merge(with: waiting($1)) }),
    ("merge, second", { waiting($1).merge(with: $0) }),
    ("combineLatest", { $0.combineLatest(with: waiting($1)).map { $0.0 } }),
    ("withLatest", { $0.withLatest(from: waiting($1)).map { $0.0 } }),
    ("zip", { $0.zip(with: waiting($1)).map { $0.0 } }),
    ("race", { $0.race(with: waiting($1)) }),
    ("flatMap", { source, dispose in Numbers([0, 1]).flatMap { $0 == 0 ? source : waiting(dispose) } }),
    (
      "flatMap(.latest)",
      { source, dispose in source.startWith(0).flatMap(.latest) { _ in waiting(dispose) } }
    ),
    ("concat", { $0.on(disposed: $1).concat(Numbers.never()) }),
    ("retry", { $0.on(disposed: $1).retry(upTo: 3) }),
    (
      "retry, giving up",
      { source, dispose in
        source.retry(
          .forever.givingUp { _, _ in
            dispose()
            return true
          })
      }
    ),
    ("repeat", { $0.on(disposed: $1).repeat() }),
    ("share", { $0.on(disposed: $1).share() }),
    ("share for ever", { $0.on(disposed: $1).share(replay: 1, lifetime: .forever) }),
    ("catch", { $0.on(disposed: $1).catch { _ -> Numbers in fatalError("called after disposal") } }),
    (
      "using",
      { source, dispose in
        .using(resource: { ActionDisposable {} }, signal: { _ in source.on(disposed: dispose) })
      }
    ),
    (
      "an observer that has adopted something",
      { source, dispose in
        .create { observer in
          let feeding = Subscription()
          feeding.add(ActionDisposable(dispose))
          observer.adopt(feeding)
          source.forward(to: observer)
          return nil
        }
      }
    ),
  ]

  /// What is received and reported while `body` runs, which is given what is to be subscribed.
  private static func outcome(_ make: (Subscription) -> Numbers, then body: (Subscription) -> Void) -> (
    received: [Int], reported: [Int]
  ) {
    let (received, reported, run) = (Box<[Int]>([]), Box<[Int]>([]), Subscription())
    UnhandledErrors.setHandler { reported.value.append(($0.error as? Oops)?.code ?? -1) }
    run.add(make(run).subscribe(failed: { received.value.append($0.code) }))
    body(run)
    return (received.value, reported.value)
  }

  @Test("contract 8: a failure whose run is disposed on its way, by what it sets off, is reported, once")
  func disposed() async {
    await #expect(processExitsWith: .success) {
      for (name, make) in Self.disposing {
        let source = Subject<Int, Oops>()
        let outcome = Self.outcome { run in
          make(source.signal, { run.dispose() })
        } then: { run in
          source.fail(Oops(code: 7))
          #expect(run.isDisposed, "\(name)")
        }
        #expect(outcome.received == [] && outcome.reported == [7], "\(name): \(outcome)")
      }
    }
  }

  @Test("contract 8: the same of a failure that an operator makes by itself, as a row that can keep no more")
  func ownFailure() async {
    await #expect(processExitsWith: .success) {
      let source = Subject<Int, Oops>()
      let outcome = Self.outcome { run in
        source.zip(
          with: waiting { run.dispose() }, waiting: .bounded(1, onOverflow: .fail(Oops(code: 7)))
        ).map { $0.0 }
      } then: { _ in
        for value in 1...2 { source.send(value) }
      }
      #expect(outcome.received == [] && outcome.reported == [7], "\(outcome)")
    }
  }

  /// Operators that listen by subscriptions of their own, behind or with a closure that throws.
  private static let listening: [(String, @Sendable (Numbers) -> Numbers)] = [
    ("flatMap", { $0.flatMap { (_) throws(Oops) -> Numbers in throw Oops(code: 7) } }),
    ("merge", { throwing($0).merge(with: Numbers.never()) }),
    ("combineLatest", { throwing($0).combineLatest(with: Numbers.never()).map { $0.0 } }),
    ("concat", { throwing($0).concat(Numbers.never()) }),
    ("retry", { throwing($0).retry() }),
    ("repeat", { throwing($0).repeat() }),
    ("catch", { throwing($0).catch { _ -> Numbers in fatalError("called after disposal") } }),
    (
      "using",
      { source in
        .using(resource: { ActionDisposable {} }, signal: { _ in throwing(source) })
      }
    ),
  ]

  @Test("contract 8: what a closure throws as a clean-up of the disposed run calls it is reported, once")
  func thrown() async {
    await #expect(processExitsWith: .success) {
      for (name, make) in Self.listening {
        let source = Subject<Int, Oops>()
        let outcome = Self.outcome { _ in
          make(source.signal).on(disposed: { source.send(1) })
        } then: { run in
          run.dispose()
        }
        #expect(outcome.received == [] && outcome.reported == [7], "\(name): \(outcome)")
      }
    }
  }
}
